package io.manafold.dropin.internal;

import io.manafold.api.device.EventLog;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Hashtable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.condition.Condition;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a folder on a thread of its own; what runs a bundle's own code is called on a thread of that file. Calls into
 * the framework are made with no lock held. Dropped bundles are left to the framework when the watcher ends.
 */
@Capability(namespace = "osgi.service", attribute = {
    "objectClass:List<String>='org.osgi.service.condition.Condition'", Condition.CONDITION_ID + "=" + DropIn.SCANNED})
@Component(service = {}, configurationPid = DropIn.PID)
@Designate(ocd = Settings.class)
public final class DropIn {
    static final String PID = "io.manafold.dropin";
    static final String SCANNED = "io.manafold.dropin.scanned";

    private static final Logger LOG = LoggerFactory.getLogger(DropIn.class);
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Duration LEVEL_LOOK = Duration.ofMillis(2);

    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final BundleContext context;
    private final BundleListener listener;
    private final Thread thread;
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile EventLog events;
    private volatile ServiceRegistration<Condition> condition;

    @Activate
    public DropIn(BundleContext context, Settings settings) {
        this.context = context;
        Path path = path(context, settings);
        if (path == null) {
            LOG.info("no drivers folder: neither 'folder' in the configuration {} nor manafold.data is set", PID);
            listener = null;
            thread = null;
            scanned();
            return;
        }
        Duration quietTime = Duration.ofMillis(Math.clamp(settings.standstill(), 1, 60_000));
        long poll = Duration.ofMillis(Math.clamp(settings.poll(), 10, 60_000)).toNanos();
        long largest = (long) Math.clamp(settings.largest(), 1, 1024) << 20;
        Duration limit = Duration.ofMillis(Math.clamp(settings.limit(), 100, 600_000));
        Path staging = staging(context);
        EventJournal journal = new EventJournal(() -> events);
        Reconciler reconciler = new Reconciler(new FrameworkBundles(context, limit, closed), new StagingArea(staging),
                journal, closed::isDone);
        FolderScanner watch = new FolderScanner(new Folder(path), quietTime, largest, reconciler, journal,
                InstantSource.system(), System::nanoTime, this::scanned);
        listener = event -> noticed(event, watch);
        context.addBundleListener(listener);
        thread = Thread.ofPlatform().daemon().name("manafold-dropin").start(() -> run(watch, poll, staging));
    }

    private static Path path(BundleContext context, Settings settings) {
        String folder = settings.folder().strip();
        String data = context.getProperty("manafold.data");
        try {
            if (!folder.isEmpty()) {
                return Path.of(folder).toAbsolutePath();
            }
            return data == null || data.isBlank() ? null : Path.of(data, "drivers").toAbsolutePath();
        } catch (InvalidPathException e) {
            LOG.warn("the drivers folder cannot be watched: {}", Wording.reason(e));
            return null;
        }
    }

    private static Path staging(BundleContext context) {
        return context.getDataFile("taken").toPath();
    }

    private static void noticed(BundleEvent event, FolderScanner watch) {
        int relevant = BundleEvent.INSTALLED | BundleEvent.UPDATED | BundleEvent.UNINSTALLED;
        if ((event.getType() & relevant) != 0 && !FrameworkBundles.isOurs(event.getBundle())) {
            watch.othersChanged();
        }
    }

    private void run(FolderScanner watch, long poll, Path staging) {
        empty(staging);
        while (!closed.isDone() && !mayStart()) {
            LockSupport.parkNanos(LEVEL_LOOK.toNanos());
        }
        String problem = null;
        while (!closed.isDone()) {
            // a bundle that was started or stopped on this thread may have left it interrupted
            Thread.interrupted();
            try {
                watch.look();
                problem = null;
            } catch (RuntimeException | Error e) {
                String now = Wording.reason(e);
                if (!closed.isDone() && !now.equals(problem)) {
                    LOG.error("a look at the drivers folder failed: {}", now);
                    LOG.debug("where it failed", e);
                }
                problem = now;
                watch.done();
            }
            if (!closed.isDone()) {
                LockSupport.parkNanos(watch.nanosToNext(poll));
            }
        }
    }

    /** While the framework starts, bundles of a start level it has not reached cannot be started. */
    private boolean mayStart() {
        Bundle system = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION);
        return system.adapt(FrameworkStartLevel.class).getStartLevel()
                >= context.getBundle().adapt(BundleStartLevel.class).getStartLevel();
    }

    /** Removes what a life that ended suddenly left behind. */
    private static void empty(Path staging) {
        if (Files.isDirectory(staging)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(staging)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                LOG.debug("{} could not be emptied", staging, e);
            }
        }
    }

    private void scanned() {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(Condition.CONDITION_ID, SCANNED);
        condition = context.registerService(Condition.class, Condition.INSTANCE, properties);
        if (closed.isDone()) {
            withdraw();
        }
    }

    private void withdraw() {
        ServiceRegistration<Condition> registered = condition;
        if (registered != null) {
            try {
                registered.unregister();
            } catch (IllegalStateException e) {
                LOG.debug("the condition was withdrawn already", e);
            }
        }
    }

    @Deactivate
    void close() throws InterruptedException {
        closed.complete(null);
        withdraw();
        if (thread != null) {
            context.removeBundleListener(listener);
            LockSupport.unpark(thread);
            thread.join(GRACE);
        }
    }
}

package io.manafold.dropin.internal;

import io.manafold.dropin.internal.Calls.Kind;
import io.manafold.dropin.internal.Calls.Purpose;
import io.manafold.dropin.internal.Calls.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real framework. Bundles are started transiently: what runs is decided by the folder and not by what the framework
 * remembers, so that none of them is started before its file has been looked at.
 */
final class FrameworkBundles implements Bundles {
    static final String LOCATION = "drivers:";

    private static final Logger LOG = LoggerFactory.getLogger(FrameworkBundles.class);
    private static final long REFRESH_SECONDS = 30;
    private static final long NO_BUNDLE = -1;

    private final BundleContext context;
    private final FrameworkWiring wiring;
    private final ResolveDiagnosis diagnosis;
    private final StartLevels levels;
    private final CompletableFuture<?> closed;
    private final Calls calls;

    /**
     * @param limit how long a bundle may take to be installed, to start or to stop
     * @param closed ends a wait for the framework
     */
    FrameworkBundles(BundleContext context, Duration limit, CompletableFuture<?> closed) {
        this.context = context;
        this.wiring = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).adapt(FrameworkWiring.class);
        this.diagnosis = new ResolveDiagnosis(wiring);
        this.levels = new StartLevels(context, limit.dividedBy(2), closed);
        this.closed = closed;
        this.calls = new Calls(limit, closed);
    }

    static boolean isDropped(Bundle bundle) {
        return bundle.getLocation().startsWith(LOCATION);
    }

    /** Whether the watcher brought a bundle, be it from the folder or for its own use. */
    static boolean isOurs(Bundle bundle) {
        return isDropped(bundle) || bundle.getLocation().equals(StartLevels.MARKER);
    }

    @Override
    public List<Resident> residents() {
        List<Resident> found = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            if (isDropped(bundle)) {
                found.add(resident(bundle));
            }
        }
        return found;
    }

    private static Resident resident(Bundle bundle) {
        return new Resident(bundle.getBundleId(), bundle.getLocation().substring(LOCATION.length()),
                new Identity(String.valueOf(bundle.getSymbolicName()), bundle.getVersion()),
                bundle.getLastModified());
    }

    @Override
    public Resident install(String file, Path jar, FileState state) throws Declined {
        return declinable(file, installation(state), () -> Result.installed(installNow(file, jar))).resident();
    }

    @Override
    public Resident installed(String file, FileState state) throws Declined {
        return declinable(file, installation(state), () -> Result.declined(Declined.forNow(
                "it is not known what came of its installation"))).resident();
    }

    private static Purpose installation(FileState state) {
        return new Purpose(Kind.INSTALL, NO_BUNDLE, state);
    }

    /** Runs on a thread of the file's own. */
    private Resident installNow(String file, Path jar) throws Declined {
        try (InputStream in = Files.newInputStream(jar)) {
            Bundle bundle = context.installBundle(LOCATION + file, in);
            levels.adjust(bundle);
            return resident(bundle);
        } catch (BundleException e) {
            throw declined("the framework does not install it", e);
        } catch (IOException e) {
            throw Declined.forNow("it could not be copied into the framework (" + Wording.reason(e) + ")");
        } catch (RuntimeException | Error e) {
            throw stumbled(e);
        }
    }

    /** What a framework throws over a manifest that its authors did not expect is the manifest's fault. */
    private static Declined stumbled(Throwable e) {
        LOG.debug("the framework stumbled", e);
        return Declined.forGood("the framework stumbles over it (" + Wording.reason(e) + ")");
    }

    @Override
    public boolean isUnderWay(String file) {
        return calls.isUnderWay(file);
    }

    @Override
    public Optional<String> overdue(String file) {
        return calls.overdue(file);
    }

    @Override
    public Set<Long> replace(Resident resident, Path jar, FileState state) throws Declined {
        return declinable(resident.file(), new Purpose(Kind.UPDATE, resident.id(), state),
                () -> Result.stopped(replaceNow(resident, jar))).stopped();
    }

    @Override
    public Set<Long> remove(Resident resident) throws Declined {
        return declinable(resident.file(), new Purpose(Kind.REMOVAL, resident.id(), null),
                () -> Result.stopped(removeNow(resident))).stopped();
    }

    private Result declinable(String file, Purpose purpose, Work work) throws Declined {
        Result result = calls.make(file, purpose, () -> {
            try {
                return work.run();
            } catch (Declined e) {
                return Result.declined(e);
            }
        }).orElseThrow(Declined::unfinished);
        if (result.declined() != null) {
            throw result.declined();
        }
        return result;
    }

    /** Runs on a thread of the file's own, which returns the bundles that were stopped besides. */
    private Set<Long> replaceNow(Resident resident, Path jar) throws Declined {
        Bundle bundle = bundle(resident);
        boolean ran = isRunning(bundle);
        // opened first: a bundle is not stopped for content that cannot be read
        try (InputStream in = Files.newInputStream(jar)) {
            stop(bundle, resident);
            bundle.update(in);
            levels.adjust(bundle);
        } catch (BundleException e) {
            rerun(bundle, ran);
            throw declined("the framework does not take it as an update", e);
        } catch (IOException e) {
            rerun(bundle, ran);
            throw Declined.forNow("it could not be copied into the framework (" + Wording.reason(e) + ")");
        } catch (RuntimeException | Error e) {
            rerun(bundle, ran);
            throw stumbled(e);
        }
        return refresh(bundle);
    }

    private void rerun(Bundle bundle, boolean ran) {
        if (ran) {
            try {
                levels.adjust(bundle);
                levels.settle();
                bundle.start(Bundle.START_TRANSIENT);
            } catch (BundleException | RuntimeException e) {
                LOG.warn("{} {} did not start again after its update was declined: {}", bundle.getSymbolicName(),
                        bundle.getVersion(), Wording.reason(e));
            }
        }
    }

    private Set<Long> removeNow(Resident resident) throws Declined {
        Bundle bundle = context.getBundle(resident.id());
        if (bundle == null) {
            return Set.of();
        }
        stop(bundle, resident);
        try {
            bundle.uninstall();
        } catch (BundleException e) {
            throw declined("the framework does not let it go", e);
        } catch (IllegalStateException e) {
            return Set.of();
        }
        return refresh(bundle);
    }

    private static void stop(Bundle bundle, Resident resident) {
        try {
            bundle.stop(Bundle.STOP_TRANSIENT);
        } catch (BundleException e) {
            // the framework has taken it down all the same
            LOG.warn("{}: {} did not stop cleanly ({})", Wording.plain(resident.file()), resident.identity(),
                    Wording.reason(e));
        }
    }

    /**
     * Lets the old class loader of a bundle go. Only needed while other bundles are wired to it, and only done if all
     * of these come from the folder too: the platform is never restarted for the sake of a driver. The old content then
     * stays in memory until the platform ends, and nothing else is amiss.
     */
    private Set<Long> refresh(Bundle bundle) {
        if (!wiring.getRemovalPendingBundles().contains(bundle)) {
            return Set.of();
        }
        Set<Long> stopped = new HashSet<>();
        Collection<Bundle> users = wiring.getDependencyClosure(List.of(bundle));
        for (Bundle user : users) {
            if (!user.equals(bundle) && !isDropped(user)) {
                LOG.info("the old content of {} stays loaded, as {} uses it", bundle.getSymbolicName(),
                        user.getSymbolicName());
                return Set.of();
            }
            if (!user.equals(bundle) && isRunning(user)) {
                stopped.add(user.getBundleId());
            }
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        wiring.refreshBundles(List.of(bundle), event -> {
            if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                done.complete(null);
            }
        });
        try {
            CompletableFuture.anyOf(done, closed).get(REFRESH_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("the framework has not refreshed {} in {} s; a bundle that does not stop may hold it up",
                    bundle.getSymbolicName(), REFRESH_SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return stopped;
    }

    @Override
    public Start start(Resident resident) {
        return calls.make(resident.file(), new Purpose(Kind.START, resident.id(), null),
                () -> Result.started(startNow(resident))).map(Result::start).orElseGet(Start.UnderWay::new);
    }

    @Override
    public Set<Long> disturbed() {
        return calls.takeStopped();
    }

    /** Runs on a thread of the file's own. */
    private Start startNow(Resident resident) {
        Bundle bundle = context.getBundle(resident.id());
        if (bundle == null) {
            return new Start.Failed("was uninstalled by hand; touch the file to have it back");
        }
        try {
            if (bundle.getState() == Bundle.INSTALLED && !wiring.resolveBundles(List.of(bundle))) {
                return new Start.Lacking(diagnosis.describe(bundle));
            }
            levels.adjust(bundle);
            levels.settle();
            bundle.start(Bundle.START_TRANSIENT);
            return new Start.Started();
        } catch (BundleException e) {
            return switch (e.getType()) {
                case BundleException.RESOLVE_ERROR -> new Start.Lacking(diagnosis.describe(bundle));
                case BundleException.START_TRANSIENT_ERROR, BundleException.STATECHANGE_ERROR ->
                    new Start.NotNow("cannot be started just now (" + Wording.reason(e) + ")");
                default -> new Start.Failed("did not start: " + cause(e));
            };
        } catch (IllegalStateException e) {
            return new Start.Failed("went away while it was being started");
        } catch (RuntimeException | Error e) {
            LOG.debug("the framework stumbled", e);
            return new Start.Failed("makes the framework stumble (" + Wording.reason(e) + ")");
        }
    }

    private static String cause(BundleException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsupportedClassVersionError) {
                return "it was compiled for a later Java than the " + Runtime.version().feature()
                        + " that runs here; build it with --release " + Runtime.version().feature();
            }
        }
        return "its activator threw " + Wording.reason(e);
    }

    @Override
    public boolean isThere(Resident resident) {
        return context.getBundle(resident.id()) != null;
    }

    @Override
    public boolean isAtWork(Resident resident) {
        Bundle bundle = context.getBundle(resident.id());
        return bundle != null && isRunning(bundle);
    }

    private static boolean isRunning(Bundle bundle) {
        return (bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) != 0;
    }

    @Override
    public Optional<String> holder(Identity identity, long except) {
        for (Bundle bundle : context.getBundles()) {
            if (bundle.getBundleId() != except && identity.symbolicName().equals(bundle.getSymbolicName())
                    && identity.version().equals(bundle.getVersion())) {
                return Optional.of(isDropped(bundle) ? Wording.plain(resident(bundle).file())
                        : "the platform itself (bundle " + bundle.getBundleId() + ")");
            }
        }
        return Optional.empty();
    }

    private Bundle bundle(Resident resident) throws Declined {
        Bundle bundle = context.getBundle(resident.id());
        if (bundle == null) {
            throw Declined.forNow("its bundle was uninstalled by hand in this moment");
        }
        return bundle;
    }

    private static Declined declined(String what, BundleException e) {
        String reason = what + " (" + Wording.reason(e) + ")";
        return switch (e.getType()) {
            case BundleException.STATECHANGE_ERROR, BundleException.READ_ERROR, BundleException.UNSPECIFIED ->
                Declined.forNow(reason);
            default -> Declined.forGood(reason);
        };
    }

    /** What a call does that may be declined. */
    private interface Work {
        Result run() throws Declined;
    }
}

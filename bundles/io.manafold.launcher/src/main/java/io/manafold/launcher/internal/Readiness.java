package io.manafold.launcher.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.EventLog;
import io.manafold.api.lab.Labs;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Waits until the platform is what its lab says: every bundle started, the drop-in folder looked through once, the lab
 * up and every device bound. What a composition does not have is not waited for.
 */
final class Readiness {
    private static final String CONDITION = "org.osgi.service.condition.Condition";
    private static final String SCANNED = "(osgi.condition.id=io.manafold.dropin.scanned)";
    /** The namespace in which a bundle's manifest says which services it registers. */
    private static final String SERVICES = "osgi.service";
    private static final String DROP_IN = "io.manafold.dropin";
    private static final String DEFAULT_LAB = "default";

    private final BundleContext context;
    private final StartLevels levels;
    private final String lab;
    private final long limitNanos;
    private final long start = System.nanoTime();

    /**
     * What came of it.
     *
     * @param missing a sentence for each thing that is not there when the limit has passed
     * @param refused whether a lab was asked for by name or file and could not be brought up
     */
    record Outcome(List<String> missing, boolean refused) {
    }

    /** @param lab the lab that was asked for, or {@code null} */
    Readiness(BundleContext context, StartLevels levels, String lab, Duration limit) {
        this.context = context;
        this.levels = levels;
        this.lab = lab;
        this.limitNanos = limit.toNanos();
    }

    Outcome await() throws InterruptedException {
        List<String> missing = new ArrayList<>();
        if (!levels.await(left())) {
            missing.add("The framework has not started all bundles in " + seconds() + " s.");
        }
        inspectBundles(missing);
        if (started(DROP_IN) && service(CONDITION, SCANNED, Object.class) == null) {
            missing.add("The drivers folder has not been looked through in time; type log for why.");
        }
        boolean refused = settle(missing);
        return new Outcome(missing, refused);
    }

    /** What was kept and could not be read: nothing is missing for it, but the administrator who set it should know. */
    List<String> lost() {
        ServiceReference<EventLog> reference = context.getServiceReference(EventLog.class);
        EventLog events = reference == null ? null : context.getService(reference);
        return events == null ? List.of() : events.recent().stream()
                .filter(event -> event.kind() == DeviceEvent.Kind.SETTINGS_LOST).map(DeviceEvent::sentence).toList();
    }

    /** A service that a bundle of this platform announces; waits for it. Without such a bundle it is {@code null}. */
    <S> S announced(Class<S> type, List<String> missing) throws InterruptedException {
        if (!isAnnounced(type.getName())) {
            return null;
        }
        S service = service(type.getName(), null, type);
        if (service == null) {
            missing.add("The service " + type.getSimpleName() + " has not come in time; the log says why.");
        }
        return service;
    }

    /** A service as soon as there is one. */
    static <S> CompletableFuture<S> first(BundleContext context, Class<S> type) {
        CompletableFuture<S> first = new CompletableFuture<>();
        ServiceTracker<S, S> tracker = new ServiceTracker<>(context, type, null) {
            @Override
            public S addingService(ServiceReference<S> reference) {
                S service = super.addingService(reference);
                first.complete(service);
                return service;
            }
        };
        tracker.open();
        return first;
    }

    private boolean settle(List<String> missing) throws InterruptedException {
        Labs labs = announced(Labs.class, missing);
        boolean refused = false;
        if (labs == null && lab != null) {
            missing.add("This platform has no labs, so that " + lab + " cannot be brought up.");
            refused = true;
        }
        if (labs != null) {
            try {
                labs.up(lab == null ? DEFAULT_LAB : lab);
            } catch (Refusal e) {
                missing.add(e.getMessage());
                refused = lab != null;
            }
        }
        DriverCore core = announced(DriverCore.class, missing);
        if (core != null && !core.settle(left())) {
            missing.add("Drivers are still being probed after " + seconds() + " s; type devices to see which.");
        }
        if (labs != null) {
            missing.addAll(labs.settle(left()));
        }
        return refused;
    }

    /** Looks at the platform's own bundles; what lies in the drivers folder is the drop-in bundle's business. */
    private void inspectBundles(List<String> missing) {
        for (Bundle bundle : context.getBundles()) {
            boolean ours = bundle.getBundleId() <= lastOwn();
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            // without one it has just been uninstalled
            boolean fragment = revision == null || (revision.getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
            boolean started = (bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) != 0;
            if (ours && !fragment && !started && levels.reached(bundle)) {
                missing.add("The bundle " + bundle.getSymbolicName() + " could not start; the log says why.");
            }
        }
    }

    private long lastOwn() {
        return Long.parseLong(System.getProperty(LauncherActivator.LAST_OWN_BUNDLE, "0"));
    }

    private boolean started(String symbolicName) {
        for (Bundle bundle : context.getBundles()) {
            if (symbolicName.equals(bundle.getSymbolicName()) && bundle.getState() == Bundle.ACTIVE) {
                return true;
            }
        }
        return false;
    }

    private boolean isAnnounced(String type) {
        for (Bundle bundle : context.getBundles()) {
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            if (revision == null) {
                // it has just been uninstalled
                continue;
            }
            for (BundleCapability capability : revision.getDeclaredCapabilities(SERVICES)) {
                Object types = capability.getAttributes().get(Constants.OBJECTCLASS);
                if (bundle.getState() == Bundle.ACTIVE && types instanceof Collection<?> all && all.contains(type)) {
                    return true;
                }
            }
        }
        return false;
    }

    private <S> S service(String type, String condition, Class<S> as) throws InterruptedException {
        String filter = "(" + Constants.OBJECTCLASS + "=" + type + ")";
        try {
            ServiceTracker<Object, Object> tracker = new ServiceTracker<>(context,
                    FrameworkUtil.createFilter(condition == null ? filter : "(&" + filter + condition + ")"), null);
            tracker.open();
            try {
                return as.cast(tracker.waitForService(Math.max(1, left().toMillis())));
            } finally {
                tracker.close();
            }
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, limitNanos - (System.nanoTime() - start)));
    }

    private long seconds() {
        return Duration.ofNanos(limitNanos).toSeconds();
    }
}

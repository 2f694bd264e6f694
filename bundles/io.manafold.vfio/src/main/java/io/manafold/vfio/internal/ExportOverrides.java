package io.manafold.vfio.internal;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the functions of exported adapters are overridden to this driver, and no others. The orders are given
 * on a thread of its own, which looks at what is wanted and what has been ordered whenever either may have changed. A
 * function that is still to come is expected at once, on the thread that brings its adapter: the core must know before
 * it sees the function, or the Ethernet driver would be bound first.
 */
@Component(service = ExportOverrides.class)
public final class ExportOverrides {
    private static final Logger LOG = LoggerFactory.getLogger(ExportOverrides.class);
    private static final DriverChoice VFIO = new DriverChoice(VfioDriver.NAME, null);
    private static final long RETRY_MILLIS = 20;
    private static final int RETRIES = 500;
    private static final long AFTER_DEFECT_MILLIS = 100;
    private static final Duration LEAVING = Duration.ofSeconds(20);

    private final DriverCore core;
    private final VfioDriver driver;
    private final Thread thread;

    private final Object lock = new Object();
    private final Set<Export> exports = new LinkedHashSet<>();
    /** Which export each function that is here or will come is meant for. */
    private final Map<String, Export> expected = new HashMap<>();
    private boolean changed;
    private boolean unwanted;
    private boolean ending;
    /** Of this thread alone. */
    private long defects;
    /** Which export each function was ordered for; a copy for those who wait is kept under the lock. */
    private final Map<String, Export> ordered = new HashMap<>();

    /** Functions which the core may not have seen yet, with the orders still to be tried. */
    private final Map<String, Integer> early = new HashMap<>();

    @Activate
    public ExportOverrides(@Reference DriverCore core, @Reference VfioDriver driver) {
        this.core = core;
        this.driver = driver;
        this.thread = Thread.ofPlatform().daemon().name("manafold-vfio-orders").unstarted(this::run);
    }

    @Activate
    void begin() {
        driver.onUnwanted(this::unwanted);
        thread.start();
    }

    @Deactivate
    void end() {
        driver.onUnwanted(() -> { });
        synchronized (lock) {
            ordered.putAll(expected);
            exports.clear();
            ending = true;
            changed = true;
            lock.notifyAll();
        }
        try {
            thread.join(LEAVING);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            thread.interrupt();
        }
    }

    void add(Export export) {
        synchronized (lock) {
            exports.add(export);
        }
        expect();
        look();
    }

    /**
     * To be called when an export's adapter has come or gone. Returns at once; what comes from then on is taken in
     * time.
     */
    void expect() {
        synchronized (lock) {
            Map<String, Export> now = new HashMap<>();
            for (Export export : exports) {
                String function = export.expected();
                if (function != null) {
                    now.putIfAbsent(function, export);
                }
            }
            for (String gone : Set.copyOf(expected.keySet())) {
                if (!now.containsKey(gone)) {
                    forget(gone);
                }
            }
            now.forEach((function, export) -> {
                if (expected.put(function, export) != export && !ordered.containsKey(function)) {
                    driver.lend(function, export);
                    // only takes a note, so the lock may be held
                    core.expect(function, VFIO);
                }
            });
        }
    }

    /** What has been ordered is given back in order instead. */
    private void forget(String function) {
        expected.remove(function);
        if (!ordered.containsKey(function)) {
            driver.withdraw(function);
            core.expect(function, null);
        }
    }

    /** Returns when the export's function has been given back. */
    void remove(Export export) {
        long deadline = System.nanoTime() + LEAVING.toNanos();
        synchronized (lock) {
            // it may have been bound already, and counts as ordered
            expected.forEach((function, one) -> {
                if (one == export) {
                    ordered.putIfAbsent(function, export);
                }
            });
            exports.remove(export);
            changed = true;
            lock.notifyAll();
            try {
                while (ordered.containsValue(export) && thread.isAlive()) {
                    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                    if (left <= 0) {
                        LOG.warn("export {}: its function could not be given back in time", export.name());
                        return;
                    }
                    lock.wait(left);
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** To be called when an export's function has come or gone. Returns at once. */
    void look() {
        synchronized (lock) {
            changed = true;
            lock.notifyAll();
        }
    }

    private void unwanted() {
        synchronized (lock) {
            unwanted = true;
        }
        look();
    }

    private void run() {
        try {
            boolean over = false;
            while (!over) {
                List<Export> wanting;
                boolean sweep;
                synchronized (lock) {
                    if (!changed) {
                        lock.wait(early.isEmpty() ? 0 : RETRY_MILLIS);
                    }
                    changed = false;
                    sweep = unwanted;
                    unwanted = false;
                    over = ending;
                    wanting = List.copyOf(exports);
                }
                over = attempt(wanting, sweep) && over;
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (lock) {
                ordered.clear();
                lock.notifyAll();
            }
        }
    }

    /** A defect costs one attempt, which is made again; without this thread nothing could be lent any more. */
    private boolean attempt(List<Export> wanting, boolean sweep) throws InterruptedException {
        try {
            step(wanting);
            if (sweep && !isEnding()) {
                sweep();
            }
            return true;
        } catch (RuntimeException | Error defect) {
            if (defects++ == 0) {
                LOG.error("functions were not lent or given back because of a defect; it is tried again", defect);
            }
            TimeUnit.MILLISECONDS.sleep(AFTER_DEFECT_MILLIS);
            synchronized (lock) {
                changed = true;
                unwanted |= sweep;
            }
            return isEnding();
        }
    }

    private boolean isEnding() {
        synchronized (lock) {
            return ending;
        }
    }

    private void step(List<Export> wanting) throws InterruptedException {
        Map<String, Export> wanted = new HashMap<>();
        for (Export export : wanting) {
            String function = export.function();
            if (function != null && wanted.putIfAbsent(function, export) != null) {
                export.problem("its adapter '" + export.adapter() + "' is lent by the export '"
                        + wanted.get(function).name() + "' already");
            }
        }
        for (Map.Entry<String, Export> entry : Map.copyOf(ordered).entrySet()) {
            if (wanted.get(entry.getKey()) != entry.getValue()) {
                giveBack(entry.getKey());
            }
        }
        early.keySet().retainAll(wanted.keySet());
        for (Map.Entry<String, Export> entry : wanted.entrySet()) {
            if (!ordered.containsKey(entry.getKey())) {
                take(entry.getKey(), entry.getValue());
            }
        }
    }

    private void take(String function, Export export) throws InterruptedException {
        int tries = early.merge(function, 1, Integer::sum);
        if (tries < RETRIES && !known(function)) {
            return;
        }
        early.remove(function);
        synchronized (lock) {
            ordered.put(function, export);
        }
        driver.lend(function, export);
        try {
            core.override(function, VFIO);
        } catch (Refusal refusal) {
            export.problem(refusal.getMessage());
            LOG.warn("export {}: {}", export.name(), refusal.getMessage());
        }
    }

    /** The core hears of services as we do, perhaps a moment later. */
    private boolean known(String function) {
        return core.devices().stream().anyMatch(device -> device.id().equals(function))
                && core.drivers().stream().anyMatch(one -> one.name().equals(VfioDriver.NAME));
    }

    private void giveBack(String function) throws InterruptedException {
        driver.withdraw(function);
        if (!allowsOthers(function)) {
            // it went away in the middle of the order; the override is still there to be forgotten
            allowsOthers(function);
        }
        synchronized (lock) {
            ordered.remove(function);
            expected.remove(function);
            lock.notifyAll();
        }
        // it may come again, and another export may be waiting for it
        expect();
    }

    private boolean allowsOthers(String function) throws InterruptedException {
        try {
            core.override(function, null);
        } catch (Refusal refusal) {
            if (refusal.errno() == Errno.ENODEV) {
                return false;
            }
            LOG.warn("{} was not given back in order: {}", function, refusal.getMessage());
        }
        return true;
    }

    /** Overrides to this driver outlive a platform that was killed; without an export they only keep others away. */
    private void sweep() throws InterruptedException {
        core.settle(Duration.ofSeconds(5));
        for (DeviceStatus device : core.devices()) {
            boolean ours = device.override().filter(choice -> choice.name().equals(VfioDriver.NAME)).isPresent();
            if (ours && !ordered.containsKey(device.id())) {
                LOG.info("the override of {} to {} is taken back: no export lends it", device.id(), VfioDriver.NAME);
                giveBack(device.id());
            }
        }
    }
}

package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Adapter.DriverFeature;
import io.manafold.api.adapter.Adapter.ResetKind;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A reset that an adapter's driver is asked for, up to its end: the driver has begun anew, has taken the Ethernet
 * device again, and the network devices of this platform that had a carrier have it again.
 */
final class AwaitedReset {
    private static final double MILLI = 1e6;

    /**
     * What came back.
     *
     * @param driver that the function is bound to here, with its version
     * @param system that the driver says it runs on
     * @param devices the network devices here that are back
     * @param nanos from the request to the end
     */
    record End(String adapter, Optional<String> driver, Optional<String> system, List<String> devices, long nanos) {
        void print(Call call) {
            if (call.json()) {
                call.print(Fields.of("adapter", adapter).and("driver", driver).and("system", system)
                        .and("devices", devices).and("back_ms", nanos / MILLI));
            } else {
                call.out().println(sentence());
            }
        }

        private String sentence() {
            return String.format(Locale.ROOT, "%s is back after %.1f ms: %s%s%s", adapter, nanos / MILLI,
                    driver.orElse("its driver"), system.map(name -> " of " + name).orElse(""),
                    devices.isEmpty() ? "" : ", with " + String.join(", ", devices));
        }
    }

    private final Topology topology;
    private final Adapter adapter;
    private final ResetKind kind;
    private final long limit;

    /** @param limit how long the end is waited for, in nanoseconds */
    AwaitedReset(Topology topology, Adapter adapter, ResetKind kind, long limit) {
        this.topology = topology;
        this.adapter = adapter;
        this.kind = kind;
        this.limit = limit;
    }

    /**
     * Asks for it and waits.
     *
     * @throws Refusal what the adapter refuses, {@code ENODEV} if it goes meanwhile, {@code ETIMEDOUT} if the driver
     *         does not come back
     */
    End run() throws InterruptedException {
        List<String> carriers = topology.devicesOf(adapter).stream().filter(NetDevice::hasCarrier)
                .map(NetDevice::name).sorted().toList();
        long sessions = adapter.sessions();
        long begin = System.nanoTime();
        adapter.requestReset(kind);
        while (!isBack(sessions) || !missing(carriers).isEmpty()) {
            checkThere();
            if (System.nanoTime() - begin > limit) {
                throw new Refusal(Errno.ETIMEDOUT, late(sessions, carriers));
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return new End(adapter.name(), topology.driver(adapter), adapter.driverSystem(), carriers,
                System.nanoTime() - begin);
    }

    private boolean isBack(long before) {
        return adapter.sessions() > before && adapter.state().equals("running");
    }

    /** One that an administrator sets down meanwhile is not waited for. */
    private List<String> missing(List<String> carriers) {
        List<String> missing = new ArrayList<>(carriers);
        topology.devicesOf(adapter).stream().filter(one -> one.hasCarrier() || !one.isUp())
                .forEach(one -> missing.remove(one.name()));
        return missing;
    }

    private void checkThere() {
        boolean gone = topology.adapters().stream().noneMatch(one -> one == adapter);
        if (gone || adapter.state().equals("revoked")) {
            throw new Refusal(Errno.ENODEV, "The adapter " + adapter.name() + (gone ? " has gone" : " was revoked")
                    + " while its driver was being waited for; what becomes of the reset is not known."
                    + (gone ? "" : " 'servicing restore " + adapter.name() + "' puts it back."));
        }
    }

    private String late(long sessions, List<String> carriers) {
        String name = adapter.name();
        String within = " within " + Quantity.showTime(limit);
        String again = " Look at 'events' and 'log'; unbind and bind " + adapter.address() + " to have its driver "
                + "begin anew, or wait longer with --limit.";
        if (isBack(sessions)) {
            return "The driver of " + name + " is back, but not all of its network devices have a carrier" + within
                    + ": " + String.join(", ", missing(carriers)) + "." + again;
        }
        if (!adapter.state().equals("running")) {
            return "The driver of " + name + " has let it go and has not come back" + within + ": the adapter is "
                    + adapter.state() + "." + again;
        }
        DriverFeature needed = kind == ResetKind.RESET ? DriverFeature.SELF_RESET : DriverFeature.RECONFIGURATION;
        return "The driver of " + name + " was asked for a reset and has not begun one" + within
                + (adapter.driverFeatures().contains(needed) ? "."
                : ": it has not said in its handshake that it does so when it is asked.") + again;
    }
}

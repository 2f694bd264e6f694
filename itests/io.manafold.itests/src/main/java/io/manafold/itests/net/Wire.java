package io.manafold.itests.net;

import static org.assertj.core.api.Assertions.fail;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.Shapers;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestLab;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;

/**
 * An adapter with two ports on one switch, the Ethernet driver on it, and traffic between the two devices that goes on
 * whenever they come back.
 */
public final class Wire implements AutoCloseable {
    public static final String ADDRESS = "7870:00:00.0";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final MacAddress[] MACS = {MacAddress.parse("00:0d:3a:10:00:01"),
            MacAddress.parse("00:0d:3a:10:00:02")};

    private final Platform platform;
    private final BundleContext context;
    private final TestLab lab;
    private Bundle driver;
    private final Flow[] flows;
    private final ServiceListener listener = this::changed;

    /** @param keep how many frames each end holds back */
    public Wire(Platform platform, Path folder, int keep) throws Exception {
        this(platform, folder, keep, "full");
    }

    /** @param limits what limits drivers can set, as in {@code shapers: parity} */
    public Wire(Platform platform, Path folder, int keep, String limits) throws Exception {
        this.platform = platform;
        context = platform.context();
        lab = new TestLab(platform, folder, "wire", """
                adapters:
                  - name: wire
                    address: %s
                    ports: 2
                    macs: [%s, %s]
                    queues: 8
                    shapers: %s
                links:
                  - name: between
                    ports: [wire/1, wire/2]
                """.formatted(ADDRESS, MACS[0], MACS[1], limits));
        flows = new Flow[] {new Flow("left", MACS[1], keep), new Flow("right", MACS[0], keep)};
        context.addServiceListener(listener, "(objectClass=" + NetDevice.class.getName() + ")");
        driver = context.installBundle("test:ethernet", EthernetBundle.version("1.0.0"));
        driver.start();
        await("both devices are there", () -> device(1) != null && device(2) != null);
    }

    private void changed(ServiceEvent event) {
        if (!ADDRESS.equals(event.getServiceReference().getProperty("address"))) {
            return;
        }
        Flow flow = flows[(Integer) event.getServiceReference().getProperty("port") - 1];
        if (event.getType() == ServiceEvent.REGISTERED) {
            flow.attach((NetDevice) context.getService(event.getServiceReference()));
        } else if (event.getType() == ServiceEvent.UNREGISTERING) {
            flow.detach();
            context.ungetService(event.getServiceReference());
        }
    }

    /** Has a device send no more than so many bits in a second; 0 takes the limit away again. */
    public void limit(NetDevice device, long bits) {
        Map<String, Object> whose = Map.of("ifindex", (long) device.index(), "handle", Map.of("scope", "netdev"));
        if (bits == 0) {
            shapers().perform("delete", whose);
        } else {
            shapers().perform("set", Map.of("ifindex", whose.get("ifindex"), "handle", whose.get("handle"), "metric",
                    "bps", "bw-max", bits));
        }
    }

    /** Whether the adapter holds a device to a limit. */
    public boolean isLimited(NetDevice device) {
        return shapers().status(device.name()).stream().anyMatch(one -> one.handle().equals(ShaperHandle.NETDEV));
    }

    /** The limits of this platform's devices. */
    public Shapers shapers() {
        try {
            return context.getService(context.getServiceReferences(Shapers.class, "(place=platform)").iterator()
                    .next());
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The device of a port at this moment, or {@code null}. */
    public NetDevice device(int port) {
        return device(context, ADDRESS, port);
    }

    /** The device of a function's port at this moment, or {@code null}. */
    public static NetDevice device(BundleContext context, String address, int port) {
        try {
            for (ServiceReference<NetDevice> one : context.getServiceReferences(NetDevice.class,
                    "(&(address=" + address + ")(port=" + port + "))")) {
                return context.getService(one);
            }
            return null;
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public Bundle driver() {
        return driver;
    }

    /** Replaces the driver where it is. */
    public void update(String version) throws Exception {
        InputStream next = EthernetBundle.version(version);
        forgetPauses();
        driver.update(next);
    }

    /** Has a newer version take over from the driver, which then goes. */
    public void takeOver(String version) throws Exception {
        InputStream next = EthernetBundle.version(version);
        forgetPauses();
        Bundle newer = context.installBundle("test:ethernet-" + version, next);
        newer.start();
        platform.assertBound(ADDRESS, "ethernet " + version);
        driver.uninstall();
        driver = newer;
    }

    private void forgetPauses() {
        for (Flow flow : flows) {
            flow.forgetPause();
        }
    }

    public Flow flow(int port) {
        return flows[port - 1];
    }

    public Adapter adapter() {
        return platform.service(Adapter.class);
    }

    /** Waits until frames arrive at both ends. */
    public void flows(String when) {
        for (Flow flow : flows) {
            long before = flow.received();
            await("frames arrive " + when, () -> flow.received() > before);
        }
    }

    public static void await(String what, BooleanSupplier condition) {
        await(what, condition, () -> "");
    }

    /** The same, and tells how things are when it fails. */
    public static void await(String what, BooleanSupplier condition, Supplier<?> state) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - giveUp >= 0) {
                fail("waiting until " + what + "; " + state.get());
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }

    @Override
    public void close() throws Exception {
        driver.uninstall();
        context.removeServiceListener(listener);
        for (Flow flow : flows) {
            flow.releaseKept();
        }
        lab.close();
    }
}

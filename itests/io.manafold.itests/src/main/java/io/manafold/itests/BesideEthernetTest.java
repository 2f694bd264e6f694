package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.DriverCore;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestLab;
import io.manafold.itests.net.Echo;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.Wire;
import io.manafold.itests.raw.RawBundle;
import io.manafold.itests.script.Exchange;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.wiring.BundleWiring;

/**
 * A driver beside the Ethernet driver, on the same function: it has port 2, with queues, keys, a doorbell page and a
 * block of memory of its own, and exchanges frames with the network device of port 1 while others travel between ports
 * 3 and 4.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class BesideEthernetTest {
    static final String ADDRESS = "7870:00:00.0";
    private static final String PART = "mana.eth.0";
    private static final long FRAMES = Long.getLong("manafold.beside.frames", 1_000_000);
    private static final int RESETS = Integer.getInteger("manafold.beside.resets", 20);
    private static final int SWAPS = Integer.getInteger("manafold.beside.swaps", 10);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final Echo echo = new Echo();
    private final ServiceListener listener = this::changed;
    private BundleContext context;
    private TestLab lab;
    private Flow third;
    private Flow fourth;
    private Bundle ethernet;
    private Bundle raw;

    @BeforeEach
    void begin() throws Exception {
        context = platform.context();
        lab = new TestLab(platform, folder, "beside", lab());
        third = new Flow("third", MacAddress.parse("00:0d:3a:20:00:04"), 0);
        fourth = new Flow("fourth", MacAddress.parse("00:0d:3a:20:00:03"), 0);
        context.addServiceListener(listener, "(objectClass=" + NetDevice.class.getName() + ")");
        ethernet = context.installBundle("test:ethernet-beside", EthernetBundle.version("1.0.0"));
        ethernet.start();
        DriverCore core = platform.service(DriverCore.class);
        Wire.await("the function is driven",
                () -> core.devices().stream().anyMatch(device -> device.id().equals(PART)),
                () -> core.devices() + "; what happened: " + platform.events().recent());
    }

    @AfterEach
    void end() throws Exception {
        if (raw != null && raw.getState() != Bundle.UNINSTALLED) {
            raw.uninstall();
        }
        ethernet.uninstall();
        context.removeServiceListener(listener);
        lab.close();
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }

    /** The lab of this platform. */
    String lab() throws Exception {
        return adapterAt(ADDRESS);
    }

    static String adapterAt(String address) {
        return """
                adapters:
                  - name: beside
                    address: %s
                    ports: 4
                    macs: ["00:0d:3a:20:00:01", "00:0d:3a:20:00:02", "00:0d:3a:20:00:03", "00:0d:3a:20:00:04"]
                links:
                  - name: between
                    ports: [beside/1, beside/2, beside/3, beside/4]
                """.formatted(address);
    }

    /** The adapter asks for a reset. */
    void requestReset() throws Exception {
        platform.service(Adapter.class).requestReset(Adapter.ResetKind.RESET);
    }

    /** How many requests the adapter has refused. */
    int rejections() throws Exception {
        return platform.service(Adapter.class).rejections().size();
    }

    /** What the adapter holds, by name. */
    Map<String, Long> usage() throws Exception {
        return platform.service(Adapter.class).usage();
    }

    private void changed(ServiceEvent event) {
        if (!ADDRESS.equals(event.getServiceReference().getProperty("address"))) {
            return;
        }
        int port = (Integer) event.getServiceReference().getProperty("port");
        Flow flow = port == 3 ? third : port == 4 ? fourth : null;
        if (event.getType() == ServiceEvent.REGISTERED) {
            NetDevice device = (NetDevice) context.getService(event.getServiceReference());
            if (port == 1) {
                echo.attach(device);
            } else if (flow != null) {
                flow.attach(device);
            }
        } else if (event.getType() == ServiceEvent.UNREGISTERING) {
            if (port == 1) {
                echo.detach();
            } else if (flow != null) {
                flow.detach();
            }
            context.ungetService(event.getServiceReference());
        }
    }

    private void startRaw() throws Exception {
        raw = context.installBundle("test:raw", RawBundle.jar());
        raw.start();
        platform.assertBound(PART, "raw 0.0.0");
    }

    private void returns(String when, long frames) {
        long before = platform.service(Exchange.class).returned();
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        Wire.await("frames come back " + when, () -> platform.service(Exchange.class).returned() > before
                || System.nanoTime() > giveUp);
        while (platform.service(Exchange.class).returned() - before < frames) {
            assertThat(System.nanoTime()).as("time for %d frames %s", frames, when).isLessThan(giveUp);
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    @Test
    void framesPassWhileOthersTravel() throws Exception {
        startRaw();
        long others = third.received();
        Exchange exchange = platform.service(Exchange.class);
        // some were sent before the other end was there
        returns("at first", 1000);
        long lost = exchange.lost();
        returns("while others travel", FRAMES);
        assertThat(exchange.wrong()).as("frames that came back otherwise").isZero();
        assertThat(exchange.lost()).as("frames that did not come back").isEqualTo(lost);
        assertThat(third.received() - others).as("frames between ports 3 and 4 meanwhile").isPositive();
        assertThat(third.damaged() + fourth.damaged()).isZero();
        assertThat(platform.service(MemorySource.class).blocks().getFirst().holders()).isEqualTo(Map.of("maker", 1,
                PART + " of " + ADDRESS, 1));
        raw.uninstall();
        assertThat(rejections()).isZero();
        assertThat(usage()).containsEntry("memory_regions", 0L)
                .containsEntry("doorbell_pages", 0L).containsEntry("protection_domains", 2L);
    }

    @Test
    void resetsReplacementsAndRestartsLeaveNothingBehind() throws Exception {
        Footprint footprint = new Footprint(context);
        startRaw();
        for (int i = 0; i < RESETS; i++) {
            returns("before reset " + i, 100);
            requestReset();
            returns("after reset " + i, 100);
        }
        for (int i = 1; i <= SWAPS; i++) {
            footprint.watch(ethernet.adapt(BundleWiring.class).getClassLoader());
            ethernet.update(EthernetBundle.version("1." + i + ".0"));
            platform.assertBound(ADDRESS, "ethernet 1." + i + ".0");
            platform.assertBound(PART, "raw 0.0.0");
            returns("after swap " + i, 100);
            if (i % 5 == 0) {
                footprint.watch(raw.adapt(BundleWiring.class).getClassLoader());
                raw.update(RawBundle.jar());
                platform.assertBound(PART, "raw 0.0.0");
                returns("after its own restart", 100);
            }
        }
        assertThat(platform.service(Exchange.class).wrong()).isZero();
        assertThat(third.damaged() + fourth.damaged()).isZero();
        footprint.watch(raw.adapt(BundleWiring.class).getClassLoader());
        raw.uninstall();
        platform.assertFree(PART);
        assertThat(usage()).containsEntry("memory_regions", 0L).containsEntry("doorbell_pages", 0L)
                .containsEntry("protection_domains", 2L);
        assertThat(platform.service(MemorySource.class).blocks()).isEmpty();
        for (NetDevice device : List.of(device(1), device(3))) {
            assertThat(device.pools()).as("pools of %s", device.name()).noneMatch(pool -> pool.closing());
        }
        Footprint.Figures none = new Footprint.Figures(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1);
        assertThat(footprint.measureAgainst(none).loaders()).as("class loaders of what was replaced")
                .isLessThanOrEqualTo(1);
    }

    private NetDevice device(int port) throws Exception {
        return context.getService(context.getServiceReferences(NetDevice.class,
                "(&(address=" + ADDRESS + ")(port=" + port + "))").iterator().next());
    }
}

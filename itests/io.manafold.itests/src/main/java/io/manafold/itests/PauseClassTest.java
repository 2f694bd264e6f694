package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestLab;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Marked;
import io.manafold.itests.net.Wire;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/**
 * Two devices send to a third over a link that pauses class 3: of that class nothing is lost, of another one much is.
 */
@OneFramework
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PauseClassTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final MacAddress RECEIVER = MacAddress.parse("00:0d:3a:30:00:03");
    /** So many of both together are more than what leaves and waits while they are sent. */
    private static final int PACKETS = 1000;

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private TestLab lab;
    private Bundle driver;

    @BeforeEach
    void begin() throws Exception {
        lab = new TestLab(platform, folder, "paused", """
                adapters:
                  - name: paused
                    address: %s
                    ports: 3
                    macs: ["00:0d:3a:30:00:01", "00:0d:3a:30:00:02", "%s"]
                links:
                  - name: narrow
                    ports: [paused/1, paused/2, paused/3]
                    rate: 50mbit
                    buffer: 256kib
                    pfc: [3]
                    pfc-xoff: 8kib
                    pfc-xon: 4kib
                """.formatted(ADDRESS, RECEIVER));
        driver = platform.context().installBundle("test:ethernet-paused", EthernetBundle.version("1.0.0"));
        driver.start();
        Wire.await("the devices are there", () -> device(1) != null && device(2) != null && device(3) != null);
        Wire.await("they are up", () -> device(1).hasCarrier() && device(2).hasCarrier() && device(3).hasCarrier());
    }

    @AfterEach
    void end() throws Exception {
        driver.uninstall();
        lab.close();
    }

    private NetDevice device(int port) {
        return Wire.device(platform.context(), ADDRESS, port);
    }

    /** What the queue in front of the receiver has counted since. */
    private QueueStatus send(int dscp) {
        Link link = platform.service(Link.class);
        long before = link.status().counters().get("frames");
        try (Marked one = new Marked(device(1), RECEIVER, dscp, PACKETS);
                Marked other = new Marked(device(2), RECEIVER, dscp, PACKETS)) {
            Wire.await("all is sent", () -> one.open() == 0 && other.open() == 0
                    && link.status().counters().get("frames") - before >= 2 * PACKETS && queue(link).bytes() == 0);
        }
        return queue(link);
    }

    private static QueueStatus queue(Link link) {
        return link.status().queues().stream().filter(queue -> queue.port().equals("paused/3")).findAny().orElseThrow();
    }

    @Test
    void whatIsPausedIsNotLost() {
        // the two may have been given their time one after the other: then there was nothing to pause
        Wire.await("packets of class 3 are paused", () -> {
            assertThat(send(24).dropped()).as("packets of class 3").isZero();
            assertThat(send(31).dropped()).as("packets of class 3").isZero();
            return platform.service(Link.class).status().queues().stream().mapToLong(QueueStatus::pauses).sum() > 0;
        });
        Wire.await("packets of class 4, which nothing pauses, are lost", () -> send(32).dropped() > 0);
    }
}

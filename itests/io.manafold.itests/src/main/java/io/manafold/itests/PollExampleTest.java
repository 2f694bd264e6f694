package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestLab;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.Wire;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** The example for poll mode forwards between two stations, and gives back what it has. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PollExampleTest {
    private static final MacAddress EVERYONE = MacAddress.parse("ff:ff:ff:ff:ff:ff");

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final BundleContext context = platform.context();

    private NetDevice device(String name) {
        try {
            for (ServiceReference<NetDevice> one : context.getServiceReferences(NetDevice.class, "(name=" + name
                    + ")")) {
                return context.getService(one);
            }
            return null;
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private int ports() {
        try {
            return context.getServiceReferences(EthDev.class, null).size();
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The lab with an adapter for the example, and more. */
    private static String lab(String more) {
        return """
                adapters:
                  - name: middle
                    address: 7870:00:00.0
                    ports: 2
                """ + more;
    }

    @Test
    void framesPassBothWaysAndPortsComeBack() throws Exception {
        // alone first, so that its devices have the names that the example knows
        TestLab lab = new TestLab(platform, folder, "forward", lab(""));
        Bundle ethernet = context.installBundle("test:ethernet-forward", EthernetBundle.version("1.0.0"));
        Bundle rdma = context.installBundle("test:rdma-forward", DriverJar.version("rdma", "1.0.0"));
        Bundle example = context.installBundle("test:example-forward", DriverJar.version("example.pmd", "1.0.0"));
        Flow near = new Flow("near", EVERYONE, 0);
        Flow far = new Flow("far", EVERYONE, 0);
        try {
            // told of its last device perhaps before the poll-mode driver is, on the same thread
            example.start();
            ethernet.start();
            rdma.start();
            Wire.await("the devices of the example are there", () -> device("mana0") != null
                    && device("mana1") != null);
            Wire.await("both ports are taken", () -> ports() == 2);
            lab.change(lab("""
                      - name: near
                        address: 7870:00:01.0
                      - name: far
                        address: 7870:00:02.0
                    links:
                      - name: one
                        kind: direct
                        ports: [middle/1, near/1]
                      - name: other
                        kind: direct
                        ports: [middle/2, far/1]
                    """));
            Wire.await("the stations are there", () -> device("mana2") != null && device("mana3") != null);
            near.attach(device("mana2"));
            far.attach(device("mana3"));
            Wire.await("frames arrive at both ends", () -> near.received() > 1000 && far.received() > 1000);
            assertThat(near.damaged() + far.damaged()).as("frames that are not as they were sent").isZero();
            example.stop();
            assertThat(ports()).isZero();
            device("mana0").setUp(true);
            Wire.await("the network stack has its port again", () -> device("mana0").hasCarrier());
        } finally {
            near.detach();
            far.detach();
            for (Bundle bundle : List.of(example, rdma, ethernet)) {
                bundle.uninstall();
            }
            lab.close();
        }
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }
}

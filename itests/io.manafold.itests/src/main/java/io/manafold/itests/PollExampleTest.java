package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.lab.Labs;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

/** The example for poll mode forwards between two stations, whose addresses its ports bear, and gives back what it has. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PollExampleTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final MacAddress NEAR = MacAddress.parse("00:0d:3a:31:00:01");
    private static final MacAddress FAR = MacAddress.parse("00:0d:3a:31:00:02");

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final BundleContext context = platform.context();

    private NetDevice device(String name) {
        try {
            for (ServiceReference<NetDevice> one : context.getServiceReferences(NetDevice.class, "(name=" + name + ")")) {
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

    @Test
    void framesPassBothWaysAndPortsComeBack() throws Exception {
        platform.folder(folder);
        Path lab = Files.writeString(folder.resolve("forward.yaml"), """
                adapters:
                  - name: middle
                    address: 7870:00:00.0
                    ports: 2
                    macs: ["%2$s", "%1$s"]
                  - name: near
                    address: 7870:00:01.0
                    macs: ["%1$s"]
                  - name: far
                    address: 7870:00:02.0
                    macs: ["%2$s"]
                links:
                  - name: one
                    kind: direct
                    ports: [middle/1, near/1]
                  - name: other
                    kind: direct
                    ports: [middle/2, far/1]
                devices:
                  - name: mana0
                    on: middle/1
                  - name: mana1
                    on: middle/2
                  - name: mana2
                    on: near/1
                  - name: mana3
                    on: far/1
                """.formatted(NEAR, FAR));
        Labs labs = platform.service(Labs.class);
        labs.up(lab.toString());
        Bundle ethernet = context.installBundle("test:ethernet-forward", EthernetBundle.version("1.0.0"));
        Bundle rdma = context.installBundle("test:rdma-forward", DriverJar.version("rdma", "1.0.0"));
        Bundle example = context.installBundle("test:example-forward", DriverJar.version("example.pmd", "1.0.0"));
        Flow near = new Flow("near", FAR, 0);
        Flow far = new Flow("far", NEAR, 0);
        try {
            ethernet.start();
            rdma.start();
            example.start();
            Wire.await("both ports are taken", () -> ports() == 2);
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
            labs.down("forward");
            labs.settle(PATIENCE);
        }
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }
}

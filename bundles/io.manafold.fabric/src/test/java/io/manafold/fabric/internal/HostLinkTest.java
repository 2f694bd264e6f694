package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.PauseFrame;
import io.manafold.testkit.Namespace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port against the network stack of the host. */
@Timeout(120)
class HostLinkTest {
    private static final long OURS = 0x000d3a0000aaL;
    private static final byte[] OUR_ADDRESS = {10, 77, 9, 2};

    @BeforeEach
    void onlyWhereItCanBe() {
        assumeTrue("root".equals(System.getProperty("user.name")), "tap devices and packet sockets need root");
        assumeTrue(Namespace.isThere("ip") && Namespace.isThere("bash"), "the commands ip and bash are needed");
    }

    private static FabricLink link(LinkPlan.Kind kind, String hostInterface) {
        return FabricLink.open(new LinkPlan("host", kind, List.of("one/1"), hostInterface, Impairments.NONE));
    }

    private static Namespace namespace(String prefix) throws Exception {
        assumeTrue(Namespace.isAllowed(), "this kernel or container makes no network namespaces");
        return new Namespace(prefix);
    }

    private static String name(String prefix) {
        return prefix + ProcessHandle.current().pid() % 1_000_000;
    }

    @Test
    void theHostsStackTalksThroughATap() throws Exception {
        String tap = name("mft");
        try (Namespace host = namespace("mft"); FabricLink link = link(LinkPlan.Kind.TAP, tap);
                Station station = Station.on(link, "one/1")) {
            assertThat(Namespace.run("ip", "link", "show", "dev", tap)).contains("UP");
            Namespace.run("ip", "link", "set", tap, "netns", host.name());
            inNamespace(host, tap);
            udpFromHost(host, station);
            udpToHost(host, station);
            assertThat(link.status().ports()).extracting(port -> port.name()).containsExactly("one/1", tap);
            assertThat(link.status().ports().get(1).txFrames()).isPositive();
            assertThat(link.status().problems()).isEmpty();
        }
    }

    @Test
    void aWireIsReachedThroughAPacketSocket() throws Exception {
        String near = name("mfv");
        try (Namespace host = namespace("mfp")) {
            Namespace.run("ip", "link", "add", near, "type", "veth", "peer", "name", "far", "netns", host.name());
            Namespace.run("ip", "link", "set", near, "up");
            try (FabricLink link = link(LinkPlan.Kind.PACKET, near); Station station = Station.on(link, "one/1")) {
                inNamespace(host, "far");
                udpFromHost(host, station);
                udpToHost(host, station);
                assertThat(link.status().problems()).isEmpty();
                Namespace.run("ip", "link", "set", near, "down");
                while (link.status().problems().isEmpty()) {
                    Thread.onSpinWait();
                }
                assertThat(link.status().problems()).asString().contains(near).contains("down");
                station.send(Station.frame(1, OURS, 1, 60));
                while (link.status().counters().get("host.refused") == 0) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static void inNamespace(Namespace host, String device) throws Exception {
        host.inside("ip", "addr", "add", "10.77.9.1/24", "dev", device);
        host.inside("ip", "link", "set", "lo", "up");
        host.inside("ip", "link", "set", device, "up");
        host.inside("ip", "neigh", "replace", "10.77.9.2", "lladdr", "00:0d:3a:00:00:aa", "dev", device);
    }

    /** A datagram of the host arrives with a whole checksum, whatever the host leaves to its hardware. */
    private static void udpFromHost(Namespace host, Station station) throws Exception {
        host.inside("bash", "-c", "echo -n 'from the host!' > /dev/udp/10.77.9.2/7777");
        Headers headers = new Headers();
        while (true) {
            byte[] frame = station.next();
            assertThat(frame).isNotNull();
            if (!headers.parse(frame, 0, frame.length, frame.length) || !headers.isUdp() || !headers.isIpv4()) {
                continue;
            }
            assertThat(new String(frame, headers.payload(), 14, StandardCharsets.UTF_8)).isEqualTo("from the host!");
            long sum = InternetChecksum.pseudoHeader(frame, headers.addresses(), headers.addressBytes(), 17,
                    headers.transportLength());
            assertThat(InternetChecksum.isGood(
                    InternetChecksum.add(sum, frame, headers.transport(), headers.transportLength()))).isTrue();
            return;
        }
    }

    /** What a port sends is received by a socket of the host. */
    private static void udpToHost(Namespace host, Station station) throws Exception {
        String before = snmp(host);
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        byte[] datagram = datagram(hostAddress(station, host));
        Thread asking = Thread.ofVirtual().start(() -> {
            try {
                while (snmp(host).equals(before)) {
                    station.send(datagram);
                }
                arrived.complete(null);
            } catch (Exception failed) {
                arrived.completeExceptionally(failed);
            }
        });
        arrived.get(30, java.util.concurrent.TimeUnit.SECONDS);
        asking.join();
    }

    /** Datagrams for a port where no program listens, as the host's stack counts them once their checksum was right. */
    private static String snmp(Namespace host) throws Exception {
        String[] lines = host.inside("cat", "/proc/net/snmp").split("\n");
        String[] counts = Arrays.stream(lines).filter(line -> line.startsWith("Udp:")).toList().get(1).split(" ");
        return counts[2];
    }

    private static byte[] hostAddress(Station station, Namespace host) throws Exception {
        String shown = host.inside("ip", "-o", "link", "show", "scope", "global");
        String device = host.inside("ip", "-o", "addr", "show", "to", "10.77.9.1").split("\\s+")[1];
        String line = Arrays.stream(shown.split("\n")).filter(one -> one.contains(" " + device)).findFirst()
                .orElseGet(() -> shown);
        String text = line.substring(line.indexOf("link/ether ") + 11).split(" ")[0];
        byte[] address = new byte[6];
        for (int i = 0; i < 6; i++) {
            address[i] = (byte) Integer.parseInt(text.split(":")[i], 16);
        }
        assertThat(station.name()).isEqualTo("one/1");
        return address;
    }

    private static byte[] datagram(byte[] to) {
        byte[] text = "to the host".getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 8 + text.length);
        frame.put(to).putShort((short) (OURS >>> 32)).putInt((int) OURS).putShort((short) 0x0800);
        frame.put((byte) 0x45).put((byte) 0).putShort((short) (28 + text.length)).putInt(0);
        frame.put((byte) 64).put((byte) 17).putShort((short) 0).put(OUR_ADDRESS).put(new byte[] {10, 77, 9, 1});
        frame.putShort((short) 5555).putShort((short) 4444).putShort((short) (8 + text.length)).putShort((short) 0);
        frame.put(text);
        byte[] bytes = frame.array();
        frame.putShort(24, (short) InternetChecksum.finish(InternetChecksum.add(0, bytes, 14, 20)));
        long sum = InternetChecksum.pseudoHeader(bytes, 26, 8, 17, 8 + text.length);
        frame.putShort(40, (short) InternetChecksum.finishUdp(InternetChecksum.add(sum, bytes, 34, 8 + text.length)));
        return bytes;
    }

    /** Its sender has written it after the link had looked, by the header before it. */
    @Test
    void noPauseFrameOfAPortReachesTheHost() throws Exception {
        String tap = name("mfq");
        try (FabricLink link = link(LinkPlan.Kind.TAP, tap); Station station = Station.on(link, "one/1")) {
            byte[] pause = new byte[PauseFrame.LENGTH];
            PauseFrame.write(pause, 0, OURS, 0xff, 0);
            long before = received(tap);
            station.repeating = true;
            station.send(Station.frame(1, OURS, 1, 60), pause, Station.frame(1, OURS, 2, 60));
            while (received(tap) - before + link.status().counters().get("filtered") < 3) {
                Thread.onSpinWait();
            }
            assertThat(link.status().counters()).containsEntry("filtered", 1L);
            assertThat(received(tap) - before).isEqualTo(2);
            assertThat(link.status().counters()).containsEntry("host.refused", 0L);
        }
    }

    /** How many frames the host has of an interface. */
    private static long received(String device) throws Exception {
        return Files.readAllLines(Path.of("/proc/net/dev")).stream().map(String::strip)
                .filter(line -> line.startsWith(device + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(device.length() + 1).strip().split(" +")[1]))
                .findFirst().orElseThrow();
    }

    @Test
    void whatIsNotThereIsRefusedWithAReason() {
        assertThatThrownBy(() -> link(LinkPlan.Kind.PACKET, "nosuchif0")).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV)).hasMessageContaining("nosuchif0")
                .hasMessageContaining("ip link");
        assertThatThrownBy(() -> link(LinkPlan.Kind.TAP, "lo")).isInstanceOf(Refusal.class)
                .hasMessageContaining("lo");
    }

    @Test
    void aTapIsUsedOnceAndGoesWithItsLink() throws Exception {
        String tap = name("mfu");
        try (FabricLink link = link(LinkPlan.Kind.TAP, tap)) {
            assertThatThrownBy(() -> link(LinkPlan.Kind.TAP, tap)).isInstanceOfSatisfying(Refusal.class,
                    refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY));
            assertThat(link.status().kind()).isEqualTo("tap");
        }
        assertThatThrownBy(() -> Namespace.run("ip", "link", "show", "dev", tap)).hasMessageContaining(tap);
        link(LinkPlan.Kind.TAP, tap).close();
    }
}

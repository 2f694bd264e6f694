package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What each mode of testpmd makes of packets, on the cable between two ports of an adapter, as tshark reads it. */
@Timeout(300)
class PollModesTest {
    private static final String FIRST = "00:0d:3a:d0:00:01";
    private static final String SECOND = "00:0d:3a:d0:00:02";
    /** Those of the first bursts, which pass once as they came where a mode leaves their addresses. */
    private static final int FRAMES = 100;
    private static final List<String> FIELDS = List.of("frame.interface_id", "eth.src", "eth.dst", "ip.src", "ip.dst",
            "udp.srcport", "udp.dstport", "ip.checksum.status", "udp.checksum.status", "frame.len", "eth.type",
            "ip.hdr_len", "ip.len", "ip.id", "ip.flags", "ip.ttl", "ip.proto", "ip.checksum", "udp.length",
            "udp.checksum", "udp.payload");
    /** Behind the addresses, what no mode changes. */
    private static final int KEPT = FIELDS.indexOf("frame.len");
    /** Noisy neighbours that swap all there is to swap, let packets wait, and touch memory for each of them. */
    private static final String NOISE = " --noisy-forward-mode=5tswap --noisy-tx-sw-buffer-size=16 "
            + "--noisy-tx-sw-buffer-flushtime=1 --noisy-lkup-memory=1 --noisy-lkup-num-reads-writes=4";
    private static final String PORTS = " --tx-udp=1000,2000";

    @TempDir
    Path folder;

    private String data() {
        return folder.resolve("data").toString();
    }

    private void attached(String line) {
        Run.manafold("attach", "--data", data(), "-c", line).end().done();
    }

    /** A frame by the names of {@link #FIELDS}. */
    private record Seen(List<String> values) {
        String get(String field) {
            return values.get(FIELDS.indexOf(field));
        }

        /** Lengths, what IP and UDP say besides addresses and ports, and the payload. */
        List<String> kept() {
            return values.subList(KEPT, values.size());
        }

        String ends(String from, String to) {
            return get(from) + " " + get(to);
        }
    }

    /** What passes while a mode is at work, its first burst among it. */
    private List<Seen> pass(String mode, String settings) throws InterruptedException {
        String name = (mode + settings).replaceAll("\\W+", "-");
        Path capture = folder.resolve(name + ".pcapng");
        attached("capture start polled " + capture + " --count " + FRAMES);
        try (Run run = Run.manafold("attach", "--data", data(), "-c", "testpmd -l 0-1 -a 7870:00:00.0,mac=" + FIRST
                + ",mac=" + SECOND + " -- -i --port-topology=loop --eth-peer=0," + SECOND + " --eth-peer=1," + FIRST
                + NOISE + PORTS).start()) {
            run.type(settings + "set fwd " + mode + "\n" + (mode.equals("flowgen") ? "start\n"
                    : "start tx_first\n"));
            run.awaitOut(mode + " packet forwarding");
            long limit = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (!Run.manafold("attach", "--data", data(), "-c", "capture list").end().out().contains(FRAMES + " ")) {
                assertThat(System.nanoTime()).as("%s: %s", name, run.outSoFar()).isLessThan(limit);
                Thread.sleep(100);
            }
            run.type("stop\nquit\n");
            run.endInput();
            run.ended().done();
        }
        attached("capture stop polled");
        return read(capture, name);
    }

    private List<Seen> read(Path capture, String name) {
        String fields = FIELDS.stream().map(field -> " -e " + field).collect(Collectors.joining());
        Run.Ended read = Run.of("sh", "-c", "tshark -n -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -r "
                + capture + " -T fields -E separator=," + fields).end().done();
        List<Seen> frames = read.out().lines().map(line -> new Seen(Arrays.asList(line.split(",", -1))))
                .filter(frame -> frame.values().size() == FIELDS.size() && !frame.get("ip.src").isEmpty()).toList();
        assertThat(frames).as(name).hasSizeGreaterThan(FRAMES / 2);
        assertThat(frames).as("%s: bad checksums", name).noneMatch(frame -> frame.get("ip.checksum.status").equals("0")
                || frame.get("udp.checksum.status").equals("0"));
        return frames;
    }

    private static Set<String> distinct(List<Seen> frames, String from, String to) {
        return frames.stream().map(frame -> frame.ends(from, to)).collect(Collectors.toSet());
    }

    private static Set<List<String>> kept(List<Seen> frames) {
        return frames.stream().map(Seen::kept).collect(Collectors.toSet());
    }

    /** Each port sends from its own address to that of the other. */
    private static void assertAddressed(String mode, List<Seen> frames) {
        assertThat(distinct(frames, "frame.interface_id", "eth.src")).as(mode).containsExactlyInAnyOrder("0 " + FIRST,
                "1 " + SECOND);
        assertThat(distinct(frames, "frame.interface_id", "eth.dst")).as(mode).containsExactlyInAnyOrder("0 " + SECOND,
                "1 " + FIRST);
    }

    @Test
    void eachModeDoesWhatItsNameSays() throws Exception {
        assertThat(Host.isThere("tshark")).as("tshark, of Debian's package of that name").isTrue();
        try (Run run = Run.manafold("--headless", "--lab", "dpdk", "--data", data()).start()) {
            run.awaitOut("ready\n");
            attached("ip link set mana0 down; ip link set mana1 down");
            List<Seen> plain = pass("io", "");
            Set<String> sent = distinct(plain, "ip.src", "ip.dst");
            Set<String> ports = distinct(plain, "udp.srcport", "udp.dstport");
            assertThat(ports).containsExactly("1000 2000");
            assertThat(sent).hasSize(1);
            Set<List<String>> kept = kept(plain);
            assertThat(kept).as("frames are alike").hasSize(1);
            assertThat(distinct(plain, "frame.interface_id", "eth.src")).as("also those of the other port")
                    .contains("0 " + FIRST, "0 " + SECOND);

            for (String mode : List.of("mac", "macswap")) {
                List<Seen> addressed = pass(mode, "");
                assertAddressed(mode, addressed);
                assertThat(distinct(addressed, "ip.src", "ip.dst")).as(mode).isEqualTo(sent);
                assertThat(distinct(addressed, "udp.srcport", "udp.dstport")).as(mode).isEqualTo(ports);
                assertThat(kept(addressed)).as(mode).isEqualTo(kept);
            }

            for (String mode : List.of("5tswap", "noisy")) {
                List<Seen> turned = pass(mode, "");
                assertAddressed(mode, turned);
                String[] ends = sent.iterator().next().split(" ");
                assertThat(distinct(turned, "ip.src", "ip.dst")).as(mode).containsExactlyInAnyOrder(
                        ends[0] + " " + ends[1], ends[1] + " " + ends[0]);
                assertThat(distinct(turned, "udp.srcport", "udp.dstport")).as(mode).containsExactlyInAnyOrder(
                        "1000 2000", "2000 1000");
                assertThat(kept(turned)).as(mode).isEqualTo(kept);
            }

            for (String where : List.of("sw", "hw")) {
                String settings = "port stop all\ncsum set ip " + where + " 0\ncsum set ip " + where
                        + " 1\ncsum set udp " + where + " 0\ncsum set udp " + where + " 1\nport start all\n";
                List<Seen> summed = pass("csum", settings);
                assertAddressed(where, summed);
                assertThat(distinct(summed, "ip.src", "ip.dst")).as(where).isEqualTo(sent);
                assertThat(distinct(summed, "udp.srcport", "udp.dstport")).as(where).isEqualTo(ports);
                assertThat(kept(summed)).as(where).isEqualTo(kept);
                assertThat(summed).as(where).allMatch(frame -> frame.get("ip.checksum.status").equals("1"));
            }
            assertThat(distinct(pass("flowgen", ""), "ip.src", "ip.dst")).hasSizeGreaterThan(32);
            attached("ip link set mana0 up; ip link set mana1 up");
        }
    }
}

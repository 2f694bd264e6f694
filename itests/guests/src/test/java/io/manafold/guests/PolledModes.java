package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** One run of a machine's testpmd, which is taken from mode to mode beside a port of ours on its switch. */
final class PolledModes {
    private static final String KEY =
            "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa";
    private static final int QUEUES = 4;
    private static final Pattern QUEUE = Pattern.compile("RX Port= 0/Queue= (\\d) -> .*\\R\\s+RX-packets: (\\d+)");
    /** Two bursts of 32, and eight: there are 64 flows, so that each has its share. */
    private static final int FEW = 64;
    private static final int MANY = 256;

    private final Platform platform;
    private final Guest guest;
    private final Polling theirs;
    private final String mac;
    private final String ours;

    private PolledModes(Platform platform, Guest guest, Polling theirs, String mac, String ours) {
        this.platform = platform;
        this.guest = guest;
        this.theirs = theirs;
        this.mac = mac;
        this.ours = ours;
    }

    /**
     * All of it, with room for frames of 9000 bytes; the process is killed at the end.
     *
     * @param mac the address of its port
     * @param ours the words with which our testpmd begins at our port, whose network device is mana0, and sends to that
     *     address
     */
    static void run(Platform platform, Guest guest, String mac, String peer, String ours) {
        Polling theirs = Polling.begin(guest,
                Polling.command(mac, "--eth-peer=0," + peer, "--mbuf-size=9728 --max-pkt-len=9014 -i"));
        PolledModes modes = new PolledModes(platform, guest, theirs, mac,
                ours + " --mbuf-size=9728 --max-pkt-len=9014 -i");
        modes.answersPings();
        modes.writesChecksums();
        modes.stopsAndStarts();
        modes.takesLongFrames();
        modes.spreads();
        theirs.kill();
    }

    private void forward(String mode) {
        theirs.answer("set fwd " + mode, "Set " + mode);
        theirs.answer("start", mode + " packet forwarding - ports=1");
    }

    private void stop() {
        theirs.answer("stop", "^Done");
    }

    private Frames captured(String name, Runnable meanwhile) {
        String file = platform.file(name + ".pcapng").toString();
        platform.run("capture start net " + file).done();
        meanwhile.run();
        platform.run("capture stop net " + file).done();
        return new Frames(platform.file(name + ".pcapng"));
    }

    /** The kernel's stack would not answer for this address, which no device has. */
    private void answersPings() {
        forward("icmpecho");
        platform.run("ip addr add 10.9.0.1/24 dev mana0; ip link set mana0 up").done();
        assertThat(platform.run("ping -c 3 10.9.0.77").done().output()).contains("3 packets transmitted, 3 received");
        platform.run("ip link set mana0 down; ip addr del 10.9.0.1/24 dev mana0").done();
        // one question for the address, and three echoes
        theirs.until("RX-packets", 4);
        stop();
    }

    /**
     * The other port of the machine sends as its kernel does; what comes back has been told to the adapter to be
     * completed.
     */
    private void writesChecksums() {
        theirs.type("port stop 0");
        for (String kind : List.of("ip", "udp", "tcp")) {
            theirs.answer("csum set " + kind + " hw 0", "checksum offload is hw");
        }
        theirs.answer("port start 0", "^Done");
        Frames frames = captured("checksums", () -> {
            forward("csum");
            guest.run("end eth1 2; ip neigh replace 10.1.0.9 lladdr " + mac + " dev eth1; ip -6 neigh replace fd01::9 "
                    + "lladdr " + mac + " dev eth1; nc -w 1 10.1.0.9 9 </dev/null; nc -w 1 fd01::9 9 </dev/null; "
                    + "traceroute -n -m 3 -q 1 -w 1 10.1.0.9; ip link set eth1 down").done();
            stop();
        });
        String sent = "(tcp || udp) && eth.src == " + mac;
        String[] same = {"ip.id", "ip.ttl", "ip.src", "ipv6.src", "tcp.seq_raw", "tcp.srcport", "udp.srcport",
                "udp.dstport", "udp.payload",
            "frame.len"};
        assertThat(frames.fields(sent, same)).hasSizeGreaterThanOrEqualTo(5)
                .isEqualTo(frames.fields("(tcp || udp) && eth.dst == " + mac, same));
        assertThat(frames.count(sent + " && udp")).isGreaterThanOrEqualTo(3);
        assertThat(frames.count(sent + " && tcp && ipv6")).isPositive();
        assertThat(frames.fields(sent, "ip.checksum.status", "tcp.checksum.status", "udp.checksum.status"))
                .as("good, of the headers that there are").allMatch(line -> line.matches("1?\t1?\t1?")
                        && line.contains("1"));
        assertThat(frames.count(sent
                + " && (ip.checksum.status == 0 || tcp.checksum.status == 0 || udp.checksum.status == 0)")).isZero();
    }

    /** Its driver has no reset, which ours has. */
    private void stopsAndStarts() {
        forward("macswap");
        assertThat(theirs.answer("port stop 0", "^Done"))
                .contains("Please remove port 0 from forwarding configuration.");
        theirs.answer("port reset 0", "please stop port(s) first");
        stop();
        theirs.answer("port stop 0", "^Done");
        assertThat(theirs.answer("port reset 0", "^Done")).contains("Failed to reset port 0. diag=-95");
        assertThat(theirs.answer("start", "Not all ports were started")).doesNotContain("ports=1");
        assertThat(theirs.answer("port start 0", "^Done")).contains("Port 0: " + mac.toUpperCase());
    }

    private void takesLongFrames() {
        Frames frames = captured("long", () -> {
            forward("macswap");
            try (Window window = platform.begin(ours + " --txpkts=9014 --forward-mode=rxonly")) {
                window.await("Done");
                window.type("start tx_first 2");
                window.typeUntil("show port stats 0", said -> Polling.counted(said, "RX-packets") >= FEW);
                window.type("quit");
                window.ended();
            }
            stop();
        });
        String[] same = {"frame.len", "ip.len", "ip.id", "udp.length", "udp.payload"};
        assertThat(frames.fields("udp.port == 9 && eth.src == " + mac, same)).hasSize(FEW)
                .allMatch(line -> line.startsWith("9014\t9000\t"))
                .isEqualTo(frames.fields("udp.port == 9 && eth.dst == " + mac, same));
    }

    private void spreads() {
        theirs.type("port stop 0", "port config all rxq " + QUEUES, "port config all txq " + QUEUES);
        // a key is taken only by a port that has been set up to spread, and only when it is stopped
        theirs.answer("port start 0", "^Done");
        theirs.type("port stop 0", "port config 0 rss-hash-key ipv4-udp " + KEY);
        theirs.answer("port start 0", "^Done");
        assertThat(theirs.answer("show port 0 rss-hash key", "RSS key:")).contains("ipv4-udp");
        theirs.type("clear port stats all");
        Frames frames = captured("spread", () -> {
            forward("rxonly");
            try (Window window = platform.begin(ours + " --txonly-multi-flow --forward-mode=rxonly")) {
                window.await("Done");
                window.type("start tx_first " + MANY / 32);
                theirs.until("RX-packets", MANY);
                window.type("quit");
                window.ended();
            }
        });
        long[] wanted = new long[QUEUES];
        Toeplitz hash = Toeplitz.of(KEY.replaceAll("..(?!$)", "$0:"));
        for (String line : frames.fields("udp && eth.dst == " + mac, "ip.src", "udp.srcport", "ip.dst",
                "udp.dstport")) {
            String[] flow = line.split("\t");
            wanted[hash.ports(flow[0], Integer.parseInt(flow[1]), flow[2], Integer.parseInt(flow[3])) & QUEUES - 1]++;
        }
        assertThat(Arrays.stream(wanted).sum()).isEqualTo(MANY);
        List<Long> counted = new ArrayList<>();
        for (MatchResult queue : QUEUE.matcher(theirs.answer("stop", "^Done")).results().toList()) {
            assertThat(Integer.parseInt(queue.group(1))).isEqualTo(counted.size());
            counted.add(Long.valueOf(queue.group(2)));
        }
        assertThat(counted).as("packets by queue").isEqualTo(Arrays.stream(wanted).boxed().toList());
    }
}

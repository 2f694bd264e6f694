package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two machines whose mana_ib drives an adapter of ours each, on one switch: the programs that RDMA is tried with. */
@Tag("guest")
class RdmaTwoGuestsTest {
    private static final String LAB = """
            adapters:
              - {name: a, queues: 2, macs: ["00:0d:3a:00:00:0a"]}
              - {name: b, queues: 2, macs: ["00:0d:3a:00:00:0b"]}
              - {name: c, queues: 2, macs: ["00:0d:3a:00:00:0c"]}
            links:
              - {name: net, ports: [a/1, b/1, c/1]}
            exports:
              - {adapter: a, socket: %s/a.sock}
              - {adapter: b, socket: %s/b.sock}
              - {adapter: c, socket: %s/c.sock}
            """;
    private static final String DEVICE = " -d mana_0 -x 1 -F ";
    private static final String PINGPONG = "ibv_rc_pingpong -c -d mana_0 -g 1 ";
    private static final Pattern COUNTER = Pattern.compile("(?m)^\\s+([a-z_]+) (\\d+)\\s*$");

    private static final Pattern MEASURED = Pattern.compile("(?m)^\\s*65536\\s+\\d+\\s+\\S+\\s+([0-9.]+)\\s");
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest a;
    private static Guest b;
    private static Peers peers;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        List<Guest> both = Guest.boot(Guest.named("rdma-a").on(platform.socket("a")).limit(Kit.times(900, 7200)),
                Guest.named("rdma-b").on(platform.socket("b")).limit(Kit.times(900, 7200)));
        a = both.getFirst();
        b = both.getLast();
        a.run("begin; rdma_at 1").done();
        b.run("begin; rdma_at 2").done();
        a.run("until_true 100 ping -c 1 -W 1 10.1.0.2 && until_true 100 ping -c 1 -W 1 fd01::2").done();
        peers = new Peers(b, a);
    }

    @AfterAll
    static void end() {
        for (Guest guest : new Guest[] {a, b}) {
            if (guest != null) {
                guest.close();
            }
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        for (Guest guest : new Guest[] {a, b}) {
            assertThat(guest.complaints()).as("complaints of a guest's kernel").isEmpty();
        }
        adapters.refusedNothing("a");
        adapters.refusedNothing("b");
        assertThat(platform.complained()).isEmpty();
    }

    @Test
    void theDeviceHasWhatTheKernelIsTold() {
        assertThat(a.run("rdma link show mana_0/1").done().output())
                .contains("state ACTIVE physical_state LINK_UP netdev eth0");
        Answer said = a.run("ibv_devinfo -v -d mana_0").done();
        Map<String, String> wanted = Map.ofEntries(Map.entry("node_guid", "020d:3aff:fe00:000a"),
                Map.entry("vendor_id", "0x1414"), Map.entry("vendor_part_id", "3"), Map.entry("phys_port_cnt", "1"),
                Map.entry("max_mr_size", "0xffffffffffffffff"), Map.entry("max_qp", "4096"),
                Map.entry("max_qp_wr", "4096"), Map.entry("max_cqe", "4096"), Map.entry("max_cq", "2048"),
                Map.entry("max_mr", "65536"), Map.entry("max_sge", "15"), Map.entry("max_qp_rd_atom", "32"),
                Map.entry("max_qp_init_rd_atom", "32"), Map.entry("atomic_cap", "ATOMIC_NONE (0)"),
                Map.entry("max_srq", "0"), Map.entry("max_pkeys", "1"), Map.entry("state", "PORT_ACTIVE (4)"),
                Map.entry("max_mtu", "4096 (5)"), Map.entry("active_mtu", "1024 (3)"),
                Map.entry("link_layer", "Ethernet"), Map.entry("max_msg_sz", "0x1000000"),
                Map.entry("gid_tbl_len", "16"), Map.entry("phys_state", "LINK_UP (5)"));
        wanted.forEach((name, value) -> assertThat(said.find("^\\s*" + name + ":\\s+(.*\\S)")).as(name)
                .isEqualTo(value));
        assertThat(said.output()).contains("fe80::20d:3aff:fe00:a, RoCE v2", "::ffff:10.1.0.1, RoCE v2",
                "fd01::1, RoCE v2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-s 4000", "-s 1", "-s 5001 -e", "-s 100000 -m 256"})
    void messagesArriveAsTheyWereSent(String options) {
        String both = PINGPONG + options + " -n " + Kit.times(20, 2000);
        peers.run(both, both + " 10.1.0.2");
    }

    @Test
    void processesOfOneMachineReachEachOther() {
        long before = adapters.rdma("a").get("rdma_hairpin");
        String both = PINGPONG + "-s 5001 -n " + Kit.times(20, 2000);
        new Peers(a, a).run(both, both + " 10.1.0.1");
        assertThat(adapters.rdma("a").get("rdma_hairpin")).as("packets that did not leave the port")
                .isGreaterThan(before + 200);
    }

    @ParameterizedTest
    @CsvSource({"ib_send_bw, ''", "ib_send_bw, -R", "ib_send_bw, -b", "ib_send_bw, -q 100 -s 2000",
        "ib_write_bw, ''", "ib_write_bw, -R", "ib_write_bw, -b", "ib_write_bw, -q 100 -s 2000",
        "ib_read_bw, ''", "ib_read_bw, -R", "ib_read_bw, -b", "ib_read_bw, -q 100 -s 2000",
        "ib_send_lat, ''", "ib_send_lat, -R", "ib_write_lat, ''", "ib_write_lat, -R"})
    void programsThatMeasure(String program, String options) {
        String both = program + DEVICE + options + " -n "
                + (options.contains("-q") ? Kit.times(5, 100) : Kit.times(20, 2000));
        assertThat(peers.run(both, both + " 10.1.0.2").output()).contains("#bytes");
    }

    /** A doorbell leaves the machine, so it costs more than the request that it tells of. */
    @ParameterizedTest
    @ValueSource(strings = {"ib_write_bw", "ib_send_bw"})
    void messagesCostFewDoorbells(String program) {
        int messages = Kit.times(200, 5000);
        String both = program + DEVICE + "-s 4096 -n " + messages;
        long asking = adapters.rdma("a").get("qp_doorbells");
        long answering = adapters.rdma("b").get("qp_doorbells");
        peers.run(both, both + " 10.1.0.2");
        double asked = (double) (adapters.rdma("a").get("qp_doorbells") - asking) / messages;
        double answered = (double) (adapters.rdma("b").get("qp_doorbells") - answering) / messages;
        System.out.printf(Locale.ROOT, "%s: %.2f doorbells a message of the end that asks, %.2f of the other%n",
                program, asked, answered);
        // one for each request, one for each acknowledgement that is waited for, one for each receive; and the setup
        assertThat(asked).as("doorbells a message of the end that asks").isBetween(0.01, 2.5);
        assertThat(answered).as("doorbells a message of the end that answers").isLessThan(1.5);
    }

    /** What a guest's processor does not touch moves faster than what its kernel carries through sockets, by far. */
    @Test
    void writesLeaveStreamsBehind() {
        b.run("iperf3 -s -D").done();
        a.run("until_true 100 iperf3 -c 10.1.0.2 -n 64K").done();
        String write = "ib_write_bw" + DEVICE + "-s 65536 -D 2 --report_gbits";
        // what the platform's compiler has not seen yet is no part of the comparison
        peers.run(write, write + " 10.1.0.2");
        double[] ratios = new double[Kit.times(1, 3)];
        for (int round = 0; round < ratios.length; round++) {
            double stream = a.run("iperf3 -J -t 2 -c 10.1.0.2", LONG).done().json().asJsonObject().getJsonObject("end")
                    .getJsonObject("sum_received").getJsonNumber("bits_per_second").doubleValue() / 1e9;
            Matcher line = MEASURED.matcher(peers.run(write, write + " 10.1.0.2").output());
            assertThat(line.find()).isTrue();
            double written = Double.parseDouble(line.group(1));
            ratios[round] = written / stream;
            System.out.printf(Locale.ROOT, "ib_write_bw of 64 KiB %.2f Gbit/s, iperf3 %.2f Gbit/s: %.1f%n", written,
                    stream, ratios[round]);
        }
        b.run("kill $(pidof iperf3)").done();
        Arrays.sort(ratios);
        assertThat(ratios[ratios.length / 2]).as("median of writes over streams").isGreaterThan(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib_write_bw", "ib_send_bw", "ib_read_bw", "ib_send_lat", "ib_write_lat"})
    void messagesOfEverySize(String program) {
        String sizes = Kit.LONG || program.equals("ib_write_bw") ? " -a " : " -s 8388608 ";
        String both = program + DEVICE + sizes + "-n " + Kit.times(5, 100);
        assertThat(peers.run(both, both + " 10.1.0.2").output()).contains("8388608");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.2", "fd01::2"})
    void connectionsReadAndWrite(String address) {
        String both = " -V -S 3000 -a " + address + " -C " + Kit.times(10, 1000);
        peers.run("rping -s" + both, "rping -c" + both);
    }

    @Test
    void connectionsOfTheirLibrary() {
        String both = "ucmatose -c 5 -C " + Kit.times(10, 1000);
        assertThat(peers.run(both, both + " -s 10.1.0.2").output()).contains("return status 0");
    }

    @Test
    void aConnectionToAPortWithoutAListenerIsRejected() {
        assertThat(a.run("timeout 60 rping -c -V -C 1 -a 10.1.0.2 -p 9").output()).contains("RDMA_CM_EVENT_REJECTED");
    }

    @Test
    void whatIsLostDoubledOrLateIsMadeGood() {
        Map<String, Long> before = adapters.rdma("a");
        long lost = counter("lost");
        platform.run("link impair net --loss 1% --duplicate 1% --reorder 1% --seed 7").done();
        String both = PINGPONG + "-s 40000 -n " + Kit.times(50, 2000);
        peers.run(both, both + " 10.1.0.2");
        String ping = " -V -S 20000 -a 10.1.0.2 -C " + Kit.times(10, 500);
        peers.run("rping -s" + ping, "rping -c" + ping);
        platform.run("link impair net --clear").done();
        assertThat(counter("lost")).as("frames lost").isGreaterThan(lost + 20);
        assertThat(adapters.rdma("a").get("requester_oos_nak")).as("told of what was lost")
                .isGreaterThan(before.get("requester_oos_nak"));
    }

    private static long counter(String name) {
        return platform.one("link show net --json", "net").getJsonObject("counters").getJsonNumber(name).longValue();
    }

    /** One packet is lost, so it is known who has to notice and how. */
    @ParameterizedTest
    @CsvSource({"send-middle, ib_send_bw" + DEVICE + ", requester_oos_nak, responder_oos",
        "write-middle, ib_write_bw" + DEVICE + ", requester_oos_nak, responder_oos",
        "read-request, ib_read_bw" + DEVICE + ", requester_oos_nak, responder_oos",
        "read-response-middle, ib_read_bw" + DEVICE + ", requester_implicit_nak, responder_dup_request",
        "read-response-last, ib_read_bw" + DEVICE + ", requester_implicit_nak, dup_rx_requests",
        // no later acknowledgement stands in for this one: the next message waits for it
        "ack, " + PINGPONG + ", requester_timeout, responder_dup_request"})
    void oneLostPacketIsMadeGood(String opcode, String program, String asking, String answering) {
        Map<String, Long> ours = statistic(a);
        Map<String, Long> theirs = statistic(b);
        platform.run("link impair net --match opcode=" + opcode + " --drop --once").done();
        String both = program + " -s 20000 -n 5";
        peers.run(both, both + " 10.1.0.2");
        JsonObject rule = platform.one("link show net --json", "net").getJsonArray("rules").getJsonObject(0);
        platform.run("link impair net --clear").done();
        assertThat(rule.getInt("matched")).isOne();
        assertThat(platform.run("explain qp a --last 64").done().output())
                .as("the queue pair of the guest, which is over").startsWith("a/")
                .contains(": RC, ended, ", " us  doorbell\n", " sent again", " us  completion\n");
        assertThat(statistic(a).get(asking)).as(asking).isGreaterThan(ours.get(asking));
        assertThat(statistic(b).get(answering)).as(answering).isGreaterThan(theirs.get(answering));
    }

    @Test
    void theKernelTheAdapterAndACaptureCountTheSame() {
        Map<String, Long> before = statistic(a);
        Path file = platform.file("counted.pcapng");
        platform.run("capture start net " + file).done();
        String ping = " -V -S 3000 -a 10.1.0.2 -C 2";
        peers.run("rping -s" + ping, "rping -c" + ping);
        for (String program : List.of("ib_send_bw", "ib_write_bw", "ib_read_bw")) {
            String both = program + DEVICE + "-s 5001 -n 5";
            peers.run(both, both + " 10.1.0.2");
        }
        platform.run("capture stop net " + file).done();
        Map<String, Long> after = statistic(a);
        assertThat(adapters.rdma("a")).containsAllEntriesOf(after).containsEntry("rdma_bad_icrc", 0L)
                .containsEntry("rdma_malformed", 0L);

        Frames frames = new Frames(file);
        List<Long> sent = lengths(frames, "eth.src == 00:0d:3a:00:00:0a");
        List<Long> received = lengths(frames, "eth.dst == 00:0d:3a:00:00:0a");
        Map<String, Long> seen = Map.of("tx_packets", (long) sent.size(), "rx_packets", (long) received.size(),
                "tx_bytes", sum(sent), "rx_bytes", sum(received));
        seen.forEach((name, count) -> assertThat(after.get(name) - before.get(name)).as(name).isEqualTo(count));

        assertThat(frames.fields("infiniband.mad.attributeid", "infiniband.mad.attributeid"))
                .as("REQ, REP, RTU, DREQ, DREP").contains("0x0010", "0x0013", "0x0014", "0x0015", "0x0016");
        assertThat(frames.fields("infiniband.bth.destqp > 1", "infiniband.bth.opcode"))
                .as("SEND, WRITE and READ response: first, middle, last; SEND only; READ request; ACK")
                .contains("0", "1", "2", "4", "6", "7", "8", "12", "13", "14", "15", "17");
        assertThat(frames.count("_ws.malformed")).isZero();
    }

    private static List<Long> lengths(Frames frames, String which) {
        return frames.fields("infiniband && " + which, "frame.len").stream().map(Long::valueOf).toList();
    }

    private static long sum(List<Long> lengths) {
        return lengths.stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void whoMeetsCongestionIsToldToSendSlower() {
        Map<String, Long> before = statistic(a);
        long marked = congestion(b, "received_ecns");
        long told = congestion(b, "sent_cnps");
        Path file = platform.file("congested.pcapng");
        platform.run("capture start net " + file).done();
        platform.run("link impair net --match opcode=write-middle --mark-ce --count 3").done();
        String both = "ib_write_bw" + DEVICE + "-n 20";
        peers.run(both, both + " 10.1.0.2");
        platform.run("link impair net --clear").done();
        platform.run("capture stop net " + file).done();
        Map<String, Long> after = statistic(a);
        long cnps = after.get("received_cnps") - before.get("received_cnps");
        assertThat(congestion(b, "received_ecns") - marked).isEqualTo(3);
        assertThat(cnps).isBetween(1L, 3L).isEqualTo(congestion(b, "sent_cnps") - told);
        assertThat(after.get("num_qps_congested")).isGreaterThan(before.get("num_qps_congested"));
        Frames frames = new Frames(file);
        assertThat(frames.count("infiniband.bth.opcode == 0x81 && eth.src == 00:0d:3a:00:00:0b")).isEqualTo(cnps);
        assertThat(frames.count("_ws.malformed")).isZero();
    }

    private static long congestion(Guest guest, String counter) {
        return Long.parseLong(guest.run("cat /sys/class/infiniband/mana_0/hw_counters/" + counter).done().output()
                .trim());
    }

    @Test
    void aMachineThatIsKilledTakesNothingOfItsNeighboursAway() {
        try (Guest c = Guest.named("rdma-c").on(platform.socket("c")).limit(600).boot()) {
            c.run("begin; rdma_at 3 && until_true 100 ping -c 1 -W 1 10.1.0.2").done();
            b.run("(timeout 300 ib_write_bw -p 9000" + DEVICE + "-D 100 >/dev/null 2>&1 </dev/null &) && "
                    + "until_true 300 listens ib_write_bw").done();
            c.run("(timeout 300 ib_write_bw -p 9000" + DEVICE + "-D 100 10.1.0.2 >/dev/null 2>&1 </dev/null &)").done();
            long written = adapters.rdma("c").get("tx_packets");
            platform.until("adapter show c --json", "c", shown -> adapters.rdma("c").get("tx_packets") > written
                    + 2000);
            String both = PINGPONG + "-s 5001 -n " + Kit.times(50, 2000);
            b.run("serve " + both).done();
            var asked = a.begin("timeout 300 " + both + " 10.1.0.2");
            c.kill();
            asked.join().done();
            b.run("served").done();
            adapters.untilFree("c");
            b.run("kill $(pidof ib_write_bw) && until_true 300 ended ib_write_bw").done();
        }
        assertThat(adapters.usage("b")).as("no queue pair but the kernel's own").containsEntry("queue_pairs", 1L);
        String both = "ib_write_bw" + DEVICE + "-n 20";
        peers.run(both, both + " 10.1.0.2");
    }

    /** What the kernel of a machine has counted. */
    private static Map<String, Long> statistic(Guest guest) {
        Map<String, Long> counters = new TreeMap<>();
        String said = guest.run("rdma statistic show link mana_0/1").done().output();
        for (MatchResult line : COUNTER.matcher(said).results().toList()) {
            counters.put(line.group(1), Long.valueOf(line.group(2)));
        }
        assertThat(counters).as(said).containsKey("requester_timeout").hasSizeGreaterThan(30);
        return counters;
    }
}

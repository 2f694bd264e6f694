package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Our RDMA against that of another stack: mana_ib on an adapter of ours in one machine, Soft-RoCE over the Ethernet of
 * another adapter in the other. What is wrong with our packets, Soft-RoCE drops.
 */
@Tag("guest")
class RdmaSoftRoceTest {
    private static final String LAB = """
            adapters:
              - {name: ours, queues: 2, macs: ["00:0d:3a:00:00:0a"]}
              - {name: soft, queues: 2, macs: ["00:0d:3a:00:00:0b"]}
            links:
              - {name: net, ports: [ours/1, soft/1]}
            exports:
              - {adapter: ours, socket: %s/ours.sock}
              - {adapter: soft, socket: %s/soft.sock}
            """;

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest ours;
    private static Guest soft;

    /** Who asks whom. */
    private enum Way {
        OURS_ASKS("rxe0", "mana_0", ".2"),
        SOFT_ROCE_ASKS("mana_0", "rxe0", ".1");

        private final String serving;
        private final String asking;
        private final String host;

        Way(String serving, String asking, String host) {
            this.serving = serving;
            this.asking = asking;
            this.host = host;
        }

        Answer run(String program) {
            return peers().run(program.replace("DEVICE", serving), asking(program));
        }

        boolean runWithin(int seconds, String program) {
            return peers().runWithin(seconds, program.replace("DEVICE", serving), asking(program));
        }

        private Peers peers() {
            return this == OURS_ASKS ? new Peers(soft, ours) : new Peers(ours, soft);
        }

        private String asking(String program) {
            return program.replace("DEVICE", asking) + " 10.1.0" + host;
        }

        void ping(String words) {
            String both = " -V -a " + words;
            peers().run("rping -s" + both, "rping -c" + both);
        }
    }

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        List<Guest> both = Guest.boot(Guest.named("roce-ours").on(platform.socket("ours")).limit(Kit.times(900, 7200)),
                Guest.named("roce-soft").on(platform.socket("soft")).withSoftRoce().limit(Kit.times(900, 7200)));
        ours = both.getFirst();
        soft = both.getLast();
        ours.run("begin; rdma_at 1").done();
        soft.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 2 && soft_roce eth0").done();
        ours.run("until_true 100 ping -c 1 -W 1 10.1.0.2 && until_true 100 ping -c 1 -W 1 fd01::2").done();
    }

    @AfterAll
    static void end() {
        for (Guest guest : new Guest[] {ours, soft}) {
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
        for (Guest guest : new Guest[] {ours, soft}) {
            assertThat(guest.complaints()).as("complaints of a guest's kernel").isEmpty();
        }
        adapters.refusedNothing("ours");
        adapters.refusedNothing("soft");
        assertThat(platform.complained()).isEmpty();
        assertThat(adapters.rdma("ours")).containsEntry("rdma_bad_icrc", 0L).containsEntry("rdma_malformed", 0L);
    }

    @ParameterizedTest
    @EnumSource
    void connectionsReadAndWrite(Way way) {
        way.ping("10.1.0" + way.host + " -S 3000 -C " + Kit.times(10, 1000));
        way.ping("fd01:" + way.host.replace('.', ':') + " -S 3000 -C " + Kit.times(10, 1000));
    }

    @ParameterizedTest
    @EnumSource
    void messagesArriveAsTheyWereSent(Way way) {
        way.run("ibv_rc_pingpong -c -d DEVICE -g 1 -s 5001 -n " + Kit.times(20, 2000));
    }

    @ParameterizedTest
    @CsvSource({"OURS_ASKS, ib_send_bw", "SOFT_ROCE_ASKS, ib_send_bw", "OURS_ASKS, ib_write_bw",
            "SOFT_ROCE_ASKS, ib_write_bw",
        "OURS_ASKS, ib_read_bw", "SOFT_ROCE_ASKS, ib_read_bw"})
    void streams(Way way, String program) {
        // without a connection manager a program asks for as many reads at a time as the other end answers: 128, too
        // many
        String reads = program.equals("ib_read_bw") ? " -o 16" : "";
        for (String options : new String[] {reads, " -R"}) {
            String words = program + " -d DEVICE -x 1 -F -s 5001 -n " + Kit.times(20, 2000) + options;
            assertThat(way.run(words).output()).contains("5001");
        }
    }

    /**
     * Soft-RoCE stands still for good when what it repeats is acknowledged before all of it is repeated, and repeats
     * for ever what a peer had before it ended: a run that does not end says nothing of ours, and others have to.
     */
    @ParameterizedTest
    @EnumSource
    void whatIsLostDoubledOrLateIsMadeGood(Way way) {
        long before = lost();
        platform.run("link impair net --loss 1% --duplicate 1% --reorder 1% --seed 7").done();
        int wanted = Kit.times(1, 20);
        int ended = 0;
        for (int runs = 0; runs < 5 * wanted && ended < wanted; runs++) {
            ended += way.runWithin(30, "ibv_rc_pingpong -c -d DEVICE -g 1 -s 30000 -n 20") ? 1 : 0;
        }
        platform.run("link impair net --clear").done();
        assertThat(ended).as("runs that ended").isEqualTo(wanted);
        // of a peer that had ended before its last acknowledgement arrived
        assertThat(adapters.refused("ours")).allSatisfy(refused -> assertThat(refused)
                .containsEntry("rule", "the peer acknowledges in time"));
        platform.run("adapter show ours --errors --forget").done();
        assertThat(lost()).as("frames lost").isGreaterThan(before);
    }

    private static long lost() {
        return platform.one("link show net --json", "net").getJsonObject("counters").getJsonNumber("lost").longValue();
    }

    /**
     * Of an MTU of 4096 mana_ib makes a path of 4096 bytes, without room for headers, and Soft-RoCE one of 2048: who
     * does not ask for a path has to say it.
     */
    @ParameterizedTest
    @CsvSource({"4200, ''", "4096, -m 2048"})
    void longerPaths(int mtu, String option) {
        mtu(mtu);
        try {
            Map<String, Long> before = adapters.rdma("ours");
            for (Way way : Way.values()) {
                way.run("ib_write_bw -d DEVICE -x 1 -F -s 40960 -n 10 " + option);
                way.run("ib_read_bw -R -d DEVICE -x 1 -F -s 40960 -n 10");
            }
            long packets = adapters.rdma("ours").get("tx_packets") - before.get("tx_packets");
            long bytes = adapters.rdma("ours").get("tx_bytes") - before.get("tx_bytes");
            assertThat(bytes / packets).as("bytes of a packet, acknowledgements too").isGreaterThan(1100);
        } finally {
            mtu(1500);
        }
    }

    private static void mtu(int bytes) {
        for (Guest guest : new Guest[] {ours, soft}) {
            guest.run("ip link set eth0 mtu " + bytes).done();
        }
        ours.run("until_true 100 rdma_is_up && until_true 100 ping -c 1 -W 1 10.1.0.2").done();
        soft.run("until_true 100 eval 'rdma link | grep -q ACTIVE'").done();
    }

    @Test
    void aCaptureOfBothStacksIsWellFormed() {
        Path file = platform.file("both.pcapng");
        platform.run("capture start net " + file).done();
        for (Way way : Way.values()) {
            way.ping("10.1.0" + way.host + " -S 3000 -C 2");
        }
        platform.run("capture stop net " + file).done();
        Frames frames = new Frames(file);
        for (String sender : new String[] {"00:0d:3a:00:00:0a", "00:0d:3a:00:00:0b"}) {
            String from = " && eth.src == " + sender;
            assertThat(frames.fields("infiniband.mad.attributeid" + from, "infiniband.mad.attributeid"))
                    .as("REQ, REP, RTU, DREQ, DREP").contains("0x0010", "0x0013", "0x0014", "0x0015", "0x0016");
            assertThat(frames.fields("infiniband.bth.destqp > 1" + from, "infiniband.bth.opcode"))
                    .as("SEND only; WRITE and READ response first, middle, last; READ request; ACK")
                    .contains("4", "6", "7", "8", "12", "13", "14", "15", "17");
        }
        assertThat(frames.count("_ws.malformed")).isZero();
    }
}

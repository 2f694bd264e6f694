package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two machines with Soft-RoCE over our Ethernet ports: RoCEv2 of another stack, ordinary datagrams to our adapters,
 * passes as it is. Soft-RoCE checks each packet's invariant CRC, so a byte changed on the way would be a packet lost.
 */
@Tag("guest")
@EnabledIfSystemProperty(named = "guests.long", matches = "true",
        disabledReason = "to our switch this is datagrams, which others send as well")
class SoftRoceTest {
    private static final String LAB = """
            adapters:
              - {name: a, queues: 2, macs: ["00:0d:3a:00:00:0a"]}
              - {name: b, queues: 2, macs: ["00:0d:3a:00:00:0b"]}
            links:
              - {name: net, ports: [a/1, b/1]}
            exports:
              - {adapter: a, socket: %s/a.sock}
              - {adapter: b, socket: %s/b.sock}
            """;
    private static final String DEVICE = " -d rxe0 -x 1 -F ";
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
        a = Guest.named("rxe-a").on(platform.socket("a")).withSoftRoce().limit(Kit.times(600, 3600)).boot();
        b = Guest.named("rxe-b").on(platform.socket("b")).withSoftRoce().limit(Kit.times(600, 3600)).boot();
        a.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 1 && soft_roce eth0").done();
        b.run("begin; modprobe mana && until_true 300 there eth0 && end eth0 2 && soft_roce eth0").done();
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

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.2", "fd01::2"})
    void connectionsReadAndWrite(String address) {
        ping(" -V -S 3000 -a " + address + " -C " + Kit.times(5, 500));
    }

    @Test
    void messages() {
        String both = "ibv_rc_pingpong -c -d rxe0 -g 1 -s 4000 -n " + Kit.times(20, 1000);
        peers.run(both, both + " 10.1.0.2");
    }

    @ParameterizedTest
    @CsvSource({"ib_send_bw, ''", "ib_send_bw, -R", "ib_write_bw, ''", "ib_write_bw, -R", "ib_read_bw, ''",
        "ib_read_bw, -R"})
    void streams(String program, String option) {
        String both = program + DEVICE + option + " -s 5001 -n " + Kit.times(20, 2000);
        assertThat(peers.run(both, both + " 10.1.0.2").output()).contains("5001");
    }

    @Test
    void aConnectionToAPortWithoutAListenerIsRejected() {
        assertThat(a.run("timeout 60 rping -c -V -C 1 -a 10.1.0.2 -p 9").output()).contains("RDMA_CM_EVENT_REJECTED");
    }

    @Test
    void whatIsLostDoubledOrLateIsMadeGood() {
        long lost = lost();
        platform.run("link impair net --loss 3% --duplicate 2% --reorder 2% --seed 7").done();
        ping(" -V -S 10000 -a 10.1.0.2 -C " + Kit.times(20, 200));
        platform.run("link impair net --clear").done();
        assertThat(lost()).as("frames lost").isGreaterThan(lost);
    }

    /**
     * Neither end is ours. Either program was seen not to end after its connection had, and to give up on a busy
     * machine: then both are begun anew.
     */
    private static void ping(String options) {
        for (int i = 0; i < 4; i++) {
            b.run("serve rping -s" + options, LONG).done();
            if (a.run("timeout 120 rping -c" + options, LONG).status() == 0 && b.run("served", LONG).status() == 0) {
                return;
            }
            b.run("kill $(pidof rping); until_true 300 ended rping", LONG).done();
        }
        peers.run("rping -s" + options, "rping -c" + options);
    }

    private static long lost() {
        JsonObject link = platform.one("link show net --json", "net");
        return link.getJsonObject("counters").getJsonNumber("lost").longValue();
    }

    @Test
    void aCaptureHoldsWholeConnections() {
        Path file = platform.file("rping.pcapng");
        platform.run("capture start net " + file).done();
        peers.run("rping -s -V -S 3000 -a 10.1.0.2 -C 1", "rping -c -V -S 3000 -a 10.1.0.2 -C 1");
        platform.run("capture stop net " + file).done();
        Frames frames = new Frames(file);
        assertThat(frames.fields("infiniband.mad.attributeid", "infiniband.mad.attributeid"))
                .as("REQ, REP, RTU, DREQ, DREP").contains("0x0010", "0x0013", "0x0014", "0x0015", "0x0016");
        assertThat(frames.fields("infiniband.bth.destqp > 1", "infiniband.bth.opcode"))
                .as("SEND only; WRITE and READ response first, middle, last; READ request; ACK")
                .contains("4", "6", "7", "8", "12", "13", "14", "15", "17");
        assertThat(frames.count("_ws.malformed")).isZero();
    }
}

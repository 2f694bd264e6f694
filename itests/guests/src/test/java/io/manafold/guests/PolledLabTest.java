package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab qemu-dpdk as it comes: two machines whose testpmd polls, and a port of ours, on one switch. */
@Tag("guest")
class PolledLabTest {
    private static final String[] MACS = {"00:0d:3a:d1:00:0a", "00:0d:3a:d1:00:0b"};
    private static final int CIRCLING = 32;
    private static final int OFTEN = 2_000;

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest one;
    private static Guest two;

    @BeforeAll
    static void boot() {
        platform = Platform.in(folder, "qemu-dpdk");
        adapters = new Adapters(platform);
        List<Guest> both = Guest.boot(polling("lab-a", "a"), polling("lab-b", "b"));
        one = both.getFirst();
        two = both.getLast();
        for (Guest guest : both) {
            guest.run("begin; modprobe mana && until_true 300 there eth0 && modprobe mana_ib").done();
        }
    }

    private static Guest.Plan polling(String name, String adapter) {
        return Guest.named(name).on(platform.exported(adapter)).cpus(2).memory(768).withDpdk()
                .with(Kit.library("line-buffered")).limit(Kit.times(400, 1200));
    }

    @AfterAll
    static void end() {
        for (Guest guest : new Guest[] {one, two}) {
            if (guest != null) {
                guest.close();
            }
        }
        if (platform != null) {
            platform.close();
        }
    }

    private static long sent(String adapter) {
        Map<String, Long> counters = adapters.counters(adapter, 1);
        return counters.get("tx_packets");
    }

    /** What the one broadcasts, the other sends back as it is, over and over; then functions are reset and revoked. */
    @Test
    void theMachinesForwardToEachOtherUntilTheirFunctionsGo() {
        long beforeOne = sent("a");
        long beforeTwo = sent("b");
        Polling left = Polling.begin(one, Polling.allowing(MACS[0], "--eth-peer=0,ff:ff:ff:ff:ff:ff -i"));
        Polling right = Polling.begin(two, Polling.probing("--eth-peer=0,ff:ff:ff:ff:ff:ff -i"));
        assertThat(left.said()).contains("Port 0: " + MACS[0].toUpperCase());
        assertThat(right.said()).contains("Port 0: " + MACS[1].toUpperCase());
        right.answer("start", "io packet forwarding - ports=1");
        left.answer("start tx_first", "io packet forwarding - ports=1");
        left.until("RX-packets", OFTEN);
        // the one that only receives ends the circle
        right.answer("stop", "^Done");
        right.answer("set fwd rxonly", "Set rxonly");
        right.answer("start", "rxonly packet forwarding - ports=1");
        long sentBack = sent("b") - beforeTwo;
        left.until("RX-packets", sentBack);
        long sent = sent("a") - beforeOne;
        right.until("RX-packets", sent);
        assertThat(sent).isEqualTo(sentBack + CIRCLING);
        assertThat(Polling.counted(left.answer("show port stats 0", "Tx-pps"), "RX-packets")).isEqualTo(sentBack);
        assertThat(Polling.counted(right.answer("show port stats 0", "Tx-pps"), "RX-packets")).isEqualTo(sent);
        for (String adapter : new String[] {"a", "b", "one"}) {
            adapters.refusedNothing(adapter);
        }
        assertThat(one.complaints()).isEmpty();
        functionsGo(left, right);
        assertThat(platform.complained()).isEmpty();
    }

    /** DPDK 25.11 does not resume a port whose function is reset: it takes it away. The kernel has it again. */
    private static void functionsGo(Polling left, Polling right) {
        platform.run("servicing reset a").done();
        left.await("Now total ports is 0");
        String said = left.said();
        Polling.inOrder(said, "Port 0: device removal event", "Telling cores to stop...", "Port 0 is closed",
                "Device is detached", "Now total ports is 0");
        platform.until("adapter show a --json", "a", shown -> "running".equals(shown.getString("state")));
        left.end();
        one.run("until_true 300 there eth0 && ip addr add 10.77.0.2/24 dev eth0 && ip link set eth0 up && "
                + "until_true 100 ping -c 1 -W 1 10.77.0.1", Polling.LONG).done();
        // the machine's bus does not tell its kernel: the program polls on, and finds nothing
        platform.run("servicing revoke b --for 2s").done();
        adapters.untilFree("b");
        assertThat(right.answer("show port stats 0", "Tx-pps")).contains("RX-packets");
        assertThat(two.alive()).isTrue();
    }
}

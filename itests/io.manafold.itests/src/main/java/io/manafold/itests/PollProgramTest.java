package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.NetDevice;
import io.manafold.api.testpmd.TestPmd;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.Drivers;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.TcpBeside;
import io.manafold.itests.net.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;

/** The program testpmd over real drivers: its poll-mode driver is replaced, and two run beside the Ethernet driver. */
class PollProgramTest extends PollPorts {
    /** Frames for everyone at its link, which the kernel's neighbours ask each other by. */
    private static final int STRANGERS = 100;
    private static final String LEFT_PORT = LEFT + ",mac=00:0d:3a:30:00:01";

    @Override
    int leftPorts() {
        return 5;
    }

    private TestPmdRun start(String prefix, List<String> ports, String... more) {
        List<String> words = new ArrayList<>(List.of("-l", "0-1", "--in-memory", "--file-prefix=" + prefix));
        ports.forEach(port -> words.addAll(List.of("-a", port)));
        words.addAll(List.of("--", "-i", "--forward-mode=macswap", "--port-topology=loop"));
        words.addAll(List.of(more));
        return platform.service(TestPmd.class).start(words);
    }

    private static long received(TestPmdRun run) {
        return ((List<?>) run.figures().get("ports")).stream().mapToLong(port -> (Long) ((Map<?, ?>) port)
                .get("rx-packets")).sum();
    }

    /** Packets that were sent first go round. */
    private static void goesRound(TestPmdRun run, String when) {
        long before = received(run);
        Wire.await("packets go round " + when, () -> received(run) > before + 1000);
    }

    private static void told(TestPmdRun run, StringBuilder sofar, String what) {
        Wire.await("it is told that " + what, () -> sofar.append(run.events()).indexOf(what) >= 0);
    }

    private Bundle driver() {
        return Arrays.stream(platform.context().getBundles())
                .filter(one -> one.getSymbolicName().equals("io.manafold.pmd")).findFirst().orElseThrow();
    }

    /** By lines, or by itself, the program goes on over the driver that comes. */
    @Test
    void theDriverIsReplacedUnderAProgram() throws Exception {
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        Bundle driver = driver();
        String peers = "--eth-peer=0,00:0d:3a:30:00:02";
        try (TcpBeside tcp = new TcpBeside(platform, folder, drivers);
                TestPmdRun run = start("replaced", List.of(LEFT_PORT, RIGHT), peers)) {
            run.line("start tx_first 2");
            goesRound(run, "at first");
            StringBuilder told = new StringBuilder();
            driver.stop();
            told(run, told, "Now total ports is 0\n");
            assertThat(told).contains("Port 0: intr_rmv event: Port 0 (" + LEFT + "_port1) has been removed with its "
                    + "driver.\n", "Port 1: intr_rmv event", "Port 1 is closed\n").doesNotContain("forwarded again");
            assertThat(run.line("dump mempool")).contains("in_use_count=0\n");
            assertThat(run.line("start")).contains("There is no port to forward packets of.", "ENODEV");
            assertThat(run.line("port attach " + RIGHT)).contains("Failed to attach port", "has ended", "ENODEV");
            driver.update(DriverJar.version("pmd", "1.0.1"));
            driver.start();
            Wire.await("there is a driver again", () -> run.line("port attach " + LEFT_PORT)
                    .contains("Port 0 is attached. Now total ports is 1\n"));
            assertThat(run.line("port attach " + RIGHT)).contains("Port 1 is attached. Now total ports is 2\n");
            assertThat(run.line("port attach " + RIGHT)).contains("Failed to attach port", "is in poll mode already");
            assertThat(run.line("port start all")).contains("Port 0: 00:0D:3A:30:00:01", "Port 1: 00:0D:3A:30:00:02");
            assertThat(run.line("start tx_first 2")).contains("peer=");
            goesRound(run, "with the driver that was attached to");
            assertThat(run.line("stop")).contains("Done.").doesNotContain("ended early");
            tcp.goesOn("behind that");
        }
        try (TestPmdRun run = start("replaced", List.of(LEFT_PORT, RIGHT), peers, "--hot-plug")) {
            run.line("set fwd txonly");
            run.line("start");
            driver.stop();
            driver.update(DriverJar.version("pmd", "1.0.2"));
            driver.start();
            told(run, new StringBuilder(), "Packets are forwarded again, by 2 ports.");
            goesOut(run);
            assertThat(run.line("stop")).contains("Done.");
            assertThat(run.line("port stop all")).contains("Done");
            assertThat(run.line("dump mempool")).contains("in_use_count=0\n");
        }
        drivers.refusedNothing();
    }

    private static void goesOut(TestPmdRun run) {
        Wire.await("packets go out", () -> ((List<?>) run.figures().get("ports")).stream()
                .allMatch(port -> (Long) ((Map<?, ?>) port).get("tx-packets") > 1000));
    }

    /** The function counts what its ports have missed; each of them shows its own, as of when it is shown. */
    @Test
    void whatAPortMissesIsItsOwn() throws Exception {
        drivers.network(LEFT, 4).setUp(false);
        fifth().setUp(false);
        try (TestPmdRun run = start("missed", List.of(LEFT + ",mac=" + Drivers.mac(LEFT, 4) + ",mac="
                + Drivers.mac(LEFT, 5)), "--portlist=0", "--eth-peer=0," + Drivers.mac(LEFT, 5))) {
            run.line("set fwd txonly");
            run.line("start");
            // the other port is not polled
            Wire.await("more is sent than there are buffers", () -> counted(run, 0, "tx-packets") > 50_000);
            run.line("stop");
            assertThat(counted(run, 0, "rx-missed")).isZero();
            long missed = counted(run, 1, "rx-missed");
            assertThat(missed).isBetween(counted(run, 0, "tx-packets") / 2, counted(run, 0, "tx-packets"));
            // both ports take part in the next run, whose losses are not those of the first
            run.line("set portlist 0,1");
            run.line("set fwd rxonly");
            run.line("start");
            assertThat(run.line("stop")).doesNotContainPattern("RX-dropped: [0-9]{5}");
        }
        drivers.refusedNothing();
    }

    private static long counted(TestPmdRun run, int port, String what) {
        return (Long) ((Map<?, ?>) ((List<?>) run.figures().get("ports")).get(port)).get(what);
    }

    private NetDevice fifth() throws Exception {
        return drivers.network(LEFT, 5);
    }

    /** Of one function two ports are polled, by a program each, and three belong to the Ethernet driver. */
    @Test
    void twoProgramsPollBesideTheEthernetDriver() throws Exception {
        network(LEFT).setUp(false);
        drivers.network(LEFT, 4).setUp(false);
        Flow far = new Flow("far", Drivers.mac(LEFT, 1), 0);
        Flow near = new Flow("near", Drivers.mac(LEFT, 4), 0);
        String fourth = LEFT + ",mac=" + Drivers.mac(LEFT, 4);
        // before hosts have the devices that are left
        far.attach(network(RIGHT));
        near.attach(fifth());
        try (TcpBeside tcp = new TcpBeside(platform, folder, drivers);
                TestPmdRun one = start("one", List.of(LEFT_PORT));
                TestPmdRun other = start("other", List.of(fourth))) {
            one.line("start");
            other.line("start");
            Wire.await("frames come back to both", () -> far.received() > 2000 && near.received() > 2000);
            tcp.goesOn("while two programs poll");
            assertThat(one.line("port attach " + fourth)).contains("is in poll mode already");
            assertThat(one.line("show port summary all")).contains(LEFT + "_port1").doesNotContain("_port4");
            // none has a frame of the other's flow: it would have more than were sent to it
            long back = far.received();
            assertThat(received(one)).isBetween(back, far.accepted());
            // those of hosts at the same link came by no program
            back = near.received() - near.damaged();
            assertThat(received(other)).isBetween(back, near.accepted() + STRANGERS);
            one.finish();
            network(LEFT).setUp(true);
            long before = near.received();
            Wire.await("the other program goes on", () -> near.received() > before + 2000);
            tcp.goesOn("after a program has ended");
            assertThat(far.damaged()).as("frames that are not as they were sent").isZero();
            assertThat(near.damaged()).as("frames of others at the same link").isLessThan(STRANGERS);
        } finally {
            far.detach();
            near.detach();
        }
        drivers.refusedNothing();
    }
}

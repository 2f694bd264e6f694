package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketFlags;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports that are detached, pulled out, and there again. */
class HotPlugTest extends LoopProgram {
    @Test
    void aPortThatComesBackTakesItsPlace() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --eth-peer=1,02:00:00:00:00:99")) {
            run.line("start");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            assertThat(run.events()).contains("Port 1: intr_rmv event: It has gone.\n",
                    "Port 1 is closed\nNow total ports is 1\n", "Packets are forwarded again, by 1 ports.");
            assertThat(run.line("show port info 1")).contains("Invalid port 1");
            environment.comeBack(second, 2);
            assertThat(run.events()).contains("Port 2: new event", "Port 2 is attached. Now total ports is 2\n",
                    "Port 2: 00:0D:3A:00:00:02\n", "Packets are forwarded again, by 2 ports.");
            assertThat(run.line("show config fwd")).contains("-> TX P=2/Q=0 (socket 0) peer=02:00:00:00:00:99");
            environment.remove(environment.ports.get(0));
            environment.remove(environment.ports.get(0));
            assertThat(run.events()).contains("Now total ports is 0\n");
            assertThat(run.line("stop")).startsWith("Packet forwarding not started: it ended when port 2 went.\n");
            environment.comeBack(second, 3);
            assertThat(run.events()).contains("Now total ports is 1\n").doesNotContain("forwarded again");
            assertThat(run.line("start")).contains("ports=1");
        }
    }

    @Test
    void aPortOfTheListMayGoAndComeBack() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --portlist=0,1")) {
            run.line("start");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            assertThat(run.events()).contains("Port 1 is closed\n", "Packets are forwarded again, by 1 ports.");
            second = environment.comeBack(second, 2);
            assertThat(run.events()).contains("Packets are forwarded again, by 2 ports.");
            assertThat(run.line("show config fwd")).contains("RX P=2/Q=0");
            environment.remove(environment.ports.get(0));
            environment.remove(second);
            assertThat(run.events()).contains("by 1 ports.", "Now total ports is 0\n").doesNotContain("ENODEV");
        }
    }

    /** Of each time until a port went, also when none is left. */
    @Test
    void whatWasForwardedIsToldAfterPortsHaveGone() {
        TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly");
        run.line("start tx_first 2");
        environment.remove(environment.ports.get(1));
        assertThat(run.figures()).as("with the port that is left").containsEntry("forwarding", true);
        environment.remove(environment.ports.get(0));
        assertThat(run.line("show fwd stats all")).containsPattern("for port 1 [\\s\\S]*TX-packets: 64 ");
        assertThat(run.finish()).containsPattern("statistics for port 0 [^F]*TX-packets: 64 [^F]*"
                + "Forward statistics for port 1 [^F]*TX-packets: 64 [^F]*Accumulated[^F]*TX-packets: 128 ");
        assertThat(run.figures().get("totals").toString())
                .matches("\\[\\{port=0,[^}]* tx-packets=64,[^}]*}, \\{port=1,[^}]* tx-packets=64,[^}]*}]");
    }

    /** Once; a port that comes back forwards nothing then. */
    @Test
    void aStopTellsWhatWasForwardedUntilAllPortsWent() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --forward-mode=rxonly")) {
            run.line("start tx_first 2");
            LoopPort first = environment.ports.get(0);
            environment.remove(environment.ports.get(1));
            environment.remove(first);
            assertThat(run.line("stop")).startsWith("Packet forwarding not started: it ended when port 0 went.\n")
                    .contains("for port 1 ", "TX-packets: 128 ").endsWith("\nDone.\n");
            assertThat(run.outcome()).containsEntry("status", 0);
            assertThat(run.line("stop")).isEqualTo(
                    "Packet forwarding not started: 'start' begins it. (EINVAL, -22)\n");
            assertThat(run.outcome()).containsEntry("status", 1);
            environment.comeBack(first, 2);
            assertThat(run.figures()).containsEntry("forwarding", false);
            assertThat(run.finish()).doesNotContain("Accumulated");
        }
    }

    /** A start begins to count anew. */
    @Test
    void whatWasForwardedBeforeAllPortsWentIsToldByTheNextStart() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first 2");
            environment.remove(environment.ports.get(1));
            environment.remove(environment.ports.get(0));
            assertThat(run.line("start")).contains("There is no port to forward");
            run.line("port attach 7870:00:00.0");
            run.line("port start all");
            assertThat(run.line("start")).containsPattern("TX-packets: 128 [\\s\\S]*rxonly packet forwarding");
            assertThat(run.line("stop")).contains("TX-packets: 0 ").doesNotContain("TX-packets: 64 ");
        }
    }

    /** A port counts on by its name; what was cleared is not told again. */
    @Test
    @Timeout(120)
    void whatWasForwardedBeforeAPortWentCounts() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --forward-mode=rxonly")) {
            run.line("start tx_first");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            second = environment.comeBack(second, 2);
            assertThat(run.figures()).as("as they are partial").containsEntry("forwarding", true)
                    .containsEntry("totals", List.of());
            receive(second, 8);
            String counts = "for port 0 [^F]*TX-packets: 32 [^F]*Forward statistics for port 2 [^F]*RX-packets: 8 "
                    + "[^F]*TX-packets: 32 [^F]*Accumulated[^F]*RX-packets: 8 [^F]*TX-packets: 64 ";
            assertThat(run.line("show fwd stats all")).containsPattern(counts);
            assertThat(run.line("stop")).containsPattern(counts);
            assertThat((List<?>) run.figures().get("totals")).hasSize(2);
            run.line("start tx_first");
            environment.remove(second);
            run.line("clear fwd stats all");
            assertThat(run.line("stop")).contains("TX-packets: 0 ").doesNotContain("TX-packets: 32 ");
            run.line("start tx_first");
            environment.comeBack(second, 3);
            run.line("clear port stats 0");
            assertThat(run.line("show fwd stats all")).contains("TX-packets: 0 ").doesNotContain("TX-packets: 32 ");
            assertThat(run.line("stop")).contains("for port 3 ").doesNotContain("TX-packets: 32 ");
            assertThat(run.finish()).doesNotContain("Accumulated");
        }
    }

    /** Of each time between what happened to ports. */
    @Test
    @Timeout(120)
    void whatWasBadCountsOverAllOfIt() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --forward-mode=csum")) {
            run.line("start");
            LoopPort first = environment.ports.get(0);
            LoopPort second = environment.ports.get(1);
            receive(first, 3, PacketFlags.IP_BAD);
            first.receiveErrors += 5;
            environment.remove(second);
            receive(first, 2, PacketFlags.IP_BAD | PacketFlags.TRANSPORT_BAD);
            first.receiveErrors += 7;
            environment.comeBack(second, 2);
            receive(first, 4, PacketFlags.TRANSPORT_BAD);
            first.receiveErrors += 11;
            assertThat(run.line("stop")).containsPattern("for port 0 [^F]*RX-packets: 9 [^F]*Bad-ipcsum: 5 +"
                    + "Bad-l4csum: 6 [^F]*RX-error: 23\n")
                    .containsPattern("for port 2 [^F]*Bad-ipcsum: 0 +Bad-l4csum: 0 ");
        }
    }

    /** As those of a primary that has closed them: they are not asked. */
    @Test
    void whatPortsHaveCountedThatHaveGoneIsCleared() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first");
            for (LoopPort port : List.copyOf(environment.ports)) {
                port.asked = () -> {
                    throw new Refusal(Errno.ENODEV, "It has gone.");
                };
                environment.remove(port);
            }
            assertThat(run.line("clear fwd stats all")).isEmpty();
            assertThat(run.line("stop")).contains("TX-packets: 0 ").doesNotContain("TX-packets: 32 ");
        }
    }

    /** It is closed, and the next ones are. */
    @Test
    void aCoreOrAPortThatDoesNotStopKeepsNoPortOfADriverThatHasGone() {
        environment = new LoopEnvironment(3, 3, 256);
        Program program = program();
        try (TestPmdRun run = program.start(List.of("-l", "0-1", "--", "-i", "--forward-mode=rxonly"))) {
            run.line("start");
            environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
            LoopPort third = environment.ports.get(2);
            environment.remove(third);
            assertThat(run.events()).contains("Its turn does not end.\n", "Port 2 is closed\nNow total ports is 2\n",
                    "Packets are forwarded again, by 2 ports.\n");
            assertThat(third.closed).isTrue();
            LoopEnvironment other = new LoopEnvironment(3, 3, 256);
            environment.ports.get(0).refusesToStop = new Refusal(Errno.EIO, "The port does not stop.");
            program.removeDriver(environment);
            program.addDriver(other);
            assertThat(run.line("port attach 7870:00:00.0")).contains("Port 0 is attached. Now total ports is 1",
                    "Port 2 is attached. Now total ports is 3");
            assertThat(run.events()).contains("Its turn does not end.\n", "The port does not stop.\n",
                    "Port 0 is closed\n", "Port 1 is closed\nNow total ports is 0\n").doesNotContain("again");
            assertThat(environment.ports).allMatch(port -> port.closed);
            run.line("port start all");
            assertThat(run.line("start")).contains("ports=3");
        }
    }

    @Test
    void aCoreThatDoesNotStopKeepsNoPortAway() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --forward-mode=rxonly")) {
            run.line("start");
            environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
            environment.come(new LoopPort(2, 2, 256));
            assertThat(run.events()).contains("Its turn does not end.\n",
                    "Port 2 is attached. Now total ports is 3\n", "Packets are forwarded again, by 3 ports.\n");
        }
    }

    /** It is left out, and the text says how it is to forward, too. */
    @Test
    @Timeout(120)
    void aPortThatComesAndDoesNotStartKeepsNoOtherFromForwarding() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --forward-mode=rxonly")) {
            run.line("start");
            LoopPort third = new LoopPort(2, 2, 256);
            third.refusal = Errno.EBUSY;
            environment.come(third);
            assertThat(run.events()).contains("Port 2 is attached. Now total ports is 3\n", "Fail to start port 2: ",
                    "Packets are forwarded again, by 2 ports.\nPort 2 is left out, since it has not started: 'port "
                    + "start 2', then 'stop' and 'start' have it forward, too.\n");
            receive(environment.ports.get(0), 8);
            third.refusal = null;
            assertThat(run.line("port start 2")).contains("Port 2: 00:0D:3A:00:00:03");
            assertThat(run.line("stop")).containsPattern("for port 0 [^F]*RX-packets: 8 ").doesNotContain("port 2");
            assertThat(run.line("start")).contains("ports=3");
        }
    }

    /** Of the first time until a port went, and not of the next start. */
    @Test
    @Timeout(120)
    void whatHasEndedACoreIsToldThoughAPortHasGoneSince() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start");
            endCore(environment.ports.get(0));
            environment.remove(environment.ports.get(1));
            assertThat(run.events()).contains("Packets are forwarded again, by 1 ports.");
            assertThat(run.line("stop")).contains("A core has ended early: java.lang.IllegalStateException: It broke.");
            run.line("start");
            assertThat(run.line("stop")).doesNotContain("A core has ended early");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "start"})
    @Timeout(120)
    void whatHasEndedACoreIsToldThoughAllPortsHaveGoneSince(String line) {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start");
            endCore(environment.ports.get(0));
            environment.remove(environment.ports.get(1));
            environment.remove(environment.ports.get(0));
            run.line("port attach 7870:00:00.0");
            run.line("port start all");
            assertThat(run.line(line)).contains("A core has ended early: java.lang.IllegalStateException: It broke.");
        }
    }

    private static void endCore(LoopPort polled) {
        polled.fault = new IllegalStateException("It broke.");
        while (polled.fault != null) {
            Thread.onSpinWait();
        }
    }

    /** One has gone for good, and the other has come with its number. */
    @Test
    void portsOfOneNumberAreToldApart() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --forward-mode=rxonly")) {
            run.line("start tx_first");
            environment.remove(environment.ports.get(1));
            assertThat(run.line("show fwd stats all")).contains("for port 1 ").doesNotContain("Device name");
            assertThat(run.line("port attach " + LoopEnvironment.OTHER)).contains("Port 1 is attached.");
            run.line("port start 1");
            environment.come(new LoopPort(2, 2, 256));
            assertThat(run.events()).contains("Packets are forwarded again, by 3 ports.");
            receive(environment.ports.get(1), 8);
            assertThat(run.line("stop")).containsPattern("for port 1  -+\n  Device name: 7870:00:00.0_port2\n"
                    + "[^F]*TX-packets: 32 ").containsPattern("for port 1  -+\n  Device name: 7870:00:00.0_port10\n"
                    + "  RX-packets: 8 ").containsPattern("for port 0  -+\n  RX-packets: 0 ");
            assertThat((List<?>) run.figures().get("totals")).extracting(Object::toString)
                    .anyMatch(one -> one.startsWith("{port=1, name=7870:00:00.0_port2, rx-packets=0,"))
                    .anyMatch(one -> one.startsWith("{port=1, name=7870:00:00.0_port10, rx-packets=8,"));
        }
    }

    /** A line that takes a port is carried out while the event of one that has gone waits. */
    @Test
    void aPortThatComesWithTheNumberOfOneThatHasGoneStays() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first");
            LoopPort first = environment.ports.get(0);
            environment.hold();
            environment.remove(first);
            assertThat(run.line("port attach " + LoopEnvironment.OTHER)).isEqualTo("Attaching a new port...\n"
                    + "Port 0 is closed\nNow total ports is 1\nPort 0 is attached. Now total ports is 2\nDone\n");
            assertThat(first.closed).isTrue();
            environment.deliver();
            assertThat(run.events()).contains("Packets are forwarded again, by 1 ports.\n", "Port 0: intr_rmv event")
                    .doesNotContain("closed");
            assertThat(run.line("show port info 0")).contains("Device name: 7870:00:00.0_port10");
            assertThat(environment.ports).noneMatch(port -> port.closed);
            assertThat(run.line("port start 0")).contains("Configuring Port 0");
            assertThat(run.line("stop")).containsPattern("for port 0 [^F]*TX-packets: 32 ");
        }
    }

    /** It has its place, whatever number the one had that has gone. */
    @Test
    void aPortThatIsTakenAgainBeforeItsEventHasItsPlace() {
        try (TestPmdRun run = start("-l 0-1 -- -i --portlist=1")) {
            LoopPort first = environment.ports.get(0);
            LoopPort second = environment.ports.get(1);
            environment.hold();
            environment.remove(second);
            environment.remove(first);
            environment.ports.add(new LoopPort(0, second.place(), 256));
            assertThat(run.line("port attach 7870:00:00.0")).contains("Port 0 is attached. Now total ports is 1\n");
            assertThat(List.of(first, second)).allMatch(port -> port.closed);
            environment.deliver();
            assertThat(run.line("port start 0")).contains("Port 0: 00:0D:3A:00:00:02");
            assertThat(run.line("start")).contains("RX P=0/Q=0");
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 1\n");
        }
    }

    /** Options give peers to numbers: a port that comes first with one has it, and one that has gone keeps its own. */
    @Test
    void aNewcomerHasThePeerOfItsNumber() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --eth-peer=0,02:00:00:00:00:99 "
                + "--eth-peer=2,02:00:00:00:00:97")) {
            LoopPort first = environment.ports.get(0);
            environment.remove(first);
            run.line("port attach " + LoopEnvironment.OTHER);
            run.line("port start 0");
            environment.comeBack(first, 2);
            assertThat(run.line("show config fwd")).contains("-> TX P=0/Q=0 (socket 0) peer=02:00:00:00:00:99",
                    "-> TX P=2/Q=0 (socket 0) peer=02:00:00:00:00:99");
            // what is given back has the peer of the number that it comes with
            run.line("port stop 0");
            run.line("port close 0");
            run.line("port stop 2");
            run.line("port close 2");
            assertThat(run.line("port attach 7870:00:00.0")).contains("Port 0 is attached.");
            run.line("set eth-peer 0 02:00:00:00:00:96");
            run.line("port close 0");
            run.line("port attach " + LoopEnvironment.OTHER);
            assertThat(run.line("show config fwd")).contains("-> TX P=0/Q=0 (socket 0) peer=02:00:00:00:00:99");
        }
    }

    /** As one of a primary that has closed it. */
    @Test
    void aPortThatGoesAndDoesNotTellWhatItCountedIsCountedByItsLanes() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first");
            LoopPort second = environment.ports.get(1);
            second.asked = () -> {
                throw new Refusal(Errno.ENODEV, "It has gone.");
            };
            environment.remove(second);
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 1\n");
            assertThat(run.line("stop")).containsPattern("for port 1 [^F]*TX-packets: 32 ");
        }
    }

    /** Names stay, and each port has what was set of it; what was set of none is that of none. */
    @Test
    void numbersMayChangeAmongPorts() {
        environment = new LoopEnvironment(3, 3, 256);
        Program program = program();
        try (TestPmdRun run = program.start(List.of("-l", "0-2", "--", "-i", "--rxq=2", "--txq=2", "--portlist=0,1,2",
                "--eth-peer=0,02:00:00:00:00:99", "--eth-peer=1,02:00:00:00:00:98"))) {
            String key = "6D5A".repeat(20);
            run.line("port config 0 rss-hash-key ipv4 " + key);
            run.line("port config 1 rss reta (0,1),(1,1)");
            run.line("port stop all");
            run.line("port config mtu 0 1400");
            run.line("port config mtu 1 1300");
            run.line("tx_vlan set 1 5");
            LoopEnvironment other = new LoopEnvironment(0, 3, 256);
            other.ports.add(new LoopPort(0, 2, 256));
            other.ports.add(new LoopPort(1, 0, 256));
            other.ports.add(new LoopPort(2, 1, 256));
            program.removeDriver(environment);
            program.addDriver(other);
            assertThat(run.line("port attach 7870:00:00.0")).contains("Port 2 is attached. Now total ports is 3");
            run.line("port start all");
            assertThat(other.ports).extracting(LoopPort::mtu).containsExactly(1500, 1400, 1300);
            assertThat(run.line("show port 1 rss-hash key")).contains(key);
            assertThat(run.line("show port 0 rss-hash key") + run.line("show port 2 rss-hash key"))
                    .doesNotContain(key);
            assertThat(other.ports.get(0).redirection()).startsWith(0, 1);
            assertThat(other.ports.get(1).redirection()).startsWith(0, 1);
            assertThat(other.ports.get(2).redirection()).startsWith(1, 1);
            assertThat(run.line("show port 2 tx_offload configuration")).contains("VLAN_INSERT");
            assertThat(run.line("show port 0 tx_offload configuration")
                    + run.line("show port 1 tx_offload configuration")).doesNotContain("VLAN_INSERT");
            assertThat(run.line("show config fwd")).containsSubsequence(
                    "RX P=1/Q=0 (socket 0) -> TX P=2/Q=0 (socket 0) peer=02:00:00:00:00:98",
                    "RX P=2/Q=0 (socket 0) -> TX P=1/Q=0 (socket 0) peer=02:00:00:00:00:99",
                    "RX P=0/Q=0 (socket 0) -> TX P=0/Q=0 (socket 0) peer=02:00:00:00:00:00");
        }
    }

    /** It has another port's number, and nothing else of it. */
    @Test
    void aPortHasNothingOfOneThatWasGivenBack() {
        for (String line : List.of("port close 0", "port detach 0", "device detach 7870:00:00.0")) {
            environment = new LoopEnvironment(2, 3, 256);
            try (TestPmdRun run = start("-l 0-1 -- -i --rxq=2 --txq=2")) {
                String key = "6D5A".repeat(20);
                run.line("port config 0 rss-hash-key ipv4 " + key);
                run.line("port config 0 rss reta (0,1),(1,1)");
                run.line("set eth-peer 0 02:00:00:00:00:99");
                run.line("port stop all");
                run.line("port config mtu 0 9000");
                run.line("tx_vlan set 0 5");
                run.line("vlan set strip on 0");
                assertThat(run.line(line)).doesNotContain("(E");
                assertThat(run.line("port attach " + LoopEnvironment.OTHER)).contains("Port 0 is attached.");
                hasNothing(run, key);
                // nor has it itself, when it is taken again
                run.line("port stop 0");
                run.line("port close 0");
                run.line("port detach 1");
                environment.ports.removeIf(port -> port.closed);
                assertThat(run.line("port attach 7870:00:00.0")).contains("Port 0 is attached.");
                hasNothing(run, key);
            }
        }
    }

    private void hasNothing(TestPmdRun run, String key) {
        assertThat(run.line("port start 0")).contains("Configuring Port 0");
        LoopPort port = environment.ports.stream().filter(one -> one.number() == 0 && !one.closed).findFirst()
                .orElseThrow();
        assertThat(port.mtu()).isEqualTo(1500);
        assertThat(port.redirection()).startsWith(0, 1);
        assertThat(port.plan().sendOffloads()).isZero();
        assertThat(run.line("show port 0 rx_offload configuration")).doesNotContain("VLAN_STRIP");
        assertThat(run.line("show port 0 rss-hash key")).contains("RSS key").doesNotContain(key);
        assertThat(run.line("show config fwd")).doesNotContain("02:00:00:00:00:99");
    }

    /** A port that has gone keeps its place from others, until it is there again. */
    @Test
    void aPlaceInTheListIsThePortsThatHasGone() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --portlist=1")) {
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            environment.come(new LoopPort(1, 7, 256));
            assertThat(run.line("start")).contains("There is no port to forward");
            environment.comeBack(second, 2);
            assertThat(run.line("start")).contains("RX P=2/Q=0").doesNotContain("P=1");
        }
    }

    /** What is done about an event is done whether it is told or not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none                                           | true  | true
            --mask-event=intr_rmv                          | false | true
            --mask-event all --print-event intr_rmv        | true  | false
            --mask-event=dev_probed                        | true  | false
            --mask-event=all --print-event=all             | true  | true
            --print-event=all --mask-event=all             | false | false
            --mask-event=vf_mbox                           | true  | true
            """)
    void eventsAreToldThatAreNotMasked(String options, boolean removed, boolean came) {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug" + (options == null ? "" : " " + options))) {
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            environment.comeBack(second, 2);
            String told = run.events();
            assertThat(told.contains("intr_rmv event")).isEqualTo(removed);
            assertThat(told.contains("new event")).isEqualTo(came);
            assertThat(told).contains("Port 1 is closed\n", "Port 2 is attached.");
            assertThat(run.opening()).doesNotContain("changes nothing here");
        }
    }

    @Test
    void withoutHotPlugWhatComesIsLeftAlone() {
        try (TestPmdRun run = start("-l 0-1 -- -i --portlist=1 --no-rmv-interrupt")) {
            run.line("start");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            assertThat(run.line("show port info 1")).contains("Device name: 7870:00:00.0_port2");
            environment.comeBack(second, 2);
            assertThat(run.events()).contains("intr_rmv", "new event").doesNotContain("attached", "closed");
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 2\n");
        }
    }

    @Test
    void whatIsDetachedIsGone() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            assertThat(run.line("port stop all")).contains("Done");
            assertThat(run.line("port detach 1")).contains("Port 1 is closed\nNow total ports is 1\n");
            assertThat(run.line("port detach 1")).contains("Invalid port 1");
            assertThat(run.line("device detach 7870:00:00.0")).contains("Now total ports is 0\n");
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 0\n");
            assertThat(run.line("start")).contains("There is no port", "ENODEV");
        }
    }

    /** It is the program's no more, either, and the line tells of both. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            port close all             | Port 1 is closed
            device detach 7870:00:00.0 | Device is detached
            """)
    void aPortThatDoesNotCloseKeepsNoOtherOpen(String line, String others) {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop all");
            List<LoopPort> both = List.copyOf(environment.ports);
            both.getFirst().refusesToStop = new Refusal(Errno.EIO, "The port does not close.");
            assertThat(run.line(line)).contains("Fail to close port 0, which is the program's no more: "
                    + "The port does not close. (EIO, -5)\n" + others + "\n");
            assertThat(run.outcome()).containsEntry("status", 1).containsEntry("errno", "EIO");
            assertThat(both).allMatch(port -> port.closed);
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 0\n");
        }
    }

    @Test
    void whatWasDetachedIsAttachedAgain() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop all");
            assertThat(run.line("port detach 0"))
                    .isEqualTo("Port was not closed\nRemoving a device...\nPort 0 is closed\n"
                    + "Now total ports is 1\nDone\n");
            assertThat(run.line("port detach 1"))
                    .endsWith("Port 1 is closed\nDevice is detached\nNow total ports is 0\nDone\n");
            assertThat(run.line("port attach 7870:00:00.0"))
                    .isEqualTo("Attaching a new port...\nPort 0 is attached. Now total ports is 1\n"
                    + "Port 1 is attached. Now total ports is 2\nDone\n");
            assertThat(run.line("start")).contains("Not all ports were started");
            assertThat(run.line("port start all"))
                    .contains("Configuring Port 0 (socket 0)\nPort 0: 00:0D:3A:00:00:01\n");
            assertThat(run.line("start")).contains("ports=2");
        }
    }
}

package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.testpmd.TestPmdRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            assertThat(run.line("stop")).contains("Packet forwarding not started");
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

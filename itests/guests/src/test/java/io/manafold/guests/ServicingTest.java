package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to a machine and to its adapter when either is taken away, or asks the other to begin again. A machine
 * that is well at the end of a test serves the next one, so that what has happened to it before must not matter.
 */
@Tag("guest")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServicingTest {
    private static final String LAB = """
            adapters:
              - {name: one, ports: 2, queues: 4}
            links:
              - {name: net, ports: [one/1, one/2]}
            exports:
              - {adapter: one, socket: %s/one.sock}
            """;
    /** The driver rests for ten seconds in the middle of a reset, and a command may cost it thirty. */
    private static final Duration LONG = Duration.ofMinutes(Kit.times(4, 60));

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;
    private static boolean well;

    @BeforeEach
    void begin() {
        if (platform == null) {
            platform = Platform.with(folder, LAB);
            adapters = new Adapters(platform);
        }
        well = false;
    }

    @AfterEach
    void endWhatIsNotWell() {
        if (!well) {
            end();
        }
    }

    @AfterAll
    static void end() {
        closeGuest();
        if (platform != null) {
            platform.close();
            platform = null;
        }
    }

    private static void closeGuest() {
        if (guest != null) {
            guest.close();
            guest = null;
        }
    }

    /** The machine of the test before, if it is well, or else a new one of this name. */
    private static void talking(String name) {
        if (guest == null) {
            guest = Guest.named(name).on(platform.socket("one")).limit(Kit.times(900, 7200)).boot();
            guest.run("begin; modprobe mana").done();
        } else {
            guest.run("begin; ended iperf3 || { kill $(pidof iperf3); until_true 100 ended iperf3; }").done();
        }
        guest.run("two_ends").done();
    }

    private void stream() {
        guest.run("far iperf3 -s -D; until_true 100 iperf3 -c 10.1.0.2 -n 64K").done();
        guest.run("iperf3 -c 10.1.0.2 -t 3600 >/tmp/stream.log 2>&1 & keeps_sending eth0 500").done();
    }

    private void streamGoesOn() {
        guest.run("keeps_sending eth0 500 || { cat /tmp/stream.log; false; }", LONG).done();
    }

    private void noSplat(List<String> complaints) {
        assertThat(complaints).noneMatch(line -> line.contains("WARNING:") || line.contains("BUG:")
                || line.contains("Oops") || line.contains("cut here"));
        assertThat(guest.run("cat /proc/sys/kernel/tainted").output().trim()).as("taint").isEqualTo("0");
    }

    @Test
    @Order(1)
    void aResetThatTheAdapterAsksForUnderTraffic() {
        talking("reset");
        stream();
        for (int i = 0; i < Kit.times(1, 20); i++) {
            // the driver takes the channel down and sets it up again: from running to running by way of something else
            assertThat(platform.run("servicing reset one").done().output()).contains("one is back after ");
            guest.run("until_true 600 ping -c 1 -W 1 10.1.0.2", LONG).done();
            platform.until("adapter show one --json", "one", shown -> "running".equals(shown.getString("state")));
            streamGoesOn();
        }
        noSplat(guest.complaints());
        // in a reset the driver writes one message over another without waiting, so that some are out of order when
        // they are read; of what comes after it nothing is refused
        platform.run("adapter show one --errors --forget").done();
        streamGoesOn();
        adapters.refusedNothing("one");
        well = true;
    }

    @Test
    @Order(2)
    void aReconfigurationFindsTheFunctionAnew() {
        talking("reconfigure");
        String index = guest.run("cat /sys/class/net/eth0/ifindex").done().output();
        // by the time it is back, the kernel has taken the old device away
        platform.run("servicing reset one --reconfigure").done();
        guest.run("two_ends", LONG).done();
        assertThat(guest.run("cat /sys/class/net/eth0/ifindex").done().output()).isNotEqualTo(index);
        noSplat(guest.complaints());
        well = true;
    }

    @Test
    @Order(4)
    void aMachineThatIsKilledLeavesTheAdapterClean() {
        for (int i = 0; i < Kit.times(1, 20); i++) {
            talking("killed-" + i);
            stream();
            guest.kill();
            adapters.untilFree("one");
            closeGuest();
        }
        talking("after");
        stream();
        streamGoesOn();
        assertThat(guest.complaints()).isEmpty();
        assertThat(platform.alive()).isTrue();
        well = true;
    }

    @Test
    @Order(5)
    void aPlatformThatIsKilledServesAfterItsNextStart() {
        talking("orphan");
        stream();
        platform.kill();
        assertThat(guest.alive()).as("the machine lives on without its adapter").isTrue();
        guest.kill();
        closeGuest();
        platform.start();
        talking("served");
        stream();
        streamGoesOn();
        assertThat(guest.complaints()).isEmpty();
        well = true;
    }

    /** QEMU connects once and never again, so a machine cannot get its function back; the next one can. */
    @Test
    @Order(6)
    void aFunctionThatIsRevokedUnderAMachineServesTheNextOne() {
        talking("surprised");
        stream();
        platform.run("servicing revoke one").done();
        platform.until("adapter show one --json", "one", shown -> "revoked".equals(shown.getString("state")));
        noSplat(guest.complaints());
        assertThat(guest.alive()).as("the machine lives on without its function").isTrue();
        guest.kill();
        closeGuest();
        platform.run("servicing restore one").done();
        adapters.untilFree("one");
        talking("next");
        stream();
        streamGoesOn();
        assertThat(guest.complaints()).isEmpty();
        well = true;
    }

    /** The driver is not told: a question stays unanswered for half a minute, then it begins again. */
    @Test
    @Order(3)
    void aFunctionLevelResetUnderTheDriverIsRecoveredFrom() {
        talking("flr");
        // a frame sent into the reset would never be completed, and the driver waits two minutes for each port's frames
        guest.run("ip link set eth0 down; far ip link set eth1 down").done();
        guest.run("echo 1 >/sys/bus/pci/devices/$(function)/reset").done();
        platform.until("adapter show one --json", "one", shown -> !"running".equals(shown.getString("state")));
        platform.until("adapter show one --json", "one", shown -> "running".equals(shown.getString("state")));
        guest.run("two_ends", LONG).done();
        stream();
        streamGoesOn();
        noSplat(guest.complaints());
        well = true;
    }
}

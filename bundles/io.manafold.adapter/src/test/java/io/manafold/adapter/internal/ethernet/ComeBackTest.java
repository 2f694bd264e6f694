package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.LinkStatus.PortStatus;
import io.manafold.fabric.internal.TestSwitch;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port whose software made a mistake is thrown out of its link; the reset of its function brings it back. */
@Timeout(300)
class ComeBackTest {
    @Test
    void aPortThatWasThrownOutComesBackAndItsLinkSaysHowOften() throws InterruptedException {
        try (TestSwitch net = new TestSwitch("one/1", "two/1"); Guest one = new Guest("one", 0x000d3a000001L);
                Guest two = new Guest("two", 0x000d3a000002L)) {
            one.port.attach(net.link());
            two.port.attach(net.link());
            GuestReceiver receiver = two.receiver(1, 4096).post(8, 1514).open();
            for (int mistakes = 1; mistakes <= 2; mistakes++) {
                one.port.transmitVia(Guest.PD, 4, 0);
                GuestSender sender = one.sender(0x400, 4096);
                one.raised = new AssertionError("a mistake, made for this test");
                send(sender);
                int expected = mistakes;
                await(() -> status(net).mistakes() == expected);
                assertThat(status(net).plugged()).isFalse();
                assertThat(net.link().status().problems()).anyMatch(line -> line.contains("one/1")
                        && line.contains("when its function is reset"));

                one.port.quiesce();
                one.port.comeBack();
                assertThat(status(net).plugged()).isTrue();
                assertThat(net.link().status().problems()).isEmpty();
                one.port.transmitVia(Guest.PD, 4, 0);
                send(one.sender(0x500, 4096));
                int arrived = mistakes;
                await(() -> receiver.queue.consumed() >= arrived * 32);
                one.port.quiesce();
            }
            one.port.comeBack();
            assertThat(status(net).mistakes()).isEqualTo(2);
        }
    }

    private static void send(GuestSender sender) {
        byte[] frame = Packets.ip(4, Packets.UDP, 0x000d3a000002L, 100, 1);
        sender.post(sender.guest.put(frame), frame.length).ring();
    }

    private static PortStatus status(TestSwitch net) {
        return net.link().status().ports().getFirst();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(Duration.ofMillis(1));
        }
    }
}

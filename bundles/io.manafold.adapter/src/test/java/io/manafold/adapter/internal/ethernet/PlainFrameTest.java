package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlainFrameTest {
    private final Guest one = new Guest("one", 0x000d3a000001L);
    private final Guest two = new Guest("two", 0x000d3a000002L);
    private final DirectLink link = new DirectLink();
    private final Random random = new Random(1);

    @BeforeEach
    void plugIn() {
        one.port.attach(link);
        two.port.attach(link);
        one.port.transmitVia(Guest.PD, 4, 0);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private byte[] frame(long destination, int length) {
        byte[] frame = new byte[length];
        random.nextBytes(frame);
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (destination >>> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }

    @Test
    void aFrameArrivesAndBothSidesHearOfIt() {
        GuestSender sender = one.sender(0x400, 4096);
        GuestReceiver receiver = two.receiver(1, 4096).post(2, 1514).open();
        sender.completions.arm();
        receiver.completions.arm();
        byte[] frame = frame(two.mac.value(), 90);

        sender.send(frame);

        GuestReceiver.Arrived arrived = receiver.receive();
        assertThat(arrived.type()).isEqualTo(1);
        assertThat(arrived.frame()).isEqualTo(frame);
        assertThat(arrived.flags()).isZero();
        assertThat(arrived.last()).isEqualTo(0x20000001);
        byte[] completion = sender.completions.poll();
        assertThat(GuestReceiver.u32(completion, 0)).isEqualTo(0x60);
        assertThat(GuestReceiver.u32(completion, 0x3c)).isEqualTo(0x21000400);
        assertThat(sender.completions.vectors).isEqualTo(1);
        assertThat(receiver.completions.vectors).isEqualTo(1);
        assertThat(one.rejected).isEmpty();
        assertThat(two.rejected).isEmpty();
    }
}

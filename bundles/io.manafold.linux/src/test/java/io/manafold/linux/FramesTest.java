package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tap and a packet socket on it, where this process may have them: what one sends the other receives. */
class FramesTest {
    private static final int ROOM = 2048;
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EACCES = 13;

    private final MemorySegment memory = Arena.ofAuto().allocate(ROOM);
    private Tap tap;
    private PacketSocket socket;

    @BeforeEach
    void open() throws Exception {
        try {
            tap = Tap.open("mftest%d");
            InterfaceControl.mtu(tap.name(), 1400);
            InterfaceControl.up(tap.name(), true);
            socket = PacketSocket.open(tap.name());
        } catch (SystemCallException failed) {
            close();
            boolean mayNot = failed.errno() == EPERM || failed.errno() == EACCES || failed.errno() == ENOENT;
            assumeTrue(!mayNot, "this process may have no tap: " + failed.getMessage());
            throw failed;
        }
    }

    @AfterEach
    void close() {
        if (socket != null) {
            socket.close();
        }
        if (tap != null) {
            tap.close();
        }
    }

    @Test
    void theInterfaceIsAsItWasSet() throws Exception {
        assertThat(tap.name()).matches("mftest\\d+");
        assertThat(InterfaceControl.mtu(tap.name())).isEqualTo(1400);
        assertThat(InterfaceControl.isUp(tap.name())).isTrue();
        assertThat(InterfaceControl.hardwareAddress(tap.name())).hasSize(6);
        assertThat(InterfaceControl.driver(tap.name())).isEqualTo("tun");
        InterfaceControl.up(tap.name(), false);
        assertThat(InterfaceControl.isUp(tap.name())).isFalse();
        String name = tap.name();
        tap.close();
        assertThatThrownBy(() -> InterfaceControl.index(name)).hasMessageContaining("ENODEV");
        assertThat(tap.write(memory.address(), 60)).isEqualTo(-9);
        assertThat(tap.read(memory.address(), ROOM)).isEqualTo(-9);
    }

    @Test
    void aFrameCrossesInBothDirections() throws Exception {
        byte[] frame = frame(0x88b5);
        put(frame);
        assertThat(tap.write(memory.address(), frame.length)).isEqualTo(frame.length);
        assertThat(received(socket.descriptor(), room -> socket.receive(memory.address(), room), 12, 0x88b5))
                .isEqualTo(frame);

        frame[20] = 99;
        put(frame);
        assertThat(socket.send(memory.address(), frame.length)).isEqualTo(frame.length);
        assertThat(received(tap.descriptor(), room -> tap.read(memory.address(), room), 12, 0x88b5))
                .isEqualTo(frame);
    }

    @Test
    void aVlanTagIsPutBack() throws Exception {
        byte[] frame = frame(0x8100);
        frame[14] = 0x20;
        frame[15] = 0x05;
        frame[16] = (byte) 0x88;
        frame[17] = (byte) 0xb5;
        put(frame);
        assertThat(tap.write(memory.address(), frame.length)).isEqualTo(frame.length);
        assertThat(received(socket.descriptor(), room -> socket.receive(memory.address(), room), 16, 0x88b5))
                .isEqualTo(frame);
    }

    @Test
    void nothingThereIsNoError() {
        int length;
        do {
            // the kernel greets a new interface with frames of its own
            length = tap.read(memory.address(), ROOM);
        } while (length > 0);
        assertThat(length).isEqualTo(-Linux.WOULD_BLOCK);
        assertThat(socket.receive(memory.address(), 4)).isEqualTo(-22);
    }

    @Test
    void namesThatAreNoneAreRefused() {
        assertThatThrownBy(() -> Tap.open("a-name-of-16-byt")).hasMessageContaining("EINVAL");
        assertThatThrownBy(() -> Tap.open("")).hasMessageContaining("EINVAL");
        assertThatThrownBy(() -> PacketSocket.open("nosuchthing")).hasMessageContaining("ENODEV");
    }

    private interface Source {
        int take(int room);
    }

    /** The next frame with a certain type at a certain place. */
    private byte[] received(Descriptor from, Source source, int typeAt, int type) throws SystemCallException {
        Poll poll = new Poll(1);
        poll.add(from, Poll.READABLE);
        while (true) {
            int length = source.take(ROOM);
            if (length == -Linux.WOULD_BLOCK) {
                assertThat(poll.await(60_000)).isEqualTo(1);
                continue;
            }
            assertThat(length).isPositive();
            byte[] frame = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            if (length > typeAt + 1 && ((frame[typeAt] & 0xff) << 8 | frame[typeAt + 1] & 0xff) == type) {
                return frame;
            }
        }
    }

    private void put(byte[] frame) {
        memory.fill((byte) 0);
        MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
    }

    private static byte[] frame(int type) {
        byte[] frame = new byte[80];
        for (int i = 18; i < frame.length; i++) {
            frame[i] = (byte) i;
        }
        Arrays.fill(frame, 0, 6, (byte) 0xff);
        frame[6] = 2;
        frame[11] = 7;
        frame[12] = (byte) (type >> 8);
        frame[13] = (byte) type;
        return frame;
    }
}

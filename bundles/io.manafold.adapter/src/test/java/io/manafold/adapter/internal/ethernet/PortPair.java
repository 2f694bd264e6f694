package io.manafold.adapter.internal.ethernet;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two ports on a direct link: the first sends, the second receives. */
abstract class PortPair {
    final Guest one = new Guest("one", 0x000d3a000001L, 16 << 20, mtuFrame());
    final Guest two = new Guest("two", 0x000d3a000002L, 16 << 20, mtuFrame());
    final DirectLink link = new DirectLink();
    GuestSender sender;
    GuestReceiver receiver;

    int mtuFrame() {
        return Guest.MTU_FRAME;
    }

    @BeforeEach
    void plugIn() {
        link.watching = true;
        one.port.attach(link);
        two.port.attach(link);
        one.port.transmitVia(Guest.PD, 4, 0);
        sender = one.sender(0x400, 8192);
        receiver = two.receiver(1, 8192).post(128, 9014).open();
    }

    @AfterEach
    void unplug() {
        one.close();
        two.close();
    }

    /** All frames that have arrived. */
    List<byte[]> arrived() {
        List<byte[]> frames = new ArrayList<>();
        GuestReceiver.Arrived next;
        while ((next = receiver.receive()) != null) {
            frames.add(next.frame());
        }
        return frames;
    }

    byte[] plain(int length) {
        byte[] frame = new byte[length];
        for (int i = 0; i < length; i++) {
            frame[i] = (byte) (i * 31 + length);
        }
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (two.mac.value() >>> 40 - 8 * i);
        }
        frame[6] = 2;
        Packets.put16(frame, 12, 0x88b5);
        return frame;
    }

    long counter(Guest guest, String name) {
        return guest.port.status().counters().get(name);
    }

    long queueCounter(Guest guest, String name) {
        return guest.port.status().queues().getFirst().get(name);
    }
}

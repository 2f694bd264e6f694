package io.manafold.benchmark;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketUser;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The user above the device: reads a packet's headers and lets it go. On the link's thread, as everything here. */
final class FrameSink implements PacketUser {
    /** Words of the headers that are looked at, and how they lie in memory. */
    static final int FIRST = 0;
    static final int SECOND = 24;
    static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final int length;
    private long received;
    private long sum;
    private long wrong;

    FrameSink(int length) {
        this.length = length;
    }

    @Override
    public String name() {
        return "sink";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            sum += packet.get64(FIRST) + packet.get64(SECOND);
            if (packet.length() != length) {
                wrong++;
            }
        }
        PacketBuffer.release(packets, 0, count);
        received += count;
    }

    long received() {
        return received;
    }

    /** Of the headers of all packets. */
    long sum() {
        return sum;
    }

    /** Packets of another length. */
    long wrong() {
        return wrong;
    }
}

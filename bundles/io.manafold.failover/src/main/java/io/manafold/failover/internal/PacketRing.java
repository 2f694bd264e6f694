package io.manafold.failover.internal;

import io.manafold.api.net.PacketBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Packets on their way from one thread to another, in order; who takes them owns them. */
final class PacketRing {
    static final int CAPACITY = 2048;
    private static final int MASK = CAPACITY - 1;
    private static final VarHandle WRITTEN;
    private static final VarHandle READ;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WRITTEN = lookup.findVarHandle(PacketRing.class, "written", long.class);
            READ = lookup.findVarHandle(PacketRing.class, "read", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final PacketBuffer[] packets = new PacketBuffer[CAPACITY];
    private long written;
    private long read;

    /** Puts packets in; how many found room, from the first on. On the one thread that puts. */
    int put(PacketBuffer[] from, int first, int count) {
        long at = written;
        int room = (int) Math.min(count, CAPACITY - (at - (long) READ.getAcquire(this)));
        for (int i = 0; i < room; i++) {
            packets[(int) (at + i) & MASK] = from[first + i];
        }
        WRITTEN.setRelease(this, at + room);
        return room;
    }

    /** Takes the oldest packets out; how many there were. On the one thread that takes. */
    int take(PacketBuffer[] into, int from, int most) {
        long at = read;
        int count = (int) Math.min(most, (long) WRITTEN.getAcquire(this) - at);
        for (int i = 0; i < count; i++) {
            int place = (int) (at + i) & MASK;
            into[from + i] = packets[place];
            packets[place] = null;
        }
        READ.setRelease(this, at + count);
        return count;
    }

    /** Whether there is none; on the thread that takes. */
    boolean isEmpty() {
        return (long) WRITTEN.getAcquire(this) == read;
    }
}

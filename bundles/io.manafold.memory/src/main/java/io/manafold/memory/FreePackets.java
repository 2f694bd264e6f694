package io.manafold.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The free packets of a pool that no thread keeps to itself: a stack for all threads, of which each moves many at a
 * time.
 */
final class FreePackets {
    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(FreePackets.class, "busy", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int[] stack;
    private final Runnable home;
    private final List<PacketCache> caches = new CopyOnWriteArrayList<>();
    private int top;
    /** Of a pool that is checked; {@code null} otherwise. */
    private PacketOwners owners;
    private boolean closed;
    /** 1 while a thread is at the stack, which is for the time of an array copy. */
    private int busy;

    /** @param home is run once, when it is closed and all are here */
    FreePackets(int first, int count, Runnable home) {
        stack = new int[count];
        this.home = home;
        for (int i = 0; i < count; i++) {
            stack[i] = first + count - 1 - i;
        }
        top = count;
    }

    /** From now on it is told what is taken and given back. */
    void tell(PacketOwners all) {
        owners = all;
    }

    private void enter() {
        while (!BUSY.compareAndSet(this, 0, 1)) {
            Thread.onSpinWait();
        }
    }

    private void leave() {
        BUSY.setRelease(this, 0);
    }

    boolean take(int[] into, int from, int wanted) {
        enter();
        try {
            if (closed || wanted > top) {
                return false;
            }
            top -= wanted;
            System.arraycopy(stack, top, into, from, wanted);
        } finally {
            leave();
        }
        if (owners != null) {
            owners.taken(into, from, wanted);
        }
        return true;
    }

    /** More than there can be are not taken: their giver does not own them. */
    void give(int[] packets, int from, int amount) {
        boolean last;
        if (owners != null) {
            owners.given(packets, from, amount);
        }
        enter();
        try {
            int taken = Math.min(amount, stack.length - top);
            System.arraycopy(packets, from, stack, top, taken);
            top += taken;
            last = closed && taken > 0 && top == stack.length;
        } finally {
            leave();
        }
        if (last) {
            home.run();
        }
    }

    void give(int packet) {
        boolean last;
        if (owners != null) {
            owners.given(new int[] {packet}, 0, 1);
        }
        enter();
        try {
            if (top == stack.length) {
                return;
            }
            stack[top++] = packet;
            last = closed && top == stack.length;
        } finally {
            leave();
        }
        if (last) {
            home.run();
        }
    }

    void close() {
        boolean last;
        enter();
        try {
            closed = true;
            last = top == stack.length;
        } finally {
            leave();
        }
        if (last) {
            home.run();
        }
    }

    int size() {
        enter();
        try {
            return top;
        } finally {
            leave();
        }
    }

    /** How many threads keep to themselves; a little behind while they work. */
    int kept() {
        int kept = 0;
        for (PacketCache cache : caches) {
            kept += cache.size();
        }
        return kept;
    }

    void add(PacketCache cache) {
        caches.add(cache);
    }

    void remove(PacketCache cache) {
        caches.remove(cache);
    }
}

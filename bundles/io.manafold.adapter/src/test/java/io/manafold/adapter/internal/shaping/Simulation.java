package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** Queues that send through a tree of shapers, and a clock that goes on when it is told to. */
final class Simulation {
    /** Sees what leaves, at the time at which it was let go. */
    interface Onlooker {
        void left(int slot, int bytes, int frames, long when);
    }

    static final int FRAME = 1514;
    private static final long AWAKE = 1_000;

    final PortShapers shapers;
    final SendTree tree;
    final long[] bytes;
    final long[] frames;
    final int[] length;
    /** Frames that wait at each place. */
    final long[] waiting;
    /** The sending thread is so late, each time. */
    long late;
    /** The sending thread gets no processor for a while, wherever it is just then. */
    LongSupplier stalls = () -> 0;
    Onlooker onlooker = (slot, sent, count, when) -> { };
    /** What the wire itself takes for a byte; without it, sending takes no time. */
    double wireNanos;
    long now;

    Simulation(int queues) {
        this(queues, Long.MAX_VALUE - 700_000_000);
    }

    Simulation(int queues, long begin) {
        shapers = new PortShapers(queues, step -> step.accept(now));
        tree = shapers.tree();
        bytes = new long[queues];
        frames = new long[queues];
        waiting = new long[queues];
        length = new int[queues];
        Arrays.fill(length, FRAME);
        now = begin;
    }

    static ShaperValues vport(long most) {
        return new ShaperValues(1, 0, 0, 0, 0, 0, 0, 0, most, 0);
    }

    static ShaperValues queue(int id, long least, long most, int priority, int weight) {
        return new ShaperValues(2, id, 1, 0, 0, priority, weight, least, most, 0);
    }

    static ShaperValues node(int id, int parent, long most, int weight) {
        return new ShaperValues(3, id, parent < 0 ? 1 : 3, Math.max(0, parent), 0, 0, weight, 0, most, 0);
    }

    Simulation set(ShaperValues values) {
        shapers.set(values);
        return this;
    }

    Simulation group(ShaperValues node, ShaperValues... leaves) {
        shapers.group(node, List.of(leaves));
        return this;
    }

    /** Queues that always have something to send. */
    Simulation flood(int... queues) {
        for (int queue : queues) {
            waiting[queue] = Long.MAX_VALUE / 2;
        }
        return this;
    }

    /** Goes on for a while; what was sent is counted anew. */
    Simulation run(long nanos) {
        Arrays.fill(bytes, 0);
        Arrays.fill(frames, 0);
        long end = now + nanos;
        while (now - end < 0) {
            now += stalls.getAsLong();
            begin();
            int slot = tree.next(now);
            if (slot < 0) {
                long due = tree.due(now);
                // what is late already is waited for awake
                long wait = due == Long.MAX_VALUE ? end - now : due - now > 0 ? due - now + late : AWAKE;
                now += Math.min(wait, end - now);
            } else {
                send(slot);
            }
        }
        return this;
    }

    private void begin() {
        long ready = 0;
        for (int i = 0; i < waiting.length; i++) {
            ready |= waiting[i] > 0 ? 1L << i : 0;
        }
        tree.begin(ready, now);
    }

    private void send(int slot) {
        int sum = 0;
        int count = 0;
        while (sum < tree.bytes() && count < tree.frames() && waiting[slot] > 0) {
            sum += length[slot];
            count++;
            waiting[slot]--;
        }
        bytes[slot] += sum;
        frames[slot] += count;
        onlooker.left(slot, sum, count, now);
        now += (long) (sum * wireNanos);
        tree.sent(slot, sum, count, now);
        if (waiting[slot] == 0) {
            tree.end(slot, now);
        }
    }

    long total() {
        return Arrays.stream(bytes).sum();
    }
}

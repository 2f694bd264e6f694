package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketOwners;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.pmd.internal.queue.BurstCheck;
import io.manafold.pmd.internal.queue.Gate;
import java.util.Objects;
import java.util.function.Consumer;

/** A queue of another process's port: the sides that receive and send are polled by a thread each. */
final class AttachedQueue {
    /** Empty packets that wait to be filled. */
    private static final int POSTED = 256;
    private static final int REFILL = 32;
    /** Who has its packets before its first burst and at its end. */
    private static final String WAITING = "a queue of a primary";

    private final PacketPool pool;
    private final MemoryBlock block;
    private final QueueRings rings;
    private final Consumer<String> failureListener;
    private final int first;
    private final Gate receiving = new Gate();
    private final Gate sending = new Gate();
    /** By index, whether the primary has it. */
    private final boolean[] posted;
    private final boolean[] sent;
    private final int[] some = new int[POSTED];
    private final int[] home = new int[IndexRing.ENTRIES];
    private final int[] copy = new int[1];
    private int empties;
    private int underWay;
    /** Packets that were taken and are not sent. Written by the thread that sends. */
    private long dropped;
    private final In in = new In();
    private final Out out = new Out();

    AttachedQueue(PacketPool pool, MemoryBlock block, Consumer<String> failureListener) {
        this.pool = pool;
        this.block = block;
        this.failureListener = failureListener;
        rings = new QueueRings(block.segment().address());
        first = pool.number() << 24;
        posted = new boolean[pool.packets()];
        sent = new boolean[pool.packets()];
        receiving.open();
        sending.open();
        // so that packets can come before the first burst
        PacketOwners.acting(WAITING);
        try {
            refill();
        } finally {
            PacketOwners.done();
        }
    }

    ReceiveQueue in() {
        return in;
    }

    SendQueue out() {
        return out;
    }

    long dropped() {
        return dropped;
    }

    private boolean is(boolean[] there, int index) {
        if (index >= 0 && index < there.length && there[index]) {
            return true;
        }
        failureListener.accept("The primary has said that a packet has come or is sent which it did not have.");
        return false;
    }

    private void check() {
        if (rings.isBroken()) {
            failureListener.accept("The primary has written into a ring what cannot be.");
        }
    }

    private void refill() {
        int wanted = Math.min(POSTED - empties, rings.empty.room());
        while (wanted > 0 && !pool.take(some, 0, wanted)) {
            wanted /= 2;
        }
        for (int i = 0; i < wanted; i++) {
            int index = some[i] & 0xff_ffff;
            posted[index] = true;
            rings.empty.put(index, 0, 0);
        }
        if (wanted > 0) {
            empties += wanted;
            rings.empty.publish();
        }
    }

    private final class In implements ReceiveQueue {
        @Override
        public int burst(int[] packets, int from, int most) {
            Objects.checkFromIndexSize(from, most, packets.length);
            if (!receiving.enter()) {
                return 0;
            }
            try {
                int there = Math.min(most, rings.come.waiting());
                int count = 0;
                while (count < there && take(packets, from + count, count)) {
                    count++;
                }
                if (count > 0) {
                    rings.come.taken(count);
                    empties -= count;
                }
                if (POSTED - empties >= REFILL) {
                    refill();
                }
                check();
                return count;
            } finally {
                receiving.leave();
            }
        }

        private boolean take(int[] packets, int at, int ahead) {
            int index = rings.come.index(ahead);
            if (!is(posted, index)) {
                return false;
            }
            posted[index] = false;
            int packet = first | index;
            long word = rings.come.first(ahead);
            int length = Math.min(PacketPool.length(word), pool.room());
            pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, PacketPool.flags(word)));
            long second = rings.come.second(ahead);
            pool.second(packet, PacketPool.second(PacketPool.hash(second), PacketPool.tag(second)));
            packets[at] = packet;
            return true;
        }

        @Override
        public void arm() {
            throw polled();
        }

        @Override
        public boolean await(long nanos) {
            throw polled();
        }

        private Refusal polled() {
            return new Refusal(Errno.EOPNOTSUPP, "A queue of another process's port has no interrupts; poll it.");
        }
    }

    private final class Out implements SendQueue {
        private static final int NO_ROOM = -1;

        @Override
        public int burst(int[] packets, int from, int count) {
            Objects.checkFromIndexSize(from, count, packets.length);
            if (!sending.enter()) {
                return 0;
            }
            try {
                BurstCheck.check(packets, from, count);
                reap();
                int room = Math.min(count, Math.min(rings.toSend.room(), IndexRing.ENTRIES - underWay));
                int put = 0;
                int taken = 0;
                while (taken < room && PacketPool.of(packets[from + taken]) != null) {
                    int more = put(packets, from + taken);
                    if (more == NO_ROOM) {
                        break;
                    }
                    put += more;
                    taken++;
                }
                if (put > 0) {
                    underWay += put;
                    rings.toSend.publish();
                }
                check();
                return taken;
            } finally {
                sending.leave();
            }
        }

        /**
         * One that cannot be sent is let go and counted: what the primary has no memory of, and chains. Where a copy
         * has no room for now, it stays its sender's.
         */
        private int put(int[] packets, int at) {
            int packet = packets[at];
            PacketPool its = PacketPool.of(packet);
            if ((packet & 0xff_ffff) >= its.packets()) {
                // no packet of the pool, which has none to give back
                dropped++;
                return 0;
            }
            boolean isPlain = its == pool && (pool.second(packet) & -1L << 48) == PacketPool.SINGLE;
            if (!isPlain && !isCopied(its, packet)) {
                PacketPool.tryRelease(packets, at, 1);
                dropped++;
                return 0;
            }
            if (!isPlain && !pool.take(copy, 0, 1)) {
                return NO_ROOM;
            }
            if (!isPlain) {
                copy(its, packet);
                PacketPool.tryRelease(packets, at, 1);
            }
            int index = (isPlain ? packet : copy[0]) & 0xff_ffff;
            sent[index] = true;
            rings.toSend.put(index, pool.first(first | index), pool.second(first | index));
            return 1;
        }

        /** Whether a packet whose bytes are not its own alone, or not of this pool, can be sent as a copy. */
        private boolean isCopied(PacketPool its, int packet) {
            long word = its.first(packet);
            int length = PacketPool.length(word);
            return PacketPool.segments(its.second(packet)) == 1 && length <= pool.room()
                    && isThere(its, packet, word, length);
        }

        private void copy(PacketPool its, int packet) {
            long word = its.first(packet);
            long second = its.second(packet);
            // its words may be another thread's by mistake: what was looked at was as long as this at most
            int length = Math.min(PacketPool.length(word), pool.room());
            pool.first(copy[0], PacketPool.first(PacketPool.HEADROOM, length, PacketPool.flags(word)));
            pool.second(copy[0], PacketPool.second(PacketPool.hash(second), PacketPool.tag(second)));
            RawMemory.copy(its.data(packet), pool.data(copy[0]), length);
        }

        /** Whether all of its data are where its words say. */
        private boolean isThere(PacketPool its, int packet, long word, int length) {
            if (!PacketPool.isElsewhere(word)) {
                return isIn(its, PacketPool.offset(word), length);
            }
            int source = its.source(packet);
            if (source != -1) {
                return isIn(PacketPool.of(source), its.sourceAt(packet), length);
            }
            ExternalBuffer buffer = its.attached(packet);
            long at = its.attachedAt(packet);
            return buffer != null && at >= 0 && at <= buffer.bytes() - length;
        }

        private boolean isIn(PacketPool its, int at, int length) {
            return its != null && at >= 0 && at <= PacketPool.HEADROOM + its.room() - length;
        }

        private void reap() {
            int there = rings.sent.waiting();
            int count = 0;
            while (count < there) {
                int index = rings.sent.index(count);
                if (!is(sent, index)) {
                    break;
                }
                sent[index] = false;
                home[count++] = first | index;
            }
            if (count > 0) {
                rings.sent.taken(count);
                pool.give(home, 0, count);
                underWay -= count;
            }
        }

        @Override
        public int reclaim() {
            if (!sending.enter()) {
                return 0;
            }
            try {
                reap();
                return underWay;
            } finally {
                sending.leave();
            }
        }
    }

    /** Bursts are empty from now on. */
    void shut() {
        receiving.shut();
        sending.shut();
    }

    /** The primary has it no more: all packets come home. A second time does nothing. */
    synchronized void end() {
        shut();
        PacketOwners.acting(WAITING);
        try {
            comeHome();
        } finally {
            PacketOwners.done();
        }
        block.close();
    }

    private void comeHome() {
        int[] one = new int[1];
        for (int index = 0; index < posted.length; index++) {
            if (posted[index] || sent[index]) {
                posted[index] = false;
                sent[index] = false;
                one[0] = first | index;
                pool.give(one, 0, 1);
            }
        }
    }
}

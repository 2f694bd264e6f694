package io.manafold.memory;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has each packet of a pool, and where it got it: for finding mistakes, not for speed. Queues say who they are
 * around what they do; everything else is done by the application. Data of packets that are free are looked at when
 * those are taken.
 */
public final class PacketOwners {
    private static final Logger LOG = LoggerFactory.getLogger(PacketOwners.class);
    private static final ThreadLocal<String> ACTING = new ThreadLocal<>();
    private static final long POISON = 0xdead_fee1_dead_fee1L;
    private static final int POISONED = 64;
    private static final int MOST_NAMED = 8;
    private static final long SECOND = 1_000_000_000L;

    private final PacketPool pool;
    private final Change[] changes;
    private int spoilt;
    /** How many messages there were of packets that were written while they were free. */
    private int told;
    /** How many such packets no message was about. */
    private int untold;
    private long toldNanos;
    private LongSupplier clock = System::nanoTime;

    /**
     * The last change of a packet.
     *
     * @param owner {@code null} for the application
     */
    private record Change(boolean free, String owner, Trace where) {
        String who() {
            return free ? "free" : owner == null ? "the application" : owner;
        }

        String sentence() {
            return free ? "it was given back" : "it is that of " + who();
        }
    }

    /** Where something happened. */
    private static final class Trace extends Throwable {
        private static final long serialVersionUID = 1;

        Trace() {
            super("on the thread " + Thread.currentThread().getName());
        }
    }

    PacketOwners(PacketPool pool) {
        this.pool = pool;
        changes = new Change[pool.packets()];
        Change first = new Change(true, null, new Trace());
        for (int i = 0; i < changes.length; i++) {
            changes[i] = first;
            poison(pool.number() << PacketPool.INDEX_BITS | i);
        }
    }

    /** @param nanos by which there is a message a second at most */
    synchronized void clock(LongSupplier nanos) {
        clock = nanos;
    }

    /**
     * What this thread does until {@link #done} is done by a queue; pools that do not know owners care for nothing of
     * that.
     */
    public static void acting(String queue) {
        ACTING.set(queue);
    }

    public static void done() {
        ACTING.remove();
    }

    /**
     * Packets go from the application to the queue that acts.
     *
     * @throws Refusal {@code EINVAL} for a packet that the application does not have, with the trace of the code that
     *        got it; nothing has changed then
     */
    public static void toQueue(int[] packets, int from, int count) {
        String queue = ACTING.get();
        for (int i = from; i < from + count; i++) {
            try {
                pass(packets[i], null, queue);
            } catch (Refusal wrong) {
                toApplication(packets, from, i - from);
                throw wrong;
            }
        }
    }

    /** Packets of the queue that acts are the application's. */
    public static void toApplication(int[] packets, int from, int count) {
        for (int i = from; i < from + count; i++) {
            PacketPool its = PacketPool.of(packets[i]);
            if (its != null && its.owners() != null) {
                its.owners().each(packets[i], segment -> segment.of().owners().set(segment.packet(), false, null));
            }
        }
    }

    private record Segment(PacketPool of, int packet) {
    }

    private interface Step {
        void take(Segment segment);
    }

    /** Goes through the segments of a packet, each of its own pool. */
    private void each(int packet, Step step) {
        PacketPool its = pool;
        int segment = packet;
        for (int left = Math.max(1, PacketPool.segments(its.second(packet))); left > 0 && its != null; left--) {
            if (its.owners() != null) {
                step.take(new Segment(its, segment));
            }
            segment = its.next(segment);
            its = left > 1 ? PacketPool.of(segment) : its;
        }
    }

    private static void pass(int packet, String before, String after) {
        PacketPool its = PacketPool.of(packet);
        if (its == null) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x is of no pool: pool %d is not there. It is not sent by %s."
                    .formatted(packet, packet >>> PacketPool.INDEX_BITS, after));
        }
        if (its.owners() == null) {
            return;
        }
        its.owners().place(packet);
        its.owners().each(packet, segment -> segment.of().owners().check(segment.packet(), before, "cannot be sent by "
                + after));
        its.owners().each(packet, segment -> segment.of().owners().set(segment.packet(), false, after));
    }

    // ---- for the pool

    /** Packets have been taken out of the free ones. */
    synchronized void taken(int[] packets, int from, int count) {
        for (int i = from; i < from + count; i++) {
            int place = place(packets[i]);
            if (!isPoisoned(packets[i])) {
                tell(packets[i], changes[place].where);
            }
            changes[place] = new Change(false, ACTING.get(), new Trace());
        }
    }

    /**
     * Packets are about to be free.
     *
     * @throws Refusal {@code EINVAL} for a packet of another pool, one that is free already, and one that another has;
     *         nothing has changed then
     */
    synchronized void given(int[] packets, int from, int count) {
        String queue = ACTING.get();
        Change[] before = new Change[count];
        int done = 0;
        try {
            for (; done < count; done++) {
                int packet = packets[from + done];
                int place = place(packet);
                Change last = changes[place];
                if (last.free || queue == null && last.owner != null) {
                    throw wrong(packet, "cannot be given back by " + (queue == null ? "the application" : queue), last);
                }
                before[done] = last;
                changes[place] = new Change(true, null, new Trace());
            }
        } catch (Refusal wrong) {
            for (int i = 0; i < done; i++) {
                changes[place(packets[from + i])] = before[i];
            }
            throw wrong;
        }
        for (int i = from; i < from + count; i++) {
            poison(packets[i]);
        }
    }

    /** Says which packets are not back; the pool is being closed. */
    synchronized void closed() {
        tellUntold(clock.getAsLong());
        missing().ifPresent(wrong -> LOG.error("{}", wrong.getMessage(), wrong.getCause()));
    }

    /** Which packets are not back, and who has them; its cause is where one of them was got. Empty if all are back. */
    public synchronized Optional<Refusal> missing() {
        List<String> named = new ArrayList<>();
        Trace first = null;
        int missing = 0;
        for (int i = 0; i < changes.length; i++) {
            if (!changes[i].free) {
                missing++;
                first = first == null ? changes[i].where : first;
                if (named.size() < MOST_NAMED) {
                    named.add("0x%08x (%s)".formatted(pool.number() << PacketPool.INDEX_BITS | i, changes[i].who()));
                }
            }
        }
        return missing == 0 ? Optional.empty()
                : Optional.of(new Refusal(Errno.EBUSY, pool + " is closed, and " + missing + " of its packets are not "
                        + "back: " + String.join(", ", named) + (missing > named.size() ? " and others" : "")
                + ". Where the first one was got, the cause shows.", first));
    }

    /** How many packets were written while they were free. */
    public synchronized int spoilt() {
        return spoilt;
    }

    /** Who has a packet, for people: {@code free}, {@code the application}, or a queue. */
    public synchronized String owner(int packet) {
        return changes[place(packet)].who();
    }

    /**
     * The application is about to do something with a packet.
     *
     * @throws Refusal {@code EINVAL} if it does not have it, with the trace of the code that got it
     */
    void checkOwn(int packet, String what) {
        check(packet, null, what);
    }

    /**
     * The owner that acts has one reference to a packet less, and others have some: as soon as none is left it is
     * anyone's.
     */
    synchronized void letGo(int packet) {
        int place = place(packet);
        Change last = changes[place];
        if (!last.free && last.owner != null && last.owner.equals(ACTING.get())) {
            changes[place] = new Change(false, null, new Trace());
        }
    }

    private synchronized void check(int packet, String owner, String what) {
        Change last = changes[place(packet)];
        if (last.free || (owner == null ? last.owner != null : !owner.equals(last.owner))) {
            throw wrong(packet, what, last);
        }
    }

    private synchronized void set(int packet, boolean free, String owner) {
        changes[place(packet)] = new Change(free, owner, new Trace());
    }

    private int place(int packet) {
        int place = packet & PacketPool.MOST_PACKETS - 1;
        if (packet >>> PacketPool.INDEX_BITS != pool.number() || place >= changes.length) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x is none of %s, which has those from 0x%08x on, %d of them."
                    .formatted(packet, pool, pool.number() << PacketPool.INDEX_BITS, changes.length));
        }
        return place;
    }

    private Refusal wrong(int packet, String what, Change last) {
        return new Refusal(Errno.EINVAL, name(packet) + " " + what + ": " + last.sentence() + ", as its cause shows.",
                last.where);
    }

    private String name(int packet) {
        return "Packet 0x%08x of %s".formatted(packet, pool);
    }

    // ---- what is written after it was given back

    /** Another process can write as often as packets go through: the first are told one by one, others in numbers. */
    private void tell(int packet, Trace where) {
        spoilt++;
        if (told < MOST_NAMED) {
            told++;
            toldNanos = clock.getAsLong();
            LOG.error("{} was written after it had been given back{}", name(packet), writers(), where);
            return;
        }
        untold++;
        long now = clock.getAsLong();
        if (now - toldNanos >= SECOND) {
            tellUntold(now);
        }
    }

    private void tellUntold(long now) {
        if (untold > 0) {
            told++;
            LOG.error("{} more packets of {} were written after they had been given back{}", untold, pool, writers());
            untold = 0;
            toldNanos = now;
        }
    }

    synchronized int told() {
        return told;
    }

    /** Who may have written besides who had it, for people. */
    String writers() {
        return pool.block() instanceof AttachedBlock
                ? "; it lies in memory that the primary can write too, so that may have done it" : "";
    }

    private long data(int packet) {
        return pool.block().segment().address() + pool.place(packet) + PacketPool.HEADROOM;
    }

    private void poison(int packet) {
        long data = data(packet);
        for (int i = 0; i < POISONED; i += Long.BYTES) {
            RawMemory.put64(data + i, POISON);
        }
    }

    private boolean isPoisoned(int packet) {
        long data = data(packet);
        for (int i = 0; i < POISONED; i += Long.BYTES) {
            if (RawMemory.get64(data + i) != POISON) {
                return false;
            }
        }
        return true;
    }
}

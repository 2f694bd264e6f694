package io.manafold.adapter.internal.ethernet;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.RawMemory;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the agent of a link does for a port in each cycle: it has the port send, takes what arrives, and makes changes
 * between two cycles. What the port's engine takes does not get to its queues. All but {@link #ready} and {@link #wake}
 * belongs to the agent.
 */
final class PortDuty implements Plug {
    private static final Logger LOG = LoggerFactory.getLogger(PortDuty.class);
    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(PortDuty.class, "ready", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final Transmitter transmitter;
    private final Receiver receiver;
    private final PortAttachment attachment;
    private final Reader reader;
    private final DutyCycleList guests = new DutyCycleList();
    /** Events of completion queues that wait for their time: of sends, and of receives. */
    private final HeldEvents heldSends;
    private final HeldEvents heldReceives;

    /** A bit for each send queue whose doorbell was rung. */
    private long ready;
    /** What else the port carries, or {@code null}. */
    private PortEngine engine;
    private boolean engineFirst;
    /** Bits a second of the link, 0 if frames on it never wait for others. */
    private long linkRate;
    /** How deep the agent is in cycles of this port: a link may deliver while the port sends. */
    private int depth;
    /** Bits a second that the driver wants at most, or 0. */
    private volatile long clamp;

    /**
     * @param most queues of each direction
     * @param spare runs the port while it is plugged into nothing
     * @param nanoTime what the time is
     */
    PortDuty(String name, Transmitter transmitter, Receiver receiver, int most, UnpluggedPortAgent spare,
            LongSupplier nanoTime) {
        this.name = name;
        heldSends = new HeldEvents(most, nanoTime, this::wake);
        heldReceives = new HeldEvents(most, nanoTime, this::wake);
        this.transmitter = transmitter;
        this.receiver = receiver;
        this.reader = Readers.open("port " + name);
        this.attachment = new PortAttachment(this, spare);
    }

    @Override
    public String name() {
        return name;
    }

    PortAttachment attachment() {
        return attachment;
    }

    PortEngine engine() {
        return engine;
    }

    void carry(PortEngine carried) {
        engine = carried;
    }

    long clamp() {
        return clamp;
    }

    void clamp(long bitsPerSecond) {
        clamp = bitsPerSecond;
        pace();
    }

    /** No port sends faster than its link, nor than its driver wants. */
    private void pace() {
        transmitter.limit(clamp == 0 ? linkRate : linkRate == 0 ? clamp : Math.min(linkRate, clamp));
    }

    /** What a link has said holds for that link alone. */
    void unplugged() {
        linkRate = 0;
        pace();
        receiver.unplugged();
    }

    /** Runs a change between two cycles, as one. */
    void inside(Runnable change) {
        enter();
        try {
            change.run();
            RawMemory.settle();
        } catch (InternalError gone) {
            LOG.debug("port {}: memory vanished during a change", name, gone);
        } finally {
            leave();
        }
    }

    /** Has the agent look what there is to do. Any thread. */
    void wake() {
        Wire now = attachment.wire();
        if (now != null) {
            now.wake();
        }
    }

    /** A send queue's doorbell was rung. Any thread. */
    void ready(int slot) {
        long bit = 1L << slot;
        long before = (long) READY.getAndBitwiseOr(this, bit);
        if ((before & bit) == 0) {
            wake();
        }
    }

    HeldEvents heldSends() {
        return heldSends;
    }

    HeldEvents heldReceives() {
        return heldReceives;
    }

    DutyCycleList guests() {
        return guests;
    }

    @Override
    public int doWork() {
        int done = ownWork() + heldSends.work() + heldReceives.work();
        return guests.isEmpty() ? done : done + guests.work();
    }

    private int ownWork() {
        Wire now = attachment.wire();
        if (now == null) {
            return 0;
        }
        if (now.rate() != linkRate) {
            linkRate = now.rate();
            pace();
            receiver.rated();
        }
        long rung = (long) READY.getOpaque(this) == 0 ? 0 : (long) READY.getAndSet(this, 0L);
        boolean quiet = rung == 0 && transmitter.isIdle();
        PortEngine carried = engine;
        boolean rests = carried == null || carried.isIdle();
        if (quiet && rests) {
            // a port that sends nothing costs the others on the agent nothing
            transmitter.rest();
            return 0;
        }
        enter();
        try {
            boolean linked = attachment.linkName() != null;
            if (rests) {
                return transmitter.work(rung, now, linked);
            }
            // under a limit all may go to those who come first
            engineFirst = !engineFirst;
            int done = engineFirst ? carried.work(now, linked, transmitter) : 0;
            done += quiet ? 0 : transmitter.work(rung, now, linked);
            done += engineFirst ? 0 : carried.work(now, linked, transmitter);
            if (done == 0 && quiet && carried.isIdle()) {
                // the engine had something to do, and nothing to send: the agent may rest now without another cycle
                transmitter.rest();
            }
            return done;
        } finally {
            leave();
        }
    }

    @Override
    public long restNanos() {
        return guests.isEmpty() ? ownRest() : Math.min(ownRest(), guests.restNanos());
    }

    private long ownRest() {
        if (attachment.wire() == null) {
            return DutyCycle.UNTIL_WOKEN;
        }
        PortEngine carried = engine;
        long rest = Math.min(transmitter.restNanos(), Math.min(heldSends.restNanos(), heldReceives.restNanos()));
        return carried == null ? rest : Math.min(rest, carried.restNanos());
    }

    /** What its engine takes needs no CRC; what its queues get is completed here. */
    @Override
    public boolean takesOpenFrames() {
        return true;
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        enter();
        try {
            PortEngine carried = engine;
            if (carried == null || !carried.isOpen()) {
                toQueues(frames, from, to);
            } else {
                share(frames, from, to, carried);
            }
        } finally {
            leave();
        }
    }

    /** Each frame is the queues' or the engine's; neighbours of a kind stay together. */
    private void share(Frames frames, int from, int to, PortEngine carried) {
        int start = from;
        for (int frame = from; frame < to; frame++) {
            if (carried.receive(frames, frame)) {
                if (start < frame) {
                    toQueues(frames, start, frame);
                }
                start = frame + 1;
            }
        }
        if (start < to) {
            toQueues(frames, start, to);
        }
        carried.received();
    }

    private void toQueues(Frames frames, int from, int to) {
        frames.complete(from, to);
        receiver.receive(frames, from, to);
    }

    private void enter() {
        if (depth++ == 0) {
            reader.enter();
        }
    }

    private void leave() {
        if (--depth == 0) {
            reader.leave();
        }
    }

    /** The port's thread makes no pointers any more. */
    void close() {
        reader.close();
    }
}

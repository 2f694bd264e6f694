package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.PortEngine;
import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Wire;
import io.manafold.gdma.Gid;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.roce.DcqcnSettings;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * RDMA at a port: finds the queue pair of each packet, and gives those that have something to send their turns. It is
 * open while a driver's RDMA adapter has the port's address; until then UDP to port 4791 is like any other.
 */
public final class RdmaEngine implements PortEngine {
    /** Packets of one cycle: others on the agent want their turn too. */
    private static final int CYCLE = 128;
    /** Packets of a queue pair's turn. */
    private static final int TURN = 16;
    /** Completions of one cycle that engines on other agents have handed over. */
    private static final int HANDED_OVER = 1024;
    /** As long as this between two cycles, and the thread has not been given its time. */
    private static final long STALL_NANOS = 5_000_000;

    private final EthernetPort port;
    private final Rejections rejections;
    private final long mac;
    private final long leastTimeout;
    private final RdmaCounters counters = new RdmaCounters();
    private volatile DcqcnSettings dcqcn = DcqcnSettings.usual();
    private final SendBatch departures = new SendBatch(counters);
    private final PacketClassifier reception = new PacketClassifier(this, counters);
    private final PairSchedule turns;
    private final DmaTable memory;
    private final PairTimers timers = new PairTimers();
    private final PairFailures failures;
    private final Scratch scratch = new Scratch();
    /** What only an engine needs that was open once. */
    private MemoryAccess access;

    /** What engines on other agents have this one write, and tell it. */
    private final HandoffQueue handoffs = new HandoffQueue();

    private RdmaCompletions touched;
    private boolean held;
    /** When the engine was at work last. */
    private long worked;
    /** Whether timers have waited then for answers to come first. */
    private boolean deferred;
    private long heldUntil;

    /** @param leastTimeout nanoseconds that an acknowledgement is awaited for at least, whatever a driver asks for */
    public RdmaEngine(EthernetPort port, DmaTable memory, Rejections rejections, long leastTimeout) {
        this.port = port;
        this.rejections = rejections;
        this.mac = port.mac().value();
        this.memory = memory;
        this.leastTimeout = leastTimeout;
        this.turns = new PairSchedule(this, port.pauses());
        this.failures = new PairFailures(rejections, counters);
    }

    public String name() {
        return port.name();
    }

    public EthernetPort port() {
        return port;
    }

    long mac() {
        return mac;
    }

    long leastTimeout() {
        return leastTimeout;
    }

    /** How fast queue pairs send when there is congestion. */
    public DcqcnSettings dcqcn() {
        return dcqcn;
    }

    /** Has these queue pairs of the port, and all that are made from now on, send as the settings say. */
    public void dcqcn(DcqcnSettings changed, List<QueuePair> present) {
        dcqcn = changed;
        port.change("congestion control", () -> present.forEach(pair -> pair.dcqcn(changed)));
    }

    public RdmaCounters counters() {
        return counters;
    }

    Rejections rejections() {
        return rejections;
    }

    /** Memory that requests are copied to, for one at a time. */
    Scratch scratch() {
        return scratch;
    }

    MemoryAccess access() {
        return access;
    }

    // ---- from other threads

    /** From now on packets to these addresses are RDMA's. */
    public void open(GidTable addresses, IdTable<QueuePair> table, IntConsumer fatalErrors) {
        port.change("RDMA", () -> {
            departures.open();
            scratch.open();
            timers.open();
            if (access == null) {
                access = new MemoryAccess(memory);
            }
            failures.tell(fatalErrors);
            reception.open(addresses, table);
        });
    }

    /** From now on no packet is RDMA's; there are no queue pairs any more. */
    public void shut() {
        port.change("the end of RDMA", reception::shut);
    }

    /** The queue pair that management datagrams are for, or {@code null} for none. */
    public void manage(QueuePair pair) {
        port.change("the queue pair of management", () -> reception.manage(pair));
    }

    /**
     * Something that is to be handed over for a queue pair, {@code null} if too much is on its way; on this engine's
     * agent.
     */
    Handoff hands(QueuePair pair, RdmaCompletions completions) {
        Handoff one = handoffs.make();
        if (one != null) {
            one.isOf(pair, completions);
        }
        return one;
    }

    /** Takes what another engine hands over, in order, without waiting. */
    void take(Handoff one) {
        handoffs.add(one);
        port.wake();
    }

    /** Waits until all that was handed over is done. */
    void settle() {
        port.change("completions of another port", () -> {
            drainArrived();
            // none comes after the last one to have it told
            flushCompletions();
        });
    }

    /** A doorbell of a queue pair was rung. */
    void ready(QueuePair pair) {
        if (turns.ring(pair)) {
            port.wake();
        }
    }

    /** A queue pair ends; on return nothing of it is touched any more. */
    public void remove(QueuePair pair) {
        port.change("the end of a queue pair", () -> {
            turns.forget(pair);
            // a doorbell may still be on its way to it
            pair.stop();
            reception.forget(pair);
            pair.close();
        });
    }

    /** Hands a queue pair over that sends nothing, to the engine of the port it is going to be connected through. */
    public void handOver(QueuePair pair, RdmaEngine next) {
        port.change("the move of queue pair " + pair.number(), () -> {
            turns.forget(pair);
            wakeAt(pair, Long.MAX_VALUE);
            // what was written is told before another engine writes
            flushCompletions();
            // here, lest this agent's next cycle and the other's both have it
            pair.engine(next);
        });
        // and here, since this agent may be the one that writes what it has handed over
        pair.sendCompletions.settle(this);
        pair.receiveCompletions.settle(this);
    }

    /** Has a queue pair changed between two cycles. */
    public void change(QueuePair pair, Runnable change) {
        port.change("a state of queue pair " + pair.number(), () -> {
            change.run();
            turns.add(pair);
            flushCompletions();
        });
        port.wake();
    }

    // ---- on the agent

    @Override
    public boolean isOpen() {
        return reception.isOpen();
    }

    @Override
    public boolean isIdle() {
        return turns.isEmpty() && handoffs.isEmpty() && !isDue();
    }

    private boolean isDue() {
        long next = nextTime();
        return next != Long.MAX_VALUE && next - port.now() <= 0;
    }

    /** When a timer is due or a pause over; without an end if there is none. */
    private long nextTime() {
        return Math.min(timers.next(), turns.resumes());
    }

    /** A queue pair has something to send. */
    void turn(QueuePair pair) {
        turns.add(pair);
    }

    void wakeAt(QueuePair pair, long when) {
        timers.wakeAt(pair, when);
    }

    /** A completion queue was written; answers the one that was before it. */
    RdmaCompletions touch(RdmaCompletions completions) {
        RdmaCompletions before = touched;
        touched = completions;
        if (before == null) {
            port.wake();
        }
        return before;
    }

    @Override
    public int work(Wire wire, boolean isLinked, SendLimit limit) {
        drainHandedOver();
        long now = port.now();
        turns.begin(now);
        // answers may have waited as long as this agent did: they come first, if not every cycle is so long
        deferred = !deferred && now - worked >= STALL_NANOS;
        if (!deferred) {
            expire(now);
        }
        worked = now;
        held = false;
        if (!reception.isOpen()) {
            // without an address nothing is sent, but what another port has handed over is told
            turns.clear();
            flushCompletions();
            return 0;
        }
        departures.begin();
        int done = 0;
        while (!turns.isEmpty() && departures.frames() < CYCLE && done < CYCLE) {
            if (limit.holds(now)) {
                held = true;
                heldUntil = limit.due();
                break;
            }
            QueuePair pair = turns.take(now);
            if (pair == null) {
                break;
            }
            int frames = departures.frames();
            int bytes = departures.bytes();
            boolean more = turn(pair, limit.isPaced() ? 1 : TURN, now);
            limit.charge(departures.bytes() - bytes, departures.frames() - frames, now);
            if (!departures.hasRoom(TURN)) {
                departures.flush(wire, isLinked, this);
            }
            if (more) {
                turns.add(pair);
            }
            done++;
        }
        departures.flush(wire, isLinked, this);
        flushCompletions();
        return done;
    }

    private boolean turn(QueuePair pair, int packets, long now) {
        try {
            boolean more = pair.work(departures, packets, now);
            if (memory.mayVanish()) {
                RawMemory.settle();
            }
            return more;
        } catch (InternalError gone) {
            vanish(pair);
            return false;
        } catch (RuntimeException mistake) {
            fail(pair, mistake);
            return false;
        }
    }

    /** Whether memory of this port's driver may vanish while it is used. */
    boolean mayVanish() {
        return memory.mayVanish();
    }

    /** The adapter has made a mistake with a queue pair. */
    void fail(QueuePair pair, RuntimeException mistake) {
        failures.mistake(pair, mistake);
    }

    /** Completions of a queue pair are not taken by the agent that writes them. */
    void overrun(QueuePair pair) {
        failures.overrun(pair);
    }

    /** A queue pair has failed, and no work of its own is there whose completion could tell why. */
    void untold(QueuePair pair) {
        failures.untold(pair);
    }

    /** Memory of a queue pair has vanished. Any thread. */
    void vanish(QueuePair pair) {
        failures.vanished(pair);
    }

    /** Whether packets may come from an address; on the agent. */
    boolean has(Gid gid) {
        return reception.has(gid);
    }

    private void drainHandedOver() {
        for (int done = 0; done < HANDED_OVER; done++) {
            Handoff next = handoffs.poll();
            if (next == null) {
                return;
            }
            put(next);
        }
    }

    /** All that has come until now, however much other agents hand over meanwhile. */
    private void drainArrived() {
        drain();
        handoffs.arrive();
        drain();
    }

    private void drain() {
        for (Handoff next = handoffs.pollArrived(); next != null; next = handoffs.pollArrived()) {
            put(next);
        }
    }

    private void put(Handoff one) {
        boolean isGone = false;
        try {
            if (one.completions == null) {
                vanishIfThere(one.pair);
            } else {
                one.completions.put(one);
            }
            RawMemory.settle();
        } catch (InternalError gone) {
            isGone = true;
        } finally {
            if (isGone) {
                // the pair belongs to another agent, which ends it
                one.completions = null;
                one.pair.engine().take(one);
            } else {
                HandoffQueue.giveBack(one);
            }
        }
    }

    /** Its completion queue has vanished; it may have ended since, and another have its place. */
    private void vanishIfThere(QueuePair pair) {
        if (reception.pair(pair.slot) == pair && pair.engine() == this) {
            vanish(pair);
        }
    }

    private void expire(long now) {
        int count = timers.take(now);
        for (int i = 0; i < count; i++) {
            QueuePair pair = reception.pair(timers.slot(i));
            if (pair != null && pair.engine() == this) {
                expire(pair, now);
                turns.add(pair);
            }
        }
    }

    private void expire(QueuePair pair, long now) {
        try {
            pair.expire(now);
            RawMemory.settle();
        } catch (InternalError gone) {
            vanish(pair);
        } catch (RuntimeException mistake) {
            fail(pair, mistake);
        }
    }

    @Override
    public long restNanos() {
        // those that a limit holds back may have gone meanwhile, and then no cycle comes that ends that
        if (held && !turns.isEmpty()) {
            return Math.max(0, heldUntil - port.now());
        }
        if (!turns.isEmpty() || !handoffs.isEmpty()) {
            return 0;
        }
        long next = nextTime();
        return next == Long.MAX_VALUE ? DutyCycle.UNTIL_WOKEN : Math.max(0, next - port.now());
    }

    @Override
    public boolean receive(Frames frames, int frame) {
        return reception.receive(frames, frame);
    }

    @Override
    public void received() {
        flushCompletions();
    }

    private void flushCompletions() {
        reception.received();
        RdmaCompletions next = touched;
        touched = null;
        while (next != null) {
            next = next.flush();
        }
    }

    @Override
    public void close() {
        departures.close();
        reception.close();
        scratch.close();
    }
}

package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.adapter.internal.shaping.PortShapers;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.Wire;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryPhyStatistics;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.packet.Toeplitz;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port: its queues, what it sends and receives. One agent at a time runs it: that of the link it is plugged into,
 * else a spare one. Configuration comes from any thread but the agent's and returns when the agent has taken it over.
 */
public final class EthernetPort implements AutoCloseable {
    /** Words of {@link #addStatistics}, by {@link Counter#ordinal}. */
    public static final int STATISTICS = Counter.values().length;
    /** Words of {@link #addPhysical}, in the order of the response. */
    public static final int PHYSICAL = QueryPhyStatistics.COUNTERS;

    private static final Logger LOG = LoggerFactory.getLogger(EthernetPort.class);
    private static final int MOST_QUEUES = 64;

    private final String name;
    private final MacAddress mac;
    private final long speedBits;
    private final Rejections rejections;
    private final LongSupplier nanoTime;
    private final PortCounters counters = new PortCounters();
    private final PortPauses pauses = new PortPauses();
    private final PortQueues queues;
    private final PortShapers shapers;
    private final Transmitter transmitter;
    private final Receiver receiver;
    private final PortDuty duty;
    private final PortAttachment attachment;

    private volatile int shaperCount;

    /**
     * @param mtuFrame the longest frame it sends, its header included
     * @param spare runs the port while it is plugged into nothing
     */
    public EthernetPort(String name, MacAddress mac, int maxQueues, long speedBits, int mtuFrame, Rejections rejections,
            UnpluggedPortAgent spare) {
        this(name, mac, maxQueues, speedBits, mtuFrame, rejections, spare, System::nanoTime);
    }

    /**
     * As the other one, on a clock of its own.
     *
     * @param nanoTime what the time is
     */
    public EthernetPort(String name, MacAddress mac, int maxQueues, long speedBits, int mtuFrame, Rejections rejections,
            UnpluggedPortAgent spare, LongSupplier nanoTime) {
        if (maxQueues < 1 || maxQueues > MOST_QUEUES) {
            throw new IllegalArgumentException(maxQueues + " queues");
        }
        this.name = name;
        this.mac = mac;
        this.speedBits = speedBits;
        this.rejections = rejections;
        this.nanoTime = nanoTime;
        this.queues = new PortQueues(name, maxQueues);
        this.shapers = new PortShapers(maxQueues,
                step -> configure("its shapers", () -> step.accept(now())));
        this.transmitter = new Transmitter(queues.senders, shapers.tree(), mtuFrame, counters, rejections, pauses,
                nanoTime);
        this.receiver = new Receiver(mac, queues.receivers, counters, pauses, this::lineRate, nanoTime);
        this.duty = new PortDuty(name, transmitter, receiver, maxQueues, spare, nanoTime);
        this.attachment = duty.attachment();
        attachment.begin();
    }

    public String name() {
        return name;
    }

    public MacAddress mac() {
        return mac;
    }

    /** Has the port carry something besides the frames of its queues, from now on. */
    public void carry(PortEngine carried) {
        configure("what it carries", () -> duty.carry(carried));
    }

    /** Has work of others take turns with the port's, until that is closed. */
    public AutoCloseable join(DutyCycle work) {
        attachment.changeInTime("who takes turns with it", () -> duty.guests().add(work));
        wake();
        return () -> configure("who takes no turns with it any more", () -> duty.guests().remove(work));
    }

    /** What the port carries, or {@code null}. */
    public PortEngine engine() {
        return duty.engine();
    }

    /** Has a change made by the port's agent between two cycles, and waits for it. */
    public void change(String what, Runnable change) {
        configure(what, change);
    }

    /** Waits until the port's agent has ended the cycle that it is in. */
    public void settle() {
        configure("that nothing is under way", () -> { });
    }

    /** The memory of a frame that was received has vanished, and it is its sender's; on the agent. */
    public static void noteVanished() {
        VanishedMemoryCounter.note();
    }

    /** Has the agent look what there is to do. Any thread. */
    public void wake() {
        duty.wake();
    }

    /** Plugs the port into a link that has come; it may throw what {@link Link#plug} does. */
    public void attach(Link to) {
        attachment.attach(to);
    }

    /** Unplugs the port; on return the link's agent calls it no more. Nothing if it is plugged in elsewhere. */
    public void detach(Link from) {
        attachment.detach(from);
    }

    /** Plugs the port in again if a mistake of its own has unplugged it. */
    public void comeBack() {
        try {
            attachment.comeBack();
        } catch (Refusal refused) {
            LOG.warn("port {}: {}", name, refused.getMessage());
        }
    }

    /** CONFIG_VPORT_TX: which protection domain and doorbell page send here, and by which vPort offset. */
    public void transmitVia(int pd, int doorbellPage, int vportOffset) {
        configure("the way of sending", () -> {
            transmitter.sender().configured = true;
            transmitter.sender().pd = pd;
            transmitter.sender().vportOffset = vportOffset;
        });
    }

    /** @throws Refusal {@code ENOSPC} when all queues are taken */
    public SendQueue createSend(int id, QueueMemory ring, CompletionQueue completions, DmaTable memory, MemoryKeys keys,
            int pd) {
        return ask("a new send queue", () -> {
            int slot = queues.freeSend();
            duty.heldSends().take(slot, completions);
            queues.senders[slot] = new SendQueue(duty, slot, id, ring, completions, memory, keys, pd);
            return queues.senders[slot];
        });
    }

    /** @throws Refusal {@code ENOSPC} when all queues are taken */
    public ReceiveQueue createReceive(int id, QueueMemory ring, CompletionQueue completions, DmaTable memory,
            MemoryKeys keys, int pd) {
        return ask("a new receive queue", () -> {
            int slot = queues.freeReceive();
            duty.heldReceives().take(slot, completions);
            queues.receivers[slot] =
                    new ReceiveQueue(duty, slot, id, ring, completions, memory, keys, pd, rejections);
            return queues.receivers[slot];
        });
    }

    /** On return the queue touches no memory any more. The way of sending ends with the last queue. */
    public void destroy(SendQueue queue) {
        int waits = queue.waiting();
        queue.ended = true;
        configure("the end of a send queue", () -> {
            if (queues.remove(queue)) {
                duty.heldSends().forget(queue.slot);
                boolean last = !queues.hasSender();
                transmitter.forget(queue, waits, last);
                transmitter.sender().configured &= !last;
            }
        });
    }

    /** On return the queue touches no memory any more. */
    public void destroy(ReceiveQueue queue) {
        configure("the end of a receive queue", () -> {
            queue.ended = true;
            receiver.forget(queue);
            if (queues.has(queue)) {
                duty.heldReceives().forget(queue.slot);
            }
            queues.remove(queue);
        });
    }

    /** CONFIG_VPORT_RX. */
    public void steer(Steering steering) {
        ReceiveQueue[] table = steering.table();
        if (table != null && Integer.bitCount(table.length) != 1) {
            throw new Refusal(Errno.EINVAL, "An indirection table of " + table.length
                    + " entries is not taken: the number must be a power of two.");
        }
        byte[] key = steering.key();
        if (key != null && key.length != Toeplitz.KEY) {
            throw new Refusal(Errno.EINVAL, "A hash key of " + key.length + " bytes is not taken: it has "
                    + Toeplitz.KEY + ".");
        }
        Toeplitz hashing = key == null ? null : new Toeplitz(key);
        configure("steering", () -> receiver.steer(steering, hashing));
    }

    /** FENCE_RQ: a fence completion behind all completions of what has arrived so far. */
    public void fence(ReceiveQueue queue) {
        configure("a fence", () -> {
            // a queue that takes no more frames still owes its driver the fence
            if (queues.has(queue)) {
                queue.completions.fence();
                if (queue.mayVanish()) {
                    RawMemory.settle();
                }
                queue.completions.flush();
            }
        });
    }

    /** SET_BW_CLAMP; 0 takes the clamp away. */
    public void clamp(long bitsPerSecond) {
        if (bitsPerSecond < 0) {
            throw new Refusal(Errno.EINVAL, "A bandwidth of " + bitsPerSecond + " bit/s is not taken: it must be at"
                    + " least 0, which means no limit.");
        }
        configure("a bandwidth", () -> duty.clamp(bitsPerSecond));
    }

    /** What SET_BW_CLAMP has set, or 0. */
    public long clamp() {
        return duty.clamp();
    }

    /**
     * Asks the port's shapers, or changes them. Control agent only: what they have to think over they do there, and the
     * agent takes over the rest between two cycles.
     *
     * @throws Refusal what they refuse: {@code EINVAL}, {@code ENOENT}, {@code EBUSY}, {@code ENOSPC}
     */
    public <T> T shape(Function<PortShapers, T> what) {
        try {
            return what.apply(shapers);
        } finally {
            shaperCount = shapers.count();
        }
    }

    /** How many shapers its driver has set. */
    public int shapers() {
        return shaperCount;
    }

    /** What waits in the send queue at a place, in units of requests; on the agent. */
    public int waiting(int slot) {
        SendQueue queue = queues.senders[slot];
        return queue == null ? 0 : queue.waiting();
    }

    /** What the port announces at most. */
    public long speed() {
        return speedBits;
    }

    /** How fast frames leave: the speed of the link if it has one, else of the port. Any thread. */
    public long lineRate() {
        Wire now = attachment.wire();
        long rate = now == null ? 0 : now.rate();
        return rate > 0 ? Math.min(rate, speedBits) : speedBits;
    }

    /** What the time is, by the clock that all of the port goes by. */
    public long now() {
        return nanoTime.getAsLong();
    }

    /** What the link has asked the port not to send; on the agent. */
    public PortPauses pauses() {
        return pauses;
    }

    /** Takes all queues away and closes the port, as FLR and revocation do; on return there is no DMA any more. */
    public void quiesce() {
        queues.endSending();
        configure("the end of all queues", this::forgetAll);
    }

    private void forgetAll() {
        receiver.close();
        transmitter.sender().configured = false;
        for (SendQueue queue : queues.senders) {
            if (queue != null) {
                queue.ended = true;
                transmitter.forget(queue, 0, true);
                duty.heldSends().forget(queue.slot);
                queues.remove(queue);
            }
        }
        for (ReceiveQueue queue : queues.receivers) {
            if (queue != null) {
                queue.ended = true;
                duty.heldReceives().forget(queue.slot);
                queues.remove(queue);
            }
        }
        // names may have been given to queues that never came
        transmitter.forgetNames();
    }

    /** Has the next completion of a send queue never come. */
    public void withholdCompletion() {
        transmitter.sender().withholdCompletion();
    }

    /** Adds what QUERY_GF_STAT reports, each at its {@link Counter#ordinal}. */
    public void addStatistics(long[] words) {
        add(counters.device, words);
    }

    /** Adds what QUERY_PHY_STAT reports, in the order of the response. */
    public void addPhysical(long[] words) {
        add(counters.physical, words);
    }

    private static void add(long[] from, long[] to) {
        for (int i = 0; i < from.length; i++) {
            to[i] += from[i];
        }
    }

    public PortStatus status() {
        return new PortSnapshot(name, mac, attachment.linkName(), receiver.isEnabled(), speedBits, duty.clamp(),
                PortSnapshot.counters(counters), PortSnapshot.queues(queues.senders, queues.receivers));
    }

    /** Frames that came in for its driver and were lost: the port was disabled, or no queue had room. */
    public long framesLost() {
        return counters.device[Counter.RX_ERR_VPORT_DISABLED.ordinal()]
                + counters.device[Counter.RX_DISCARDS_NO_WQE.ordinal()];
    }

    /**
     * Ends the port: unplugged from everything, without queues.
     *
     * @throws Refusal {@code ETIMEDOUT} if its agent is busy elsewhere; the port has left all the same, and the agent
     *         ends the queues when it comes to it
     */
    @Override
    public void close() {
        attachment.close(this::quiesce, this::giveBack);
    }

    /**
     * On the agent, or on none. A cycle of the port may still follow before it is unplugged: that has neither wire nor
     * queues any more, and receives nothing.
     */
    private void giveBack() {
        duty.close();
        transmitter.close();
        if (duty.engine() != null) {
            duty.engine().close();
        }
    }

    /** What an agent calls. */
    PortDuty duty() {
        return duty;
    }

    private void configure(String what, Runnable change) {
        attachment.change(what, change);
    }

    /** As {@link #configure}, with an answer or a refusal. */
    private <T> T ask(String what, Supplier<T> question) {
        List<T> answers = new ArrayList<>(1);
        Refusal[] refused = new Refusal[1];
        configure(what, () -> {
            try {
                answers.add(question.get());
            } catch (Refusal refusal) {
                refused[0] = refusal;
            }
        });
        if (refused[0] != null) {
            throw refused[0];
        }
        return answers.getFirst();
    }
}

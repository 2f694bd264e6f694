package io.manafold.ethernet.internal.port;

import io.manafold.api.net.PoolStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.PoolCensus;
import io.manafold.ethernet.internal.queue.Port;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.PortCounters;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.user.DeviceAgent;
import io.manafold.memory.Locks;
import io.manafold.memory.MemoryBorrower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port from its driver's coming to its going: its queues come, are replaced, and go. A thread that changes something
 * holds the {@link #lock}; any thread may ask.
 */
public final class PortLife {
    private static final Logger LOG = LoggerFactory.getLogger(PortLife.class);
    /** The driver core gives a removal five seconds in all. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final String name;
    private final MemoryBorrower memory;
    private final DeviceAgent agent;
    private final PortCounters counters;
    private final ReentrantLock lock = Locks.named("network device");
    private final PoolCensus census;
    private volatile Port port;
    private volatile PortConfig config;
    private volatile QueueSet queues;
    private volatile int coalescingNanos;
    /** Queues that are used no more and that the device's thread has not let go yet; a user above has held it. */
    private final List<QueueSet> leaving = new ArrayList<>(1);
    /** Queues that the function has been made to forget. */
    private QueueSet suspended;
    private Limits limits;
    private boolean gone;
    /** The function has forgotten the port, and has not been brought up again yet. */
    private boolean forgotten;

    /** The shapers, which have to know what becomes of the limits of what is sent. */
    interface Limits {
        /** The number of channels is about to be another. */
        void channels(int count);

        /** The device has forgotten all. */
        void forgotten();
    }

    public PortLife(String name, Port port, PortConfig config, PortCounters counters, MemoryBorrower memory,
            DeviceAgent agent) {
        this.name = name;
        this.port = port;
        this.config = config.withUp(false);
        this.memory = memory;
        this.agent = agent;
        this.counters = counters;
        census = new PoolCensus(name);
    }

    void limits(Limits told) {
        limits = told;
    }

    public ReentrantLock lock() {
        return lock;
    }

    public Port port() {
        return port;
    }

    public PortConfig config() {
        return config;
    }

    public DeviceAgent agent() {
        return agent;
    }

    public PortCounters counters() {
        return counters;
    }

    /** What it has now, or {@code null} while it is down. */
    public QueueSet queues() {
        return queues;
    }

    /** Whether it has queues and sends and receives. */
    public boolean isOpen() {
        return queues != null;
    }

    int coalescingNanos() {
        return coalescingNanos;
    }

    // ---- with the lock held

    /**
     * Makes the port what it shall be. What needs no new queues is changed as they run; else the new ones are there
     * before the old ones go.
     *
     * @throws Refusal what memory or device refuse, {@code ENODEV} while the function is suspended, {@code ETIMEDOUT}
     *         while a user above holds the device's thread; everything is as before then
     */
    public void apply(PortConfig next) {
        checkThere();
        if (forgotten && next.equals(config.withHook(next.hook()))) {
            // a hook whose bundle has stopped must not come back with the queues
            config = next;
            return;
        }
        checkPresent();
        endLeaving();
        shape(next);
        if (next.channels() != config.channels()) {
            limits.channels(next.channels());
        }
        config = next;
    }

    void checkThere() {
        if (gone) {
            throw new Refusal(Errno.ENODEV, name + " is gone.");
        }
    }

    /** As Linux has it of a device that is detached: nothing can be set until it is back. */
    private void checkPresent() {
        if (forgotten) {
            throw new Refusal(Errno.ENODEV, name + " is not there for now: its function is suspended, or did not come "
                    + "back from a reset. Resume it, or unbind it and bind it again.");
        }
    }

    private void shape(PortConfig next) {
        QueueSet old = queues;
        if (!next.up()) {
            if (old != null) {
                shut(true);
            }
        } else if (old == null) {
            open(next);
        } else if (old.config().hasShapeOf(next)) {
            change(old, next);
        } else if (old.channels() + next.channels() <= port.maxChannels()) {
            replace(old, next);
        } else {
            exchange(next);
        }
    }

    private QueueSet reserve(PortConfig next) {
        return QueueSet.reserve(name, port, next, memory);
    }

    private void open(PortConfig next) {
        begin(reserve(next), next);
    }

    /** What was sent before goes out first: frames keep their order across a change. */
    private void begin(QueueSet set, PortConfig next) {
        QueueSet old = queues;
        set.open(counters);
        boolean added = false;
        try {
            if (old != null) {
                agent.stopSending();
                drain(old, DRAIN);
            }
            port.name(set);
            agent.add(set);
            added = true;
            coalescingNanos = port.steer(set, next);
        } catch (RuntimeException refused) {
            takeBack(set, added, old);
            throw refused;
        }
        queues = set;
        census.add(set);
    }

    /** The port keeps the queues that it had, if any; none of these steps keeps the next from being taken. */
    private void takeBack(QueueSet set, boolean added, QueueSet old) {
        if (added && old != null) {
            // frames that the new queues have taken go out before those that the old ones get again
            agent.sendSoon(null);
        }
        boolean left = !added || leave(set, old == null ? Duration.ZERO : DRAIN);
        if (old != null) {
            nameAgain(old);
            agent.sendSoon(old);
        }
        if (left) {
            set.destroy();
        }
    }

    private void change(QueueSet set, PortConfig next) {
        boolean steered = !next.steersAs(config);
        if (steered) {
            coalescingNanos = port.steer(set, next);
            if (set.failure() == null) {
                fence(set, Port.FENCE);
            }
        }
        try {
            agent.change(next);
        } catch (RuntimeException held) {
            if (steered) {
                steerBack(set);
            }
            throw held;
        }
    }

    /** What the device's thread has not taken on is not in force in the device either. */
    private void steerBack(QueueSet set) {
        try {
            coalescingNanos = port.steer(set, config);
        } catch (Refusal refused) {
            LOG.error("{}: the device steers as was asked for and refused, and not as is shown: {}", name,
                    refused.getMessage());
        }
    }

    /** Old and new side by side for a moment: nothing is lost. */
    private void replace(QueueSet old, PortConfig next) {
        begin(reserve(next), next);
        end(old, true, DRAIN);
    }

    /** There is no room for both: the memory at least is there before the old queues go. */
    private void exchange(PortConfig next) {
        try {
            begin(reserveAndShut(next, DRAIN), next);
        } catch (RuntimeException refused) {
            if (queues == null) {
                reopen(refused);
            }
            throw refused;
        }
    }

    private void reopen(RuntimeException cause) {
        try {
            open(config);
        } catch (RuntimeException again) {
            LOG.error("{}: without queues, for the old ones do not come back either: {}", name, again.getMessage());
            throw new Refusal(Errno.EIO, name + " is without queues: the new ones were refused ("
                    + cause.getMessage() + ") and so were the old ones. Set it down and up again.", cause);
        }
    }

    /** Makes new queues in place of those that have failed. */
    public void reset() {
        if (config.up() && !gone) {
            begin(reserveAndShut(config, Duration.ZERO), config);
        }
    }

    /** Takes memory for queues and ends those that there are; if that is refused, gives the memory back. */
    private QueueSet reserveAndShut(PortConfig next, Duration patience) {
        QueueSet set = reserve(next);
        try {
            shut(true, patience);
            endLeaving();
            return set;
        } catch (RuntimeException refused) {
            set.destroy();
            throw refused;
        }
    }

    /** Ends all queues. {@code answers}: the device is there and may be asked. */
    void shut(boolean answers) {
        shut(answers, answers ? DRAIN : Duration.ZERO);
    }

    private void shut(boolean answers, Duration patience) {
        QueueSet old = queues;
        if (old == null) {
            return;
        }
        // refused while a user above holds the device's thread: the queues are used as before then
        agent.stopSending();
        queues = null;
        if (answers) {
            stop();
        }
        end(old, answers, patience);
    }

    private void stop() {
        try {
            port.stop();
        } catch (Refusal refused) {
            LOG.warn("{}: the device does not stop receiving: {}", name, refused.getMessage());
        }
    }

    private void end(QueueSet old, boolean fenced, Duration patience) {
        if (fenced && old.failure() == null) {
            fence(old, DRAIN);
        }
        if (leave(old, patience)) {
            old.destroy();
        }
    }

    /**
     * Takes queues off the device's thread, when what they send is sent. False if a user above holds the thread: it
     * lets them go before it does anything else, and they are ended with the next change.
     */
    private boolean leave(QueueSet old, Duration patience) {
        try {
            drain(old, patience);
            agent.remove(old);
            return true;
        } catch (RuntimeException held) {
            LOG.warn("{}: its former queues are there until its thread lets them go: {}", name, held.getMessage());
            agent.removeSoon(old);
            leaving.add(old);
            return false;
        }
    }

    /** Ends queues that the device's thread has had to let go; those that are opened next would wait for them. */
    private void endLeaving() {
        while (!leaving.isEmpty()) {
            agent.remove(leaving.getFirst());
            leaving.removeFirst().destroy();
        }
    }

    private void drain(QueueSet old, Duration patience) {
        if (!patience.isZero() && !agent.drain(old, patience)) {
            LOG.warn("{}: sends were not completed within {} s and are given up", name, patience.toSeconds());
        }
    }

    /**
     * The function is about to forget all queues: they are used no more.
     *
     * @throws Refusal {@code ETIMEDOUT} while a user above holds the device's thread; its queues are used as before
     */
    public void suspend() {
        endLeaving();
        QueueSet old = queues;
        if (old != null) {
            agent.stopSending();
            try {
                drain(old, DRAIN);
                agent.remove(old);
            } catch (RuntimeException held) {
                agent.sendSoon(old);
                throw held;
            }
            suspended = old;
            queues = null;
        }
        forgotten = true;
    }

    /** The function does not forget its queues after all: they are used as before. */
    public void stay() {
        forgotten = false;
        if (suspended != null) {
            queues = suspended;
            suspended = null;
            agent.addSoon(queues, config);
        }
    }

    /** Another life of the function: its port is this one now, and what it should be it becomes. */
    void resume(Port again) {
        forgetSuspended();
        forgotten = false;
        port = again;
        apply(config);
        limits.forgotten();
    }

    private void forgetSuspended() {
        if (suspended != null) {
            suspended.destroy();
            suspended = null;
        }
    }

    /**
     * Ends the port.
     *
     * @throws Refusal {@code ETIMEDOUT} while a user above holds the device's thread, which ends the queues when it is
     *         let go
     */
    public void close(boolean answers) {
        gone = true;
        List<QueueSet> held = List.of();
        try {
            forgetSuspended();
            shut(answers);
            endLeaving();
        } catch (RuntimeException refused) {
            held = takeHeld(answers);
            throw refused;
        } finally {
            agent.close(held);
        }
        Map<String, Long> missing = census.missing();
        if (!missing.isEmpty()) {
            LOG.info("{}: packets that outlive their driver, by holder: {}", name, missing);
        }
    }

    /** Queues that the device's thread has not let go; what may come again with the port has no part in them. */
    private List<QueueSet> takeHeld(boolean answers) {
        List<QueueSet> held = new ArrayList<>(leaving);
        leaving.clear();
        QueueSet last = queues;
        if (last != null) {
            queues = null;
            held.add(last);
            if (answers) {
                stop();
            }
        }
        return held;
    }

    private void fence(QueueSet set, Duration patience) {
        try {
            port.fence(set, patience);
        } catch (Refusal refused) {
            LOG.warn("{}: the device does not fence its receive queues: {}", name, refused.getMessage());
        }
    }

    private void nameAgain(QueueSet set) {
        try {
            port.name(set);
        } catch (Refusal refused) {
            LOG.warn("{}: the device has forgotten the limits of queues: {}", name, refused.getMessage());
        }
    }

    // ---- asked from any thread

    /** Buffers that are not home. */
    public long buffersOut() {
        long out = 0;
        for (long held : census.missing().values()) {
            out += held;
        }
        return out;
    }

    /** All pools of receive queues, those included whose queues are gone and whose buffers are not. */
    List<PoolStatus> pools() {
        return census.receivePools(queues);
    }
}

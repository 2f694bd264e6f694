package io.manafold.ethernet.internal;

import io.manafold.api.net.PoolStatus;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.DmaArena;
import io.manafold.memory.PagePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port from its driver's coming to its going: its queues come, are replaced, and go. Who changes something holds the
 * {@link #lock}; everybody may ask.
 */
final class PortLife {
    private static final Logger LOG = LoggerFactory.getLogger(PortLife.class);
    /** The driver core gives a removal five seconds in all. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final String name;
    private final DmaArena arena;
    private final DeviceAgent agent;
    private final PortCounters counters;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Pool> pools = new ArrayList<>();
    private volatile Port port;
    private volatile PortConfig config;
    private volatile QueueSet queues;
    private volatile int coalescingNanos;

    PortLife(String name, Port port, PortConfig config, DmaArena arena, DeviceAgent agent) {
        this.name = name;
        this.port = port;
        this.config = config.withUp(false);
        this.arena = arena;
        this.agent = agent;
        counters = new PortCounters(port.maxChannels());
    }

    ReentrantLock lock() {
        return lock;
    }

    Port port() {
        return port;
    }

    PortConfig config() {
        return config;
    }

    DeviceAgent agent() {
        return agent;
    }

    PortCounters counters() {
        return counters;
    }

    /** What it has now, or {@code null} while it is down. */
    QueueSet queues() {
        return queues;
    }

    /** Whether it has queues and sends and receives. */
    boolean isOpen() {
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
     * @throws Refusal what memory or device refuse; everything is as before then
     */
    void apply(PortConfig next) {
        QueueSet old = queues;
        if (!next.up()) {
            if (old != null) {
                shut(true);
            }
        } else if (old == null) {
            open(next);
        } else if (isSameShape(old.config(), next)) {
            change(old, next);
        } else if (old.channels() + next.channels() <= port.maxChannels()) {
            replace(old, next);
        } else {
            exchange(old, next);
        }
        config = next;
    }

    private static boolean isSameShape(PortConfig now, PortConfig next) {
        return now.mtu() == next.mtu() && now.receiveEntries() == next.receiveEntries()
                && now.transmitEntries() == next.transmitEntries() && now.channels() == next.channels()
                && now.policy() == next.policy() && now.page() == next.page()
                && (now.hook() == null) == (next.hook() == null);
    }

    private QueueSet reserve(PortConfig next) {
        return QueueSet.reserve(name, port, next, arena);
    }

    private void open(PortConfig next) {
        begin(reserve(next), next);
    }

    private void begin(QueueSet set, PortConfig next) {
        set.open(counters);
        agent.add(set);
        try {
            coalescingNanos = port.steer(set, next);
        } catch (RuntimeException refused) {
            agent.remove(set);
            set.destroy();
            throw refused;
        }
        queues = set;
        remember(set);
    }

    private void change(QueueSet set, PortConfig next) {
        coalescingNanos = port.steer(set, next);
        agent.change(next);
        if (set.failure() == null) {
            port.fence(set, Port.FENCE);
        }
    }

    /** Old and new side by side for a moment: nothing is lost. */
    private void replace(QueueSet old, PortConfig next) {
        begin(reserve(next), next);
        end(old, true, true);
    }

    /** There is no room for both: the memory at least is there before the old queues go. */
    private void exchange(QueueSet old, PortConfig next) {
        QueueSet set = reserve(next);
        shut(true);
        try {
            begin(set, next);
        } catch (RuntimeException refused) {
            open(old.config());
            throw refused;
        }
    }

    /** Ends all queues. {@code answers}: the device is there and may be asked. */
    void shut(boolean answers) {
        QueueSet old = queues;
        if (old == null) {
            return;
        }
        queues = null;
        if (answers) {
            quietly("does not stop receiving", port::stop);
        }
        agent.stopSending();
        end(old, answers, answers);
    }

    private void end(QueueSet old, boolean fenced, boolean drained) {
        if (fenced && old.failure() == null) {
            quietly("does not fence its receive queues", () -> port.fence(old, DRAIN));
        }
        if (drained && !agent.drain(old, DRAIN)) {
            LOG.warn("{}: sends were not completed within {} s and are given up", name, DRAIN.toSeconds());
        }
        agent.remove(old);
        old.destroy();
    }

    /** Another life of the function: its port is this one now, without queues yet. */
    void connect(Port again) {
        port = again;
    }

    /** Ends the port. */
    void close(boolean answers) {
        shut(answers);
        agent.close();
    }

    private void quietly(String what, Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            LOG.warn("{}: the device {}: {}", name, what, refused.getMessage());
        }
    }

    // ---- pools, asked by anybody

    private record Pool(QueueSet set, int queue, PagePool pool) {
    }

    private void remember(QueueSet set) {
        synchronized (pools) {
            for (int i = 0; i < set.channels(); i++) {
                pools.add(new Pool(set, i, set.receive(i).pool()));
            }
        }
    }

    /** All pools of receive queues, those included whose queues are gone and whose buffers are not. */
    List<PoolStatus> pools(String device) {
        synchronized (pools) {
            pools.removeIf(one -> one.pool.isDrained());
            return pools.stream().<PoolStatus>map(one -> PoolSnapshot.of(device, one.queue, one.pool,
                    one.set == queues)).toList();
        }
    }
}

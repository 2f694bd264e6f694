package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Map;
import java.util.TreeMap;

/** A port of another process. */
public final class AttachedPort extends SecondaryPort {
    private final PrimaryConnection primary;
    private final Wire.Known known;
    private final Map<Integer, AttachedQueue> queues = new TreeMap<>();
    private boolean closed;

    AttachedPort(PrimaryConnection primary, Wire.Known known) {
        this.primary = primary;
        this.known = known;
    }

    private synchronized AttachedQueue queue(int number) {
        if (closed) {
            throw new Refusal(Errno.ENODEV, "Port " + number() + " (" + name() + ") of process " + primary.process()
                    + " has gone from here.");
        }
        AttachedQueue queue = queues.get(number);
        if (queue == null) {
            queue = primary.lend(number(), number);
            queues.put(number, queue);
        }
        return queue;
    }

    @Override
    public ReceiveQueue receiveQueue(int queue) {
        return queue(queue).in();
    }

    @Override
    public SendQueue sendQueue(int queue) {
        return queue(queue).out();
    }

    @Override
    public int number() {
        return known.number();
    }

    @Override
    public String name() {
        return known.name();
    }

    @Override
    public EthDevInfo info() {
        return known.info();
    }

    private Wire.State state() {
        return primary.ask(Wire.STATE, number(), Wire::state);
    }

    @Override
    public EthDevPlan plan() {
        return state().plan();
    }

    @Override
    public boolean isStarted() {
        return state().isStarted();
    }

    @Override
    public LinkState link() {
        return state().link();
    }

    @Override
    public EthDevStatistics statistics() {
        return primary.ask(Wire.STATISTICS, number(), Wire::statistics);
    }

    @Override
    public Map<String, Long> extendedStatistics() {
        return primary.ask(Wire.STATISTICS, number(), in -> {
            Wire.statistics(in);
            return Wire.extended(in);
        });
    }

    @Override
    public void resetStatistics() {
        primary.ask(Wire.RESET, number(), _ -> 0);
    }

    @Override
    public int mtu() {
        return state().mtu();
    }

    /** Its bursts are empty from now on; the primary has the queues until this process leaves it. */
    @Override
    public synchronized void close() {
        closed = true;
        queues.values().forEach(AttachedQueue::shut);
    }

    /** The primary has been left, or has gone: packets come home. */
    public synchronized void end() {
        close();
        queues.values().forEach(AttachedQueue::end);
    }
}

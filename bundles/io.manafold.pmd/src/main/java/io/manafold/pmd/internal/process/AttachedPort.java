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
    private final SecondaryProtocol.Known known;
    /** Held while a queue is asked for, and never by the thread that the answer comes by. */
    private final Object asking = new Object();
    private final Map<Integer, AttachedQueue> queues = new TreeMap<>();
    private boolean closed;
    private boolean ended;
    /** Those that were dropped before statistics were set to 0. */
    private long forgotten;

    AttachedPort(PrimaryConnection primary, SecondaryProtocol.Known known) {
        this.primary = primary;
        this.known = known;
    }

    private AttachedQueue queue(int number) {
        synchronized (asking) {
            AttachedQueue there = known(number);
            if (there == null) {
                // the port may be closed before the answer comes, by the thread that it comes by
                keep(number, primary.lend(number(), number));
                there = known(number);
            }
            return there;
        }
    }

    private synchronized AttachedQueue known(int number) {
        if (closed) {
            throw new Refusal(Errno.ENODEV, "Port " + number() + " (" + name() + ") of process " + primary.process()
                    + " has gone from here.");
        }
        return queues.get(number);
    }

    private synchronized void keep(int number, AttachedQueue queue) {
        queues.put(number, queue);
        if (closed) {
            queue.shut();
        }
        if (ended) {
            queue.end();
        }
    }

    @Override
    ReceiveQueue receives(int queue) {
        return queue(queue).in();
    }

    @Override
    SendQueue sends(int queue) {
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

    private SecondaryProtocol.State state() {
        return primary.ask(SecondaryProtocol.STATE, number(), SecondaryProtocol::state);
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

    /** Packets that queues have dropped here, of which the primary knows nothing. */
    private synchronized long dropped() {
        return queues.values().stream().mapToLong(AttachedQueue::dropped).sum() - forgotten;
    }

    @Override
    public EthDevStatistics statistics() {
        EthDevStatistics of = primary.ask(SecondaryProtocol.STATISTICS, number(), SecondaryProtocol::statistics);
        return new EthDevStatistics(of.received(), of.receivedBytes(), of.sent(), of.sentBytes(), of.missed(),
                of.receiveErrors(), of.sendErrors() + dropped(), of.noBuffers());
    }

    @Override
    public Map<String, Long> extendedStatistics() {
        Map<String, Long> extended = primary.ask(SecondaryProtocol.STATISTICS, number(), in -> {
            SecondaryProtocol.statistics(in);
            return SecondaryProtocol.extended(in);
        });
        extended.computeIfPresent("tx_errors", (_, errors) -> errors + dropped());
        return extended;
    }

    @Override
    public void resetStatistics() {
        primary.ask(SecondaryProtocol.RESET, number(), _ -> 0);
        synchronized (this) {
            forgotten += dropped();
        }
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
        ended = true;
        close();
        queues.values().forEach(AttachedQueue::end);
    }
}

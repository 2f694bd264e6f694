package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDev;
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

/** A port of a primary of this platform. Its queues are used as they are. */
public final class LocalPort extends SecondaryPort {
    private final EthDev port;
    private final PrimaryProcess primary;
    private final String who;
    private final Map<Integer, PrimaryProcess.Pair> queues = new TreeMap<>();
    private boolean closed;

    /** @param who polls its queues, within a sentence */
    public LocalPort(EthDev port, PrimaryProcess primary, String who) {
        this.port = port;
        this.primary = primary;
        this.who = who;
    }

    private synchronized PrimaryProcess.Pair pair(int queue) {
        PrimaryProcess.Pair pair = queues.get(queue);
        if (pair == null && closed) {
            throw new Refusal(Errno.ENODEV, name() + " is closed for " + who + "; its queues are given back.");
        }
        if (pair == null) {
            pair = primary.lend(number(), queue, who);
            queues.put(queue, pair);
        }
        return pair;
    }

    @Override
    ReceiveQueue receives(int queue) {
        return pair(queue).receive();
    }

    @Override
    SendQueue sends(int queue) {
        return pair(queue).send();
    }

    @Override
    public int number() {
        return port.number();
    }

    @Override
    public String name() {
        return port.name();
    }

    @Override
    public EthDevInfo info() {
        return port.info();
    }

    @Override
    public EthDevPlan plan() {
        return port.plan();
    }

    @Override
    public boolean isStarted() {
        return port.isStarted();
    }

    @Override
    public LinkState link() {
        return port.link();
    }

    @Override
    public EthDevStatistics statistics() {
        return port.statistics();
    }

    @Override
    public Map<String, Long> extendedStatistics() {
        return port.extendedStatistics();
    }

    @Override
    public void resetStatistics() {
        port.resetStatistics();
    }

    @Override
    public int mtu() {
        return port.mtu();
    }

    /** Gives its queues back, and packets that are under way come home as far as that takes no longer than a while. */
    @Override
    public synchronized void close() {
        closed = true;
        long deadline = System.nanoTime() + LentQueue.LAST_NANOS;
        queues.values().forEach(pair -> end(pair, deadline));
        queues.clear();
    }

    private static void end(PrimaryProcess.Pair pair, long deadline) {
        // the next who polls the queue may not send, and then nothing brings them home
        LentQueue.awaitSent(pair.send(), deadline);
        pair.giveBack().run();
    }
}

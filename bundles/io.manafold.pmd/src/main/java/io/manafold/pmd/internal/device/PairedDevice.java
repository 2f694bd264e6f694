package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.pmd.internal.queue.CheckedReceiveQueue;
import io.manafold.pmd.internal.queue.CheckedSendQueue;
import java.util.Map;

/** A port over a pair, as applications have it: its virtual function comes and goes below it. */
final class PairedDevice implements EthDev {
    private final PmdEnvironment environment;
    private final PairedFacts facts;
    private final PortSentences say;
    private final PairedLife life;
    private final PairedCount count;

    PairedDevice(PmdEnvironment environment, PairedFacts facts, int number) {
        this.environment = environment;
        this.facts = facts;
        say = new PortSentences(number, facts.device().instance());
        PairedQueues queues = new PairedQueues();
        count = new PairedCount(queues, new MissedFrames(facts.device().device()), this::function);
        life = new PairedLife(environment, facts.device(), say, queues, count, this::function, this::info);
    }

    /** The port that is its virtual function: that of the same address; {@code null} while there is none. */
    private PollDevice function() {
        return environment.list().function(mac());
    }

    MacAddress mac() {
        return facts.device().mac();
    }

    PairedFacts facts() {
        return facts;
    }

    PortSentences say() {
        return say;
    }

    PairedLife life() {
        return life;
    }

    @Override
    public int number() {
        return say.number();
    }

    @Override
    public String name() {
        return say.name();
    }

    @Override
    public EthDevInfo info() {
        PollDevice below = function();
        return facts.info(below == null ? null : below.info());
    }

    @Override
    public EthDevPlan plan() {
        return life.plan();
    }

    @Override
    public void configure(EthDevPlan plan) {
        life.configure(plan);
    }

    @Override
    public void setUpSend(int queue, int descriptors) {
        life.setUpSend(queue, descriptors);
    }

    @Override
    public void setUpReceive(int queue, int descriptors, int pool) {
        life.setUpReceive(queue, descriptors, pool);
    }

    @Override
    public void start() {
        life.start();
    }

    @Override
    public void stop() {
        life.stop();
    }

    @Override
    public boolean isStarted() {
        return life.isStarted();
    }

    @Override
    public void close() {
        try {
            life.end(PortState.CLOSED);
        } finally {
            environment.departures().closed(this);
        }
    }

    @Override
    public ReceiveQueue receiveQueue(int queue) {
        ReceiveQueue slot = life.receiveQueue(queue);
        return environment.checks() ? new CheckedReceiveQueue(slot, say.queue("receive", queue)) : slot;
    }

    @Override
    public SendQueue sendQueue(int queue) {
        SendQueue slot = life.sendQueue(queue);
        return environment.checks() ? new CheckedSendQueue(slot, say.queue("send", queue)) : slot;
    }

    /** Its speed is its virtual function's. */
    @Override
    public LinkState link() {
        if (!life.isHere() || !facts.device().device().hasLink()) {
            return NetDeviceState.DOWN;
        }
        PollDevice below = function();
        return new LinkState(true, below == null ? 0 : below.link().speed());
    }

    @Override
    public EthDevStatistics statistics() {
        return count.statistics();
    }

    @Override
    public Map<String, Long> extendedStatistics() {
        return count.extended();
    }

    @Override
    public void resetStatistics() {
        count.reset();
    }

    @Override
    public int mtu() {
        return facts.device().device().mtu();
    }

    @Override
    public void mtu(int bytes) {
        life.mtu(bytes);
    }

    @Override
    public int[] redirection() {
        return life.redirection();
    }

    @Override
    public void redirection(int[] table) {
        life.redirection(table);
    }

    @Override
    public RssHash rss() {
        return life.rss();
    }

    @Override
    public void rss(RssHash hash) {
        life.rss(hash);
    }

    @Override
    public void promiscuous(boolean on) {
        if (on) {
            throw say.refusal(Errno.EOPNOTSUPP, "has no promiscuous mode: its device gives it packets for its address "
                    + "and for groups alone.");
        }
    }

    @Override
    public boolean isPromiscuous() {
        return false;
    }
}

package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.pmd.internal.process.PrimaryProcess;
import io.manafold.pmd.internal.queue.CheckedReceiveQueue;
import io.manafold.pmd.internal.queue.CheckedSendQueue;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.Map;

/** A port in poll mode, as applications have it. */
final class PollDevice implements EthDev {
    private final PmdEnvironment environment;
    private final PortFacts facts;
    private final PortSentences say;
    private final NetDeviceState network;
    private final PortLife life;
    private final PortCount count;

    PollDevice(PmdEnvironment environment, Directory directory, PortFacts facts, PortDomain domain, int number) {
        this.environment = environment;
        this.facts = facts;
        say = new PortSentences(number, facts.name());
        network = new NetDeviceState(directory, facts, say);
        PortQueues queues = new PortQueues((side, queue, why) -> environment.failed(this,
                say.failure(side, queue, why)));
        life = new PortLife(facts, say, network, queues, environment.warmUp(), domain);
        count = new PortCount(queues.everSends(), queues.everReceives(), network::missed);
    }

    PortFacts facts() {
        return facts;
    }

    PortSentences say() {
        return say;
    }

    PortLife life() {
        return life;
    }

    NetDeviceState network() {
        return network;
    }

    @Override
    public String owner() {
        return environment.list().owner(facts.mac());
    }

    private void checkFree() {
        String owner = owner();
        if (!owner.isEmpty()) {
            throw say.refusal(Errno.EBUSY, "is the virtual function of the port " + owner
                    + ", which has it: ask that.");
        }
    }

    boolean is(PortState state) {
        return life.is(state);
    }

    @Override
    public int number() {
        return say.number();
    }

    @Override
    public String name() {
        return facts.name();
    }

    @Override
    public EthDevInfo info() {
        return facts.info();
    }

    // ---- life

    @Override
    public EthDevPlan plan() {
        return life.plan();
    }

    @Override
    public void configure(EthDevPlan plan) {
        checkFree();
        life.configure(plan);
    }

    @Override
    public void setUpSend(int queue, int descriptors) {
        checkFree();
        life.setUpSend(queue, descriptors);
    }

    @Override
    public void setUpReceive(int queue, int descriptors, int pool) {
        checkFree();
        life.setUpReceive(queue, descriptors, pool);
    }

    @Override
    public void start() {
        checkFree();
        life.start();
    }

    @Override
    public void stop() {
        checkFree();
        life.stop();
    }

    @Override
    public boolean isStarted() {
        return life.isStarted();
    }

    @Override
    public void close() {
        checkFree();
        try {
            life.close();
        } finally {
            RdmaDevice holder = life.holder();
            if (holder != null) {
                environment.whenGone(holder, life::letGo);
            }
            environment.departures().closed(this);
        }
    }

    @Override
    public void offerQueues(int first) {
        checkFree();
        life.offerQueues(first);
    }

    /** Has a secondary poll a queue. */
    PrimaryProcess.Pair lend(int queue) {
        life.lend(queue);
        return new PrimaryProcess.Pair(receiveQueue(queue), sendQueue(queue), life.receiveQueue(queue).count()::drop,
                () -> life.takeBack(queue));
    }

    // ---- data path

    @Override
    public ReceiveQueue receiveQueue(int queue) {
        ReceiveSlot slot = life.receiveQueue(queue);
        return environment.checks() ? new CheckedReceiveQueue(slot, say.queue("receive", queue)) : slot;
    }

    @Override
    public SendQueue sendQueue(int queue) {
        SendSlot slot = life.sendQueue(queue);
        return environment.checks() ? new CheckedSendQueue(slot, say.queue("send", queue)) : slot;
    }

    // ---- state

    @Override
    public LinkState link() {
        return is(PortState.HERE) ? network.link() : NetDeviceState.DOWN;
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
        checkFree();
        count.reset();
    }

    @Override
    public int mtu() {
        return network.mtu();
    }

    @Override
    public void mtu(int bytes) {
        checkFree();
        life.checkHere();
        network.mtu(bytes);
    }

    @Override
    public int[] redirection() {
        return life.redirection();
    }

    @Override
    public void redirection(int[] table) {
        checkFree();
        life.redirection(table);
    }

    @Override
    public RssHash rss() {
        return life.rss();
    }

    @Override
    public void rss(RssHash hash) {
        checkFree();
        life.rss(hash);
    }

    @Override
    public void promiscuous(boolean on) {
        if (on) {
            throw say.refusal(Errno.EOPNOTSUPP, "has no promiscuous mode: its device gives it packets for its address "
                    + "alone.");
        }
    }

    @Override
    public boolean isPromiscuous() {
        return false;
    }
}

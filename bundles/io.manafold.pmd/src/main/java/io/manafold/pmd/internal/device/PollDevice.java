package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A port in poll mode. Control calls wait for each other; bursts wait for nothing. */
final class PollDevice implements EthDev {
    private final PmdEnvironment environment;
    private final Directory directory;
    private final PortFacts facts;
    private final int number;
    private final List<SendSlot> sends = new ArrayList<>();
    private final List<ReceiveSlot> receives = new ArrayList<>();
    private final PortCount count = new PortCount(sends, receives);
    private RdmaDevice device;
    private PortPlan plan;
    private PortHardware hardware;
    private boolean removed;
    private boolean closed;

    PollDevice(PmdEnvironment environment, Directory directory, PortFacts facts, RdmaDevice device, int number) {
        this.environment = environment;
        this.directory = directory;
        this.facts = facts;
        this.device = device;
        this.number = number;
    }

    PortFacts facts() {
        return facts;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public String name() {
        return facts.name();
    }

    @Override
    public EthDevInfo info() {
        return facts.info();
    }

    @Override
    public synchronized EthDevPlan plan() {
        return plan == null ? null : plan.plan();
    }

    // ---- life

    private void checkThere() {
        if (closed) {
            throw refusal(Errno.ENODEV, "has been closed.");
        }
        if (removed) {
            throw refusal(Errno.ENODEV, "has been removed; close it. When its device comes back, it is a new port.");
        }
    }

    private void checkStopped(String what) {
        checkThere();
        if (hardware != null) {
            throw refusal(Errno.EBUSY, "is started; stop it before " + what + ".");
        }
    }

    private PortPlan configured() {
        checkThere();
        if (plan == null) {
            throw refusal(Errno.EINVAL, "is not configured.");
        }
        return plan;
    }

    private Refusal refusal(Errno errno, String rest) {
        return new Refusal(errno, "Port " + number + " (" + facts.name() + ") " + rest);
    }

    @Override
    public synchronized void configure(EthDevPlan wanted) {
        checkStopped("it is configured");
        EthDevInfo info = facts.info();
        plan = new PortPlan(facts.name(), wanted, info.maxQueues(), info.maxDescriptors(), info.receiveOffloads(), info.sendOffloads());
        while (sends.size() < wanted.sendQueues()) {
            int queue = sends.size();
            sends.add(new SendSlot(why -> trouble("send", queue, why)));
            receives.add(new ReceiveSlot(why -> trouble("receive", queue, why)));
        }
    }

    private void trouble(String side, int queue, String why) {
        environment.tell(new EthDevEvent(EthDevEvent.Kind.QUEUE_STATE, number, "The " + side + " queue " + queue + " of port " + number
                + " (" + facts.name() + ") moves nothing any more: " + why + " Stop and start the port; if it happens again, reset the"
                + " adapter."));
    }

    @Override
    public synchronized void setUpSend(int queue, int descriptors) {
        checkStopped("queues are set up");
        configured().setUpSend(queue, descriptors);
    }

    @Override
    public synchronized void setUpReceive(int queue, int descriptors, int pool) {
        checkStopped("queues are set up");
        configured().setUpReceive(queue, descriptors, pool);
    }

    @Override
    public synchronized void start() {
        configured().checkComplete();
        if (hardware != null) {
            return;
        }
        begin();
    }

    private void begin() {
        NetDevice above = directory.network(facts.address(), facts.port());
        if (above != null && above.isUp()) {
            throw refusal(Errno.ENODEV, "is not started: the network stack has it, by the device " + above.name()
                    + ", which is up. Take it down first: ip link set " + above.name() + " down");
        }
        List<SendSlot> usedSends = sends.subList(0, plan.plan().sendQueues());
        List<ReceiveSlot> usedReceives = receives.subList(0, plan.plan().receiveQueues());
        try {
            hardware = new PortHardware(device, facts.port(), plan, usedSends, usedReceives);
        } catch (Refusal refused) {
            packetsHome();
            throw refused.errno() == Errno.EBUSY ? new Refusal(Errno.ENODEV, "Port " + number + " (" + facts.name()
                    + ") is not started: others have it. " + refused.getMessage(), refused) : refused;
        } catch (RuntimeException wrong) {
            packetsHome();
            throw wrong;
        }
        usedSends.forEach(SendSlot::go);
        usedReceives.forEach(ReceiveSlot::go);
    }

    @Override
    public synchronized void stop() {
        sends.forEach(SendSlot::shut);
        receives.forEach(ReceiveSlot::shut);
        PortHardware ending = hardware;
        hardware = null;
        try {
            if (ending != null) {
                ending.close();
            }
        } finally {
            packetsHome();
        }
    }

    /** The device knows none of them any more. */
    private void packetsHome() {
        sends.forEach(SendSlot::end);
        receives.forEach(ReceiveSlot::end);
    }

    @Override
    public synchronized boolean isStarted() {
        return hardware != null;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            stop();
        }
        environment.forget(this);
    }

    /** The device has gone, and has forgotten all queues. Returns whether it was this port's. */
    synchronized boolean lose(RdmaDevice gone) {
        if (device != gone || closed) {
            return false;
        }
        device = null;
        removed = true;
        stop();
        return true;
    }

    // ---- data path

    @Override
    public synchronized ReceiveQueue receiveQueue(int queue) {
        return receives.get(known(queue));
    }

    @Override
    public synchronized SendQueue sendQueue(int queue) {
        return sends.get(known(queue));
    }

    private int known(int queue) {
        if (plan == null || queue < 0 || queue >= plan.plan().receiveQueues()) {
            throw refusal(Errno.EINVAL, "has no queue " + queue + ".");
        }
        return queue;
    }

    // ---- state

    @Override
    public LinkState link() {
        NetDevice above = directory.network(facts.address(), facts.port());
        RdmaDevice below;
        synchronized (this) {
            below = device;
        }
        if (below == null) {
            return new LinkState(false, 0);
        }
        long speed = above == null ? 0 : above.speed();
        return new LinkState(true, (int) Math.min(Integer.MAX_VALUE, speed / 1_000_000));
    }

    @Override
    public synchronized EthDevStatistics statistics() {
        return count.statistics();
    }

    @Override
    public synchronized Map<String, Long> extendedStatistics() {
        return count.extended();
    }

    @Override
    public synchronized void resetStatistics() {
        count.reset();
    }

    private NetDevice network() {
        NetDevice above = directory.network(facts.address(), facts.port());
        if (above == null) {
            throw refusal(Errno.ENODEV, "has no network device, which its MTU is of.");
        }
        return above;
    }

    @Override
    public int mtu() {
        NetDevice above = directory.network(facts.address(), facts.port());
        return above == null ? PortFacts.DEFAULT_MTU : above.mtu();
    }

    @Override
    public void mtu(int bytes) {
        synchronized (this) {
            checkThere();
        }
        EthDevInfo info = facts.info();
        if (bytes < info.minMtu() || bytes > info.maxMtu()) {
            throw refusal(Errno.EINVAL, "has an MTU from " + info.minMtu() + " to " + info.maxMtu() + ", not " + bytes + ".");
        }
        network().setMtu(bytes);
    }

    @Override
    public synchronized int[] redirection() {
        return configured().table();
    }

    @Override
    public synchronized void redirection(int[] table) {
        PortPlan now = configured();
        now.checkTable(table);
        int[] before = now.table();
        now.table(table);
        spread(() -> now.table(before));
    }

    @Override
    public synchronized RssHash rss() {
        return configured().hash();
    }

    @Override
    public synchronized void rss(RssHash hash) {
        PortPlan now = configured();
        RssHash before = now.hash();
        now.hash(hash);
        spread(() -> now.hash(before));
    }

    private void spread(Runnable back) {
        if (hardware != null) {
            try {
                hardware.spread(plan);
            } catch (RuntimeException refused) {
                back.run();
                throw refused;
            }
        }
    }

    @Override
    public void promiscuous(boolean on) {
        if (on) {
            throw refusal(Errno.EOPNOTSUPP, "has no promiscuous mode: its device gives it packets for its address alone.");
        }
    }

    @Override
    public boolean isPromiscuous() {
        return false;
    }
}

package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
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
import io.manafold.pmd.internal.queue.CheckedReceiveQueue;
import io.manafold.pmd.internal.queue.CheckedSendQueue;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.Map;

/** A port in poll mode. Control calls wait for each other; bursts wait for nothing. */
final class PollDevice implements EthDev {
    private final PmdEnvironment environment;
    private final PortFacts facts;
    private final int number;
    private final PortSentences say;
    private final NetworkSide network;
    private final PortQueues queues;
    private final PortCount count;
    private RdmaDevice device;
    private PortState state = PortState.HERE;
    private PortPlan plan;
    private PortHardware hardware;
    /** While it recovers, whether it is started again then. */
    private boolean goesOn;

    PollDevice(PmdEnvironment environment, Directory directory, PortFacts facts, RdmaDevice device, int number) {
        this.environment = environment;
        this.facts = facts;
        this.device = device;
        this.number = number;
        say = new PortSentences(number, facts.name());
        network = new NetworkSide(directory, facts, say);
        queues = new PortQueues((side, queue, why) -> environment.tell(say.trouble(side, queue, why)));
        count = new PortCount(queues.everSends(), queues.everReceives(), network::missed);
    }

    PortFacts facts() {
        return facts;
    }

    PortSentences say() {
        return say;
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

    private void checkHere() {
        if (state != PortState.HERE) {
            throw say.notHere(state);
        }
    }

    private void checkStopped(String what) {
        checkHere();
        if (hardware != null) {
            throw say.refusal(Errno.EBUSY, "is started; stop it before " + what + ".");
        }
    }

    private PortPlan configured() {
        checkHere();
        if (plan == null) {
            throw say.refusal(Errno.EINVAL, "is not configured.");
        }
        return plan;
    }

    @Override
    public synchronized void configure(EthDevPlan wanted) {
        checkStopped("it is configured");
        EthDevInfo info = facts.info();
        plan = new PortPlan(facts.name(), wanted, info.maxQueues(), info.maxDescriptors(), info.receiveOffloads(), info.sendOffloads());
        queues.use(wanted.receiveQueues(), wanted.interrupts());
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
        if (hardware == null) {
            begin();
        }
    }

    private void begin() {
        NetDevice above = network.device();
        if (above != null && above.isUp()) {
            throw say.refusal(Errno.ENODEV, "is not started: the network stack has it, by the device " + above.name()
                    + ", which is up. Take it down first: ip link set " + above.name() + " down");
        }
        try {
            hardware = new PortHardware(device, say, facts.port(), plan, queues.sends(), queues.receives());
        } catch (Refusal refused) {
            queues.end();
            throw refused.errno() == Errno.EBUSY
                    ? say.refusal(Errno.ENODEV, "is not started: others have it. " + refused.getMessage(), refused) : refused;
        } catch (RuntimeException wrong) {
            queues.end();
            throw wrong;
        }
        queues.go();
    }

    @Override
    public synchronized void stop() {
        goesOn = false;
        end();
    }

    private void end() {
        queues.shut();
        PortHardware ending = hardware;
        hardware = null;
        try {
            if (ending != null) {
                ending.close();
            }
        } finally {
            // the device knows none of them any more
            queues.end();
        }
    }

    /** One that recovers is started if it will be. */
    @Override
    public synchronized boolean isStarted() {
        return hardware != null || goesOn;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (state == PortState.CLOSED) {
                return;
            }
            state = PortState.CLOSED;
            device = null;
            stop();
        }
        environment.forget(this);
    }

    // ---- the device comes and goes

    /** Whether it goes when a device does. */
    synchronized boolean isOf(RdmaDevice one) {
        return state == PortState.HERE && device == one;
    }

    synchronized boolean is(PortState wanted) {
        return state == wanted;
    }

    /** The device has gone for good, and has forgotten all queues. Returns whether that is new. */
    synchronized boolean remove() {
        if (state != PortState.HERE && state != PortState.RECOVERING) {
            return false;
        }
        state = PortState.REMOVED;
        device = null;
        stop();
        return true;
    }

    /** The device is being reset, and has forgotten all queues; another comes in its place. */
    synchronized void suspend() {
        if (state == PortState.HERE) {
            state = PortState.RECOVERING;
            device = null;
            goesOn = hardware != null;
            end();
        }
    }

    /**
     * Goes on with a device that has come, as it was before.
     *
     * @return false if that has gone again
     * @throws Refusal why it cannot go on
     */
    synchronized boolean resume(RdmaDevice back) {
        if (state != PortState.RECOVERING) {
            return true;
        }
        device = back;
        try {
            if (goesOn) {
                begin();
            }
        } catch (Refusal refused) {
            device = null;
            if (back.departure() != null) {
                return false;
            }
            fail();
            throw refused;
        }
        if (back.departure() != null) {
            device = null;
            end();
            return false;
        }
        state = PortState.HERE;
        goesOn = false;
        return true;
    }

    /** It does not come back. */
    synchronized void fail() {
        if (state == PortState.RECOVERING) {
            state = PortState.FAILED;
            device = null;
            goesOn = false;
        }
    }

    // ---- data path

    @Override
    public synchronized ReceiveQueue receiveQueue(int queue) {
        ReceiveSlot slot = queues.receives().get(known(queue));
        return environment.checks() ? new CheckedReceiveQueue(slot, say.queue("receive", queue)) : slot;
    }

    @Override
    public synchronized SendQueue sendQueue(int queue) {
        SendSlot slot = queues.sends().get(known(queue));
        return environment.checks() ? new CheckedSendQueue(slot, say.queue("send", queue)) : slot;
    }

    private int known(int queue) {
        if (plan == null || queue < 0 || queue >= plan.plan().receiveQueues()) {
            throw say.refusal(Errno.EINVAL, "has no queue " + queue + ".");
        }
        return queue;
    }

    // ---- state

    @Override
    public LinkState link() {
        return is(PortState.HERE) ? network.link() : NetworkSide.DOWN;
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

    @Override
    public int mtu() {
        return network.mtu();
    }

    @Override
    public void mtu(int bytes) {
        synchronized (this) {
            checkHere();
        }
        network.mtu(bytes);
    }

    @Override
    public synchronized int[] redirection() {
        return configured().table();
    }

    @Override
    public synchronized void redirection(int[] table) {
        PortPlan now = configured();
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
            throw say.refusal(Errno.EOPNOTSUPP, "has no promiscuous mode: its device gives it packets for its address alone.");
        }
    }

    @Override
    public boolean isPromiscuous() {
        return false;
    }
}

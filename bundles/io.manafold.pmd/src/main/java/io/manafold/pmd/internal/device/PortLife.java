package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketOwners;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import io.manafold.pmd.internal.queue.WarmUp;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From configuring to closing: a port with its device, its plan, and what it has of the device while it is started.
 * Control calls wait for each other.
 */
final class PortLife {
    private static final Logger LOG = LoggerFactory.getLogger(PortLife.class);

    private final PortFacts facts;
    private final PortSentences say;
    private final NetDeviceState network;
    private final PortQueues queues;
    private final WarmUp warmUp;
    /** What the port has of its device, {@code null} while it has none. */
    private PortDomain domain;
    /** The device whose going has been seen to. */
    private RdmaDevice goneDevice;
    private PortState state = PortState.HERE;
    private PortPlan plan;
    private PortHardware hardware;
    /** The device that may still reach packets of the last start, as it refused to give up their memory. */
    private RdmaDevice holder;
    /** While it recovers, whether it is started again then. */
    private boolean goesOn;
    /** Queues from this one on are for secondaries. */
    private int offered = Integer.MAX_VALUE;
    private final Set<Integer> lent = new HashSet<>();

    PortLife(PortFacts facts, PortSentences say, NetDeviceState network, PortQueues queues, WarmUp warmUp,
            PortDomain domain) {
        this.facts = facts;
        this.warmUp = warmUp;
        this.say = say;
        this.network = network;
        this.queues = queues;
        this.domain = domain;
    }

    synchronized void checkHere() {
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

    synchronized EthDevPlan plan() {
        return plan == null ? null : plan.plan();
    }

    synchronized void configure(EthDevPlan wanted) {
        checkStopped("it is configured");
        EthDevInfo info = facts.info();
        plan = new PortPlan(facts.name(), wanted, info.maxQueues(), info.maxDescriptors(), info.receiveOffloads(),
                info.sendOffloads());
        queues.use(wanted.receiveQueues(), wanted.interrupts());
    }

    synchronized void setUpSend(int queue, int descriptors) {
        checkStopped("queues are set up");
        configured().setUpSend(queue, descriptors);
    }

    synchronized void setUpReceive(int queue, int descriptors, int pool) {
        checkStopped("queues are set up");
        configured().setUpReceive(queue, descriptors, pool);
    }

    synchronized void start() {
        configured().checkComplete();
        if (hardware == null) {
            begin();
        }
    }

    private void begin() {
        if (holder != null) {
            throw say.refusal(Errno.EBUSY, "is not started: when it was stopped, or its start failed, its device did "
                    + "not give up the memory of its packets. Reset the function first ('servicing reset'): with "
                    + "that they come home.");
        }
        NetDevice above = network.device();
        if (above != null && above.isUp()) {
            throw say.refusal(Errno.ENODEV, "is not started: the network stack has it, by the device " + above.name()
                    + ", which is up. Take it down first: ip link set " + above.name() + " down");
        }
        if (warmUp != null) {
            warmUp.run(plan.pool(0), plan.plan().sendOffloads() == 0, plan.plan().receiveOffloads());
        }
        PacketOwners.acting("the receive queues of port " + say.number() + " (" + say.name() + ")");
        PortHardware made = new PortHardware(domain);
        try {
            made.make(plan, queues.sends(), queues.receives());
            hardware = made;
        } catch (Refusal refused) {
            comeHome(made);
            throw refused.errno() == Errno.EBUSY
                    ? say.refusal(Errno.ENODEV, "is not started: others have it. " + refused.getMessage(), refused)
                    : refused;
        } catch (RuntimeException wrong) {
            comeHome(made);
            throw wrong;
        } finally {
            PacketOwners.done();
        }
        queues.go();
    }

    synchronized void stop() {
        goesOn = false;
        end();
    }

    /** Packets go home once the device cannot reach them any more. */
    private void end() {
        queues.shut();
        PortHardware ending = hardware;
        hardware = null;
        try {
            if (ending != null) {
                ending.close();
            }
        } finally {
            comeHome(ending);
        }
    }

    /**
     * Packets go home, unless a device may still reach them.
     *
     * @param ended what the port had of its device, or {@code null}
     */
    private void comeHome(PortHardware ended) {
        if (ended != null && ended.reachesPackets()) {
            holder = ended.device();
        }
        if (holder == null || holder.departure() != null) {
            letGo();
        }
    }

    /** The device that may still reach packets of it, or {@code null}. */
    synchronized RdmaDevice holder() {
        return holder;
    }

    /** No device reaches its packets any more. */
    synchronized void letGo() {
        holder = null;
        queues.end();
    }

    /** A port that recovers counts as started if it will be. */
    synchronized boolean isStarted() {
        return hardware != null || goesOn;
    }

    // ---- the device comes and goes

    /** Whether it goes when a device does. */
    synchronized boolean isOf(RdmaDevice one) {
        return state == PortState.HERE && domain.device() == one;
    }

    /** A device goes. Returns whether it is of this port, and who calls is the first to see to that. */
    synchronized boolean departs(RdmaDevice one) {
        if (!isOf(one) || goneDevice == one) {
            return false;
        }
        goneDevice = one;
        return true;
    }

    synchronized boolean is(PortState wanted) {
        return state == wanted;
    }

    /** The application is done with it. Returns whether that is new. */
    synchronized boolean close() {
        if (state == PortState.CLOSED) {
            return false;
        }
        leave(PortState.CLOSED);
        try (PortDomain last = domain) {
            domain = null;
            stop();
        }
        return true;
    }

    /** It is not used again: threads that sleep at its queues are told so before all else. */
    private void leave(PortState last) {
        state = last;
        queues.gone(() -> say.notHere(last));
    }

    /** Gives its domain back to the device; what that says is logged, as the port is gone whatever it is. */
    private void giveBack() {
        PortDomain last = domain;
        domain = null;
        try {
            if (last != null) {
                last.close();
            }
        } catch (RuntimeException refused) {
            LOG.warn("{}", say.sentence("does not get rid of its protection domain, which stays until its device "
                    + "goes: " + refused.getMessage()));
        }
    }

    /** The device has gone for good, and has forgotten all queues. Returns whether that is new. */
    synchronized boolean remove() {
        if (state != PortState.HERE && state != PortState.RECOVERING) {
            return false;
        }
        leave(PortState.REMOVED);
        try {
            stop();
        } finally {
            letGo();
            giveBack();
        }
        return true;
    }

    /** The device is being reset, and has forgotten all queues; another comes in its place. */
    synchronized void suspend() {
        if (state == PortState.HERE) {
            state = PortState.RECOVERING;
            goesOn = hardware != null;
            try {
                end();
            } finally {
                letGo();
                giveBack();
            }
        }
    }

    /**
     * Goes on with a device that has come, and a domain of that one, as it was before.
     *
     * @return false if that has gone again
     * @throws Refusal why it cannot go on
     */
    synchronized boolean resume(RdmaDevice back) {
        if (state != PortState.RECOVERING) {
            return true;
        }
        try {
            domain = PortDomain.of(back, facts.port());
            if (goesOn) {
                begin();
            }
        } catch (Refusal refused) {
            giveBack();
            if (back.departure() != null) {
                letGo();
                return false;
            }
            fail();
            throw refused;
        }
        if (back.departure() != null) {
            try {
                end();
            } finally {
                giveBack();
            }
            return false;
        }
        state = PortState.HERE;
        goesOn = false;
        return true;
    }

    /** It does not come back. */
    synchronized void fail() {
        if (state == PortState.RECOVERING) {
            leave(PortState.FAILED);
            goesOn = false;
            giveBack();
        }
    }

    // ---- its queues, and how packets are spread to them

    synchronized ReceiveSlot receiveQueue(int queue) {
        return queues.receives().get(known(queue));
    }

    synchronized SendSlot sendQueue(int queue) {
        return queues.sends().get(known(queue));
    }

    synchronized void offerQueues(int first) {
        if (first < 0) {
            throw say.refusal(Errno.EINVAL, "has no queue " + first + " to offer from.");
        }
        offered = first;
    }

    /** A secondary polls a queue from now on. */
    synchronized void lend(int queue) {
        known(queue);
        if (queue < offered) {
            throw say.refusal(Errno.EBUSY, "has its queue " + queue + " polled by its primary"
                    + (offered == Integer.MAX_VALUE ? ", which offers none" : ", which offers those from " + offered
                    + " on") + ".");
        }
        if (!lent.add(queue)) {
            throw say.refusal(Errno.EBUSY, "has its queue " + queue + " polled by another secondary.");
        }
    }

    synchronized void takeBack(int queue) {
        lent.remove(queue);
    }

    /** Room of packets that its queues receive into. */
    synchronized int room() {
        int room = 0;
        for (int i = 0; plan != null && i < plan.plan().receiveQueues(); i++) {
            room = Math.max(room, plan.pool(i) == null ? 0 : plan.pool(i).room());
        }
        return room;
    }

    private int known(int queue) {
        if (plan == null || queue < 0 || queue >= plan.plan().receiveQueues()) {
            throw say.refusal(Errno.EINVAL, "has no queue " + queue + ".");
        }
        return queue;
    }

    synchronized int[] redirection() {
        return configured().table();
    }

    synchronized void redirection(int[] table) {
        PortPlan now = configured();
        int[] before = now.table();
        now.table(table);
        spread(() -> now.table(before));
    }

    synchronized RssHash rss() {
        return configured().hash();
    }

    synchronized void rss(RssHash hash) {
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
}

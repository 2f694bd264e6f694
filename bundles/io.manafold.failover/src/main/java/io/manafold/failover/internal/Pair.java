package io.manafold.failover.internal;

import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Link;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.SyntheticPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.Locks;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A synthetic device and the virtual function of the same port, as one. Packets go by the virtual function while that
 * is there and its link is up, else by the synthetic device; the link is told which of the two gets what is sent here.
 */
final class Pair {
    static final int LEAST_MTU = 68;
    static final int MOST_MTU = 9000;
    private static final Logger LOG = LoggerFactory.getLogger(Pair.class);

    private final PairPlan plan;
    private final Consumer<String> events;
    private final PairSettings settings;
    /** What is newer is kept later; held while that is written, by no driver and by no thread of packets. */
    private final ReentrantLock keeping = Locks.named("settings of a pair");
    private final PairCounters counters = new PairCounters();
    private final PairAgent agent;
    /** One change at a time; never held by what packets pass. */
    private final ReentrantLock changing = Locks.named("pair");
    private Link link;
    private volatile CompanionWire wire;
    private volatile VirtualFunction vf;
    private volatile Path path = Path.SYNTHETIC;
    private volatile int mtu;
    private volatile boolean up;
    /** Whether a virtual function has been there: the first one's length of packets is the pair's, from then on. */
    private boolean seen;
    private boolean closed;
    /** Who polls the synthetic device, or {@code null}; the pair has no virtual function then. */
    private volatile String poller;
    /** Whether that one has frames go to the virtual function. */
    private boolean steered;
    /** Why the synthetic device could not be plugged in the last time, so that it is said once. */
    private String complaint;

    /**
     * @param events takes a sentence whenever packets change their way
     * @param settings what an administrator has set
     */
    Pair(PairPlan plan, Consumer<String> events, PairSettings settings) {
        this.plan = plan;
        this.events = events;
        this.settings = settings;
        mtu = settings.mtu(plan.mtu());
        seen = settings.hasMtu();
        up = settings.up(plan.up());
        agent = new PairAgent(plan.name(), mtu, counters);
        agent.start();
        agent.open(up);
    }

    PairAgent agent() {
        return agent;
    }

    PairCounters counters() {
        return counters;
    }

    Path path() {
        return path;
    }

    boolean isUp() {
        return up;
    }

    int mtu() {
        return mtu;
    }

    /** Whether the synthetic device is plugged in. */
    boolean hasLink() {
        CompanionWire now = wire;
        return now != null && !now.isThrownOut();
    }

    /** The virtual function's network device, or {@code null}. */
    NetDevice vf() {
        VirtualFunction now = vf;
        return now == null ? null : now.device();
    }

    /** Its virtual function goes up and down with it. */
    void setUp(boolean wanted) {
        changing.lock();
        try {
            if (wanted && poller != null) {
                throw new Refusal(Errno.EBUSY, plan.name() + " is not taken up: " + poller + " polls its synthetic "
                        + "device. End that first.");
            }
            up = wanted;
            agent.open(wanted);
            choose();
        } finally {
            changing.unlock();
        }
        NetDevice below = vf();
        // without the lock: a driver that leaves must not wait for itself
        NotKept unkept = below != null && below.isUp() != wanted ? take(below, wanted) : null;
        keep(PairSettings.UP, () -> Boolean.toString(up), false, unkept);
    }

    /** That the virtual function has not kept it, or {@code null}. */
    private NotKept take(NetDevice below, boolean wanted) {
        try {
            below.setUp(wanted);
        } catch (NotKept later) {
            return later;
        } catch (Refusal refused) {
            LOG.warn("{} does not go {} with {}: {}", below.name(), wanted ? "up" : "down", plan.name(),
                    refused.getMessage());
        }
        return null;
    }

    /**
     * What was done holds, be it kept or not; that it is not is said at the end.
     *
     * @param value what is in force by the time that it is written
     * @param always also if the lab's file says the same
     * @param unkept that the virtual function could not keep it, or {@code null}
     */
    private void keep(String word, Supplier<String> value, boolean always, NotKept unkept) {
        keeping.lock();
        try {
            settings.set(word, value.get(), always);
        } finally {
            keeping.unlock();
        }
        if (unkept != null) {
            throw unkept;
        }
    }

    // ---- one who polls

    SyntheticPort poll(String who) {
        changing.lock();
        try {
            if (closed) {
                throw new Refusal(Errno.ENODEV, "The synthetic device of " + plan.name() + " is going.");
            }
            if (up) {
                throw new Refusal(Errno.EBUSY, "The network stack has the synthetic device, by " + plan.name()
                        + ", which is up. Take it down first: ip link set " + plan.name() + " down");
            }
            if (poller != null) {
                throw new Refusal(Errno.EBUSY, "The synthetic device of " + plan.name() + " is polled by " + poller
                        + " already.");
            }
            poller = who;
            steered = false;
            letGo();
            steer();
        } finally {
            changing.unlock();
        }
        boolean left = false;
        try {
            // without the lock: what stands above the pair may hold its thread
            agent.leaveToAnother();
            left = true;
        } finally {
            if (!left) {
                poller = null;
            }
        }
        return new PolledSynthetic(this, agent.synthetic());
    }

    void steer(boolean toFunction) {
        changing.lock();
        try {
            steered = toFunction;
            if (poller != null) {
                steer();
            }
        } finally {
            changing.unlock();
        }
    }

    private void steer() {
        CompanionWire steering = wire;
        if (steering != null) {
            steering.steerToPort(steered);
        }
    }

    void endPoll() {
        agent.takeBack();
        changing.lock();
        try {
            steered = false;
            steer();
            poller = null;
        } finally {
            changing.unlock();
        }
    }

    /** Both members take packets of that length, or neither does. */
    void setMtu(int wanted) {
        if (wanted < LEAST_MTU || wanted > MOST_MTU) {
            throw new Refusal(Errno.EINVAL, "The MTU of " + plan.name() + " cannot be " + wanted + ": it is from "
                    + LEAST_MTU + " to " + MOST_MTU + ".");
        }
        NetDevice below = vf();
        // without the lock: a driver that leaves must not wait for itself
        NotKept unkept = null;
        if (below != null && below.mtu() != wanted) {
            try {
                below.setMtu(wanted);
            } catch (NotKept later) {
                unkept = later;
            }
        }
        changing.lock();
        try {
            take(wanted);
            seen = true;
        } finally {
            changing.unlock();
        }
        // a virtual function that is away may have kept another one, and would come with that after a restart
        keep(PairSettings.MTU, () -> Integer.toString(mtu), below == null, unkept);
    }

    private void take(int wanted) {
        if (wanted != mtu) {
            agent.mtu(wanted);
            mtu = wanted;
        }
    }

    /** Sees what has come and gone: the link that the port belongs on, and the port's network device. */
    void look(Link there, NetDevice device) {
        boolean hasCome;
        changing.lock();
        try {
            if (closed) {
                return;
            }
            plug(there);
            hasCome = poller == null && adopt(device);
            choose();
        } finally {
            changing.unlock();
        }
        if (hasCome) {
            follow(device);
        }
    }

    private void plug(Link there) {
        if (there == link && (there == null || wire != null)) {
            return;
        }
        unplug();
        link = there;
        if (there != null) {
            try {
                CompanionWire plugged = there.plugBeside(plan.place(), agent.synthetic());
                agent.synthetic().wire(plugged);
                wire = plugged;
                if (poller != null) {
                    steer();
                }
            } catch (Refusal later) {
                if (!later.getMessage().equals(complaint)) {
                    complaint = later.getMessage();
                    LOG.warn("{} is not plugged in yet: {}", plan.name(), complaint);
                }
            }
        }
    }

    private void unplug() {
        CompanionWire former = wire;
        wire = null;
        agent.synthetic().wire(null);
        if (former != null) {
            former.close();
        }
    }

    /** True if another device has come that the pair is above now. */
    private boolean adopt(NetDevice device) {
        if (device == vf()) {
            return false;
        }
        letGo();
        if (device == null) {
            return false;
        }
        VirtualFunction come = new VirtualFunction(plan.name(), device, counters, agent.waker());
        try {
            come.attach();
        } catch (Refusal later) {
            LOG.debug("{} is not above {} yet: {}", plan.name(), device.name(), later.getMessage());
            return false;
        }
        agent.adopt(come);
        vf = come;
        return true;
    }

    private void follow(NetDevice device) {
        try {
            if (!seen) {
                changing.lock();
                try {
                    take(device.mtu());
                    seen = true;
                } finally {
                    changing.unlock();
                }
            } else if (device.mtu() != mtu) {
                device.setMtu(mtu);
            }
        } catch (NotKept later) {
            LOG.warn("{}: its MTU, {}, is {}", device.name(), mtu, later.getMessage());
        } catch (Refusal refused) {
            LOG.warn("{} keeps another MTU than {}: {}", device.name(), plan.name(), refused.getMessage());
        }
        if (up && !device.isUp()) {
            NotKept unkept = take(device, true);
            if (unkept != null) {
                LOG.warn("{}: that it is up is {}", device.name(), unkept.getMessage());
            }
        }
    }

    /** The virtual function goes; on return nothing of the pair is called on its thread. */
    void gone(NetDevice device) {
        changing.lock();
        try {
            if (device == vf()) {
                letGo();
            }
        } finally {
            changing.unlock();
        }
    }

    /** The link goes; on return nothing of the pair is called by it. */
    void gone(Link former) {
        changing.lock();
        try {
            if (former == link) {
                unplug();
                link = null;
                choose();
            }
        } finally {
            changing.unlock();
        }
    }

    private void letGo() {
        VirtualFunction former = vf;
        if (former != null) {
            vf = null;
            choose();
            former.close();
            agent.adopt(null);
        }
    }

    private void choose() {
        NetDevice below = vf();
        CompanionWire steering = wire;
        Path wanted = up && steering != null && below != null && below.hasCarrier() ? Path.VF : Path.SYNTHETIC;
        if (wanted == path) {
            return;
        }
        path = wanted;
        agent.send(wanted);
        if (steering != null) {
            steering.steerToPort(wanted == Path.VF);
        }
        counters.switches.increment();
        events.accept(plan.name() + " sends and receives by " + (wanted == Path.VF ? below.name() + ", its virtual "
                + "function" : wanted.words + why(below)) + ".");
    }

    private String why(NetDevice below) {
        return !up ? ": it is down" : below == null ? ": its virtual function has gone" : ": " + below.name()
                + " has no carrier";
    }

    void close() {
        changing.lock();
        try {
            closed = true;
            letGo();
            unplug();
        } finally {
            changing.unlock();
        }
        agent.close();
    }
}

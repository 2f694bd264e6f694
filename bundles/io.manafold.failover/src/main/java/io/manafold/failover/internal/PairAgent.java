package io.manafold.failover.internal;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.agent.Mistakes;
import io.manafold.api.net.PacketBuffer;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.netdev.CommandLane;
import io.manafold.netdev.CommandQueue;
import io.manafold.netdev.DeviceThread;
import io.manafold.netdev.PacketUsers;
import io.manafold.netdev.PacketWatchers;
import io.manafold.packet.FrameRing;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a pair: packets of both ways go up, those of the users above go out by one of them. */
final class PairAgent implements Agent.Work, DeviceThread {
    private static final Logger LOG = LoggerFactory.getLogger(PairAgent.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BURST = 64;
    private static final long ARENA = 64L << 20;

    private final String name;
    private final Agent agent;
    private final PairCounters counters;
    private final SyntheticPlug synthetic;
    private final PacketWatchers watchers = new PacketWatchers();
    private final PairSender sender;
    private final CommandQueue commands;
    private final CommandLane lane;
    private final PacketUsers users;
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private final Mistakes mistakes;
    private VirtualFunction vf;
    private boolean open;
    /** Whether another polls the synthetic device, which is not touched here then. */
    private volatile boolean polled;

    PairAgent(String name, int mtu, PairCounters counters) {
        this.name = name;
        this.counters = counters;
        mistakes = new Mistakes(mistake -> LOG.error("{}: a cycle failed; further failures of this kind are not logged",
                name, mistake));
        agent = new Agent("manafold-" + name, this);
        synthetic = new SyntheticPlug(name, counters, agent::wake);
        DmaArena arena = new DmaArena(new DmaTable(), "manafold-" + name, 1L << 32, ARENA);
        sender = new PairSender(name, arena, mtu, synthetic, watchers, counters);
        commands = new CommandQueue(name, this);
        lane = lane();
        users = new PacketUsers(this, commands, sender, watchers);
    }

    void start() {
        agent.start();
    }

    SyntheticPlug synthetic() {
        return synthetic;
    }

    PacketUsers users() {
        return users;
    }

    PacketWatchers watchers() {
        return watchers;
    }

    Runnable waker() {
        return agent::wake;
    }

    /** Lets packets pass, or not; soon. */
    void open(boolean now) {
        lane.execute(() -> {
            open = now;
            sender.open(now);
        });
    }

    /** Leaves the synthetic device to another; on return it is so. */
    void leaveToAnother() {
        commands.run(() -> polled(true));
    }

    /** Takes the synthetic device back, which its application polls no more; soon. */
    void takeBack() {
        lane.execute(() -> polled(false));
    }

    private void polled(boolean now) {
        polled = now;
        synthetic.polled(now);
    }

    /** Takes packets of another length; soon, however long a user above holds this thread. */
    void mtu(int mtu) {
        lane.execute(() -> sender.mtu(mtu));
    }

    /**
     * Takes a virtual function on, whose packets go up soon; {@code null} forgets the last one, which is closed. Waits
     * for nothing: a user above may hold this thread, and a driver that leaves must not wait for it.
     */
    void adopt(VirtualFunction function) {
        lane.execute(() -> {
            VirtualFunction former = vf;
            vf = function;
            sender.use(null);
            if (former != null) {
                takeOver(former);
            }
        });
    }

    /** Sends by the virtual function that was adopted last, or by the synthetic device; soon. */
    void send(Path path) {
        lane.execute(() -> sender.use(path == Path.VF ? vf : null));
    }

    /** Ends it; the synthetic device is unplugged already, and the virtual function let go. */
    void close() {
        agent.end(() -> {
            users.end();
            sender.close();
        });
        if (agent.join(PATIENCE)) {
            if (!polled) {
                synthetic.free();
            }
        } else {
            LOG.error("{}: its thread did not end within {} s; a user above it holds it", name, PATIENCE.toSeconds());
        }
    }

    @Override
    public CommandLane lane() {
        Lane lane = new Lane();
        return new CommandLane() {
            @Override
            public boolean shut(Runnable last) {
                return agent.shut(lane, last);
            }

            @Override
            public boolean execute(Runnable command) {
                return agent.execute(lane, command);
            }
        };
    }

    @Override
    public void wake() {
        agent.wake();
    }

    @Override
    public boolean isAlive() {
        return agent.isAlive();
    }

    @Override
    public boolean isCurrent() {
        return agent.isCurrent();
    }

    // ---- on the pair's thread

    @Override
    public void movesTo(Thread thread) {
        sender.owner(thread);
    }

    @Override
    public int doWork() {
        return takeSynthetic() + takeVirtual() + users.work();
    }

    /** What is left in a virtual function that was let go takes the other way. */
    private void takeOver(VirtualFunction former) {
        int count = former.take(burst, BURST);
        while (count > 0) {
            deliver(count);
            count = former.take(burst, BURST);
        }
        count = former.takeUnsent(burst, BURST);
        while (count > 0) {
            int accepted = sender.sendBeside(burst, count);
            counters.vfDropped.add(count - accepted);
            PairSender.release(burst, accepted, count - accepted);
            count = former.takeUnsent(burst, BURST);
        }
    }

    private int takeVirtual() {
        VirtualFunction from = vf;
        int count = from == null ? 0 : from.take(burst, BURST);
        deliver(count);
        return count;
    }

    private int takeSynthetic() {
        FrameRing ring = synthetic.incoming();
        int taken = 0;
        int count = 0;
        while (!polled && taken < BURST && !ring.isEmpty()) {
            PacketBuffer packet = open ? packet(ring) : null;
            if (packet != null) {
                burst[count++] = packet;
            }
            ring.free(1);
            taken++;
        }
        deliver(count);
        return taken;
    }

    /** The oldest frame as a packet, or {@code null} if there is no memory or it is longer than packets are here. */
    private PacketBuffer packet(FrameRing ring) {
        int length = ring.length();
        PacketBuffer packet = sender.buffer();
        if (packet == null || length > packet.capacity() - packet.headroom()) {
            counters.missed.increment();
            if (packet != null) {
                packet.release();
            }
            return null;
        }
        packet.place(packet.headroom(), length);
        RawMemory.copy(ring.address(), packet.address(), length);
        counters.received.increment();
        counters.receivedBytes.add(length);
        if (length > 0 && (packet.get8(0) & 1) != 0) {
            counters.multicast.increment();
        }
        return packet;
    }

    private void deliver(int count) {
        if (count == 0) {
            return;
        }
        if (open) {
            users.deliver(burst, count);
        } else {
            PacketBuffer.release(burst, 0, count);
        }
    }

    @Override
    public long restNanos() {
        VirtualFunction from = vf;
        boolean busy = !polled && !synthetic.incoming().isEmpty() || from != null && from.hasArrivals();
        return busy ? 0 : users.restNanos();
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }
}

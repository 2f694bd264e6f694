package io.manafold.traffic.internal;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.net.Feature;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketFilter;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaTable;
import io.manafold.memory.PagePlans;
import io.manafold.memory.PagePool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A device with a thread of its own whose packets go to another one by hand. */
final class FakeDevice implements PacketPort, Agent.Work {
    /** Has its way with packets on their way. */
    interface Cable {
        /** @return whether the packet goes on; if not it is the cable's */
        boolean carry(PacketBuffer packet, FakeDevice to);
    }

    private final String name;
    private final int number;
    private final DmaTable table = new DmaTable();
    private final DmaArena arena;
    private final List<PagePool> pools = new ArrayList<>();
    private PagePool pool;
    private final Agent agent;
    private final Lane lane = new Lane();
    private final BlockingQueue<PacketBuffer> incoming = new ArrayBlockingQueue<>(4096);
    private final PacketBuffer[] burst = new PacketBuffer[64];
    private final NetDevice device;
    volatile String claimant = "";
    volatile int mtu = 1500;
    volatile Map<String, Long> totals = Map.of();
    volatile List<Feature> features = Stream.of("tx-checksum-ipv4", "tx-checksum-ipv6", "tx-tcp-segmentation",
            "tx-tcp6-segmentation").map(name -> new Feature(name, true, false)).toList();
    private volatile PacketFilter filter;
    private volatile PacketUser user;
    volatile Throwable failure;
    volatile FakeDevice peer;
    volatile Cable cable = (packet, to) -> true;

    FakeDevice(String name, int number) {
        this.name = name;
        this.number = number;
        arena = new DmaArena(table, name, 1L << 32, 64 << 20);
        pool = pool(mtu);
        agent = new Agent(name, this);
        device = (NetDevice) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {NetDevice.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name", "toString" -> name;
                    case "claimant" -> claimant;
                    case "mtu" -> mtu;
                    case "index" -> number + 1;
                    case "channels" -> 4;
                    case "totals" -> totals;
                    case "features" -> features;
                    case "mac" -> new MacAddress(0x0200_0000_0000L + number);
                    case "attach" -> attach((PacketUser) arguments[0], (PacketFilter) arguments[1]);
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        agent.start();
    }

    private PagePool pool(int longest) {
        PagePool made = new PagePool(name, arena, PagePlans.plan(ReceivePolicy.LEAN, 16384, longest, false), 1024);
        pools.add(made);
        return made;
    }

    /** Its buffers are for packets of another length from here on. */
    void buffersFor(int longest) {
        execute(() -> {
            pool.close();
            pool = pool(longest);
            pool.owner(Thread.currentThread());
        });
    }

    NetDevice device() {
        return device;
    }

    PacketUser user() {
        return user;
    }

    private PacketPort attach(PacketUser who, PacketFilter picks) {
        if (user != null) {
            throw new Refusal(Errno.EBUSY, name + " has a user");
        }
        user = who;
        filter = picks;
        return this;
    }

    @Override
    public int take(PacketBuffer[] into, int from, int count) {
        int taken = 0;
        while (taken < count) {
            into[from + taken++] = pool.take();
        }
        return taken;
    }

    @Override
    public int send(PacketBuffer[] packets, int from, int count) {
        FakeDevice to = peer;
        int accepted = 0;
        while (accepted < count && to.incoming.remainingCapacity() > 8) {
            PacketBuffer packet = packets[from + accepted++];
            if (cable.carry(packet, to)) {
                to.arrive(packet);
            }
        }
        return accepted;
    }

    void arrive(PacketBuffer packet) {
        incoming.add(packet);
        agent.wake();
    }

    @Override
    public boolean execute(Runnable command) {
        return agent.execute(lane, command);
    }

    @Override
    public void wake() {
        agent.wake();
    }

    /** Of the port, not of the device. */
    @Override
    public void close() {
        if (agent.isCurrent()) {
            user = null;
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        if (execute(() -> {
            user = null;
            done.countDown();
        })) {
            try {
                done.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void unplug() {
        agent.end(() -> {
            user = null;
            incoming.forEach(PacketBuffer::release);
            incoming.clear();
        });
        agent.join(Duration.ofSeconds(60));
        pool.close();
        arena.close();
    }

    boolean isDrained() {
        return pools.stream().allMatch(PagePool::isDrained);
    }

    @Override
    public void begin() {
    }

    @Override
    public void end() {
    }

    @Override
    public void movesTo(Thread thread) {
        pool.owner(thread);
    }

    @Override
    public int doWork() {
        int count = 0;
        PacketFilter picks = filter;
        while (count < burst.length && (burst[count] = incoming.poll()) != null) {
            if (picks == null || picks.picks(burst[count])) {
                count++;
            } else {
                burst[count].release();
            }
        }
        PacketUser now = user;
        if (now == null) {
            for (int i = 0; i < count; i++) {
                burst[i].release();
            }
            return count;
        }
        if (count > 0) {
            now.receive(burst, count);
        }
        return count + now.doWork();
    }

    @Override
    public long restNanos() {
        PacketUser now = user;
        return now == null ? DutyCycle.UNTIL_WOKEN : now.restNanos();
    }

    @Override
    public void failed(Throwable mistake) {
        failure = mistake;
    }
}

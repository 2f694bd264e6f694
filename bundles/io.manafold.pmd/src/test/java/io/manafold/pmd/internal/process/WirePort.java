package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A primary with one port of four queues, each of which receives what it sends; the queues from 1 on are offered. */
final class WirePort implements PrimaryProcess {
    static final EthDevInfo INFO = new EthDevInfo("net_mana", "7870:00:00.0", 1, "", "",
            MacAddress.parse("00:0d:3a:00:00:01"), "mana0", 4, 64, 4096, 64, 1024, 68, 9000, 4, 40, 64, 1, 2, 3);
    final PacketPool pool;
    final Set<Integer> lent = ConcurrentHashMap.newKeySet();
    /** Runs before a queue is lent. */
    Runnable lending = () -> { };
    /** What goes from a queue's one side to the other. */
    final Map<Integer, Queue<Integer>> wires = new ConcurrentHashMap<>();
    /** Packets that came and went no further. */
    final AtomicInteger dropped = new AtomicInteger();
    /** Room of packets that secondaries are given. */
    int room;
    private final List<EthDevListener> listeners = new CopyOnWriteArrayList<>();
    private final EthDev port = (EthDev) Proxy.newProxyInstance(WirePort.class.getClassLoader(),
            new Class<?>[] {EthDev.class}, (_, method, _) -> switch (method.getName()) {
                case "number" -> 0;
                case "name" -> "7870:00:00.0_port1";
                case "info" -> INFO;
                case "plan" -> EthDevPlan.of(4).withOffloads(0, Offload.SEND_SEGMENTS | Offload.SEND_IPV4_CHECKSUM);
                case "isStarted" -> true;
                case "link" -> new LinkState(true, 200_000);
                case "mtu" -> 1500;
                case "statistics" -> new EthDevStatistics(1, 2, 3, 4, 5, 6, 7, 8);
                case "extendedStatistics" -> Map.of("rx_good_packets", 1L, "tx_errors", 7L);
                case "resetStatistics" -> null;
                default -> throw new UnsupportedOperationException(method.getName());
            });

    WirePort(PacketPool pool) {
        this.pool = pool;
        room = pool.room();
    }

    @Override
    public String prefix() {
        return "test";
    }

    @Override
    public List<EthDev> ports() {
        return List.of(port);
    }

    @Override
    public Pair lend(int number, int queue, String who) {
        if (queue < 1 || queue > 3) {
            throw new Refusal(Errno.EBUSY, "Queue " + queue + " is the primary's.");
        }
        lending.run();
        if (!lent.add(queue)) {
            throw new Refusal(Errno.EBUSY, "Queue " + queue + " is polled by another.");
        }
        Queue<Integer> wire = new ConcurrentLinkedQueue<>();
        wires.put(queue, wire);
        return new Pair(new In(wire), new Out(pool, wire), dropped::incrementAndGet, () -> {
            lent.remove(queue);
            for (Integer packet = wire.poll(); packet != null; packet = wire.poll()) {
                PacketPool.release(new int[] {packet}, 0, 1);
            }
        });
    }

    @Override
    public AutoCloseable listen(EthDevListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void tell(EthDevEvent event) {
        listeners.forEach(listener -> listener.happened(event));
    }

    @Override
    public int room() {
        return room;
    }

    private record In(Queue<Integer> wire) implements ReceiveQueue {
        @Override
        public int burst(int[] packets, int from, int most) {
            int count = 0;
            for (Integer packet = null; count < most && (packet = wire.poll()) != null; count++) {
                packets[from + count] = packet;
            }
            return count;
        }

        @Override
        public void arm() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean await(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    /** What is sent is copied into packets of the primary, and is home at once. */
    private record Out(PacketPool pool, Queue<Integer> wire) implements SendQueue {
        @Override
        public int burst(int[] packets, int from, int count) {
            int sent = 0;
            for (; sent < count; sent++) {
                int packet = packets[from + sent];
                PacketPool of = PacketPool.of(packet);
                long first = of.first(packet);
                int copy = pool.allocate();
                if (copy < 0) {
                    break;
                }
                if (PacketPool.offset(first) + PacketPool.length(first) <= PacketPool.HEADROOM + of.room()) {
                    RawMemory.copy(of.data(packet), pool.data(copy), PacketPool.length(first));
                    pool.first(copy, PacketPool.first(PacketPool.HEADROOM, PacketPool.length(first), 0));
                    wire.add(copy);
                } else {
                    pool.give(new int[] {copy}, 0, 1);
                }
            }
            PacketPool.release(packets, from, sent);
            return sent;
        }

        @Override
        public int reclaim() {
            return 0;
        }
    }
}

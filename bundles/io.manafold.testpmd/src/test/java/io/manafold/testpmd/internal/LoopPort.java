package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** A port whose cable is an array of packets: what a test puts in is received, what is sent a test takes out. */
final class LoopPort implements EthDev {
    /** Packets of one direction of one queue, for one thread at each end under one lock. */
    static final class Cable {
        private final int[] packets;
        private int first;
        private int count;

        Cable(int room) {
            packets = new int[room];
        }

        synchronized int put(int[] from, int at, int amount) {
            int fits = Math.min(amount, packets.length - count);
            for (int i = 0; i < fits; i++) {
                packets[(first + count++) % packets.length] = from[at + i];
            }
            return fits;
        }

        synchronized int take(int[] into, int at, int most) {
            int there = Math.min(most, count);
            for (int i = 0; i < there; i++) {
                into[at + i] = packets[first];
                first = (first + 1) % packets.length;
            }
            count -= there;
            return there;
        }

        synchronized int size() {
            return count;
        }
    }

    private final int number;
    private final int place;
    final Cable[] in = new Cable[8];
    final Cable[] out = new Cable[8];
    private final long[] counts = new long[2];
    private EthDevPlan plan;
    private boolean started;
    private int mtu = 1500;
    private int[] table = new int[64];
    private RssHash hash = RssHash.DEFAULT;
    boolean closed;
    Errno refusal;
    /** What a program that stops it by its name gets. */
    Refusal refusesToStop;
    /** What a program that clears its counts gets. */
    Refusal refusesToClear;
    /** How often its counts were cleared. */
    int clearings;
    /** What a core that polls it gets, once. */
    volatile RuntimeException fault;
    /** What a program that asks for statistics gets. */
    Error failure;
    /** What is done before statistics are told to a program that asks for them. */
    Runnable asked = () -> { };
    /** What else it has counted. */
    long missed;
    long receiveErrors;
    long sendErrors;
    long noBuffers;
    /** Whether it counts as a port over a pair does, those of queues as soon as it has started. */
    boolean paired;

    LoopPort(int number, int room) {
        this(number, number, room);
    }

    /** @param place of the port in the function, from 0 */
    LoopPort(int number, int place, int room) {
        this.number = number;
        this.place = place;
        for (int i = 0; i < in.length; i++) {
            in[i] = new Cable(room);
            out[i] = new Cable(room);
        }
    }

    @Override
    public int number() {
        return number;
    }

    int place() {
        return place;
    }

    @Override
    public String name() {
        return "7870:00:00.0_port" + (place + 1);
    }

    @Override
    public EthDevInfo info() {
        return new EthDevInfo("net_mana", "7870:00:00.0", place + 1, "", "", new MacAddress(0x000d_3a00_0001L + place),
                "mana" + place, 8, 64, 4096, 64, 1024, 68, 9000, 30, 40, 64, 0x8000f, 0x800f, RssHash.ALL);
    }

    @Override
    public EthDevPlan plan() {
        return plan;
    }

    @Override
    public void configure(EthDevPlan wanted) {
        if (wanted.receiveQueues() != wanted.sendQueues() || Integer.bitCount(wanted.receiveQueues()) != 1
                || wanted.receiveQueues() > in.length) {
            throw new Refusal(Errno.EINVAL, "As many queues in each direction, a power of two.");
        }
        boolean isSpread = wanted.receiveQueues() > 1 && wanted.rss() != null && wanted.rss().fields() != 0;
        hash = wanted.rss() == null ? new RssHash(new byte[0], 0) : wanted.rss();
        Arrays.setAll(table, bucket -> bucket % wanted.receiveQueues());
        plan = isSpread ? wanted.withOffloads(wanted.receiveOffloads() | Offload.RECEIVE_RSS_HASH,
                wanted.sendOffloads()) : wanted;
    }

    @Override
    public void setUpSend(int queue, int descriptors) {
    }

    @Override
    public void setUpReceive(int queue, int descriptors, int pool) {
        if (PacketPool.numbered(pool) == null) {
            throw new Refusal(Errno.EINVAL, "There is no such pool.");
        }
    }

    @Override
    public void start() {
        if (refusal != null) {
            throw new Refusal(refusal, "The network device of the port is up; take it down.");
        }
        started = true;
    }

    @Override
    public void stop() {
        if (refusesToStop != null) {
            Refusal once = refusesToStop;
            refusesToStop = null;
            throw once;
        }
        started = false;
        int[] some = new int[64];
        for (int queue = 0; queue < in.length; queue++) {
            drain(in[queue], some);
            drain(out[queue], some);
        }
    }

    private static void drain(Cable cable, int[] some) {
        for (int count = cable.take(some, 0, some.length); count > 0; count = cable.take(some, 0, some.length)) {
            PacketPool.release(some, 0, count);
        }
    }

    @Override
    public boolean isStarted() {
        return started;
    }

    @Override
    public ReceiveQueue receiveQueue(int queue) {
        Cable cable = in[queue];
        return new ReceiveQueue() {
            @Override
            public int burst(int[] packets, int from, int most) {
                if (fault != null) {
                    RuntimeException once = fault;
                    fault = null;
                    throw once;
                }
                int count = started ? cable.take(packets, from, most) : 0;
                if (count > 0) {
                    // so that a reset in between is not undone
                    counts[0] += count;
                }
                return count;
            }

            @Override
            public void arm() {
                throw new Refusal(Errno.EOPNOTSUPP, "Not configured.");
            }

            @Override
            public boolean await(long nanos) {
                return false;
            }
        };
    }

    @Override
    public SendQueue sendQueue(int queue) {
        Cable cable = out[queue];
        return new SendQueue() {
            @Override
            public int burst(int[] packets, int from, int count) {
                int taken = started ? cable.put(packets, from, count) : 0;
                if (taken > 0) {
                    // so that a reset in between is not undone
                    counts[1] += taken;
                }
                return taken;
            }

            @Override
            public int reclaim() {
                return cable.size();
            }
        };
    }

    @Override
    public LinkState link() {
        return new LinkState(true, 200_000);
    }

    @Override
    public EthDevStatistics statistics() {
        if (failure != null) {
            throw failure;
        }
        asked.run();
        return new EthDevStatistics(counts[0], counts[0] * 64, counts[1], counts[1] * 64, missed, receiveErrors,
                sendErrors, noBuffers);
    }

    @Override
    public Map<String, Long> extendedStatistics() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("rx_good_packets", counts[0]);
        all.put("tx_good_packets", counts[1]);
        if (paired && started) {
            all.put("rx_q0_good_packets", 3L);
            all.put("vf_tx_q0_bytes", 4L);
        }
        return all;
    }

    @Override
    public void resetStatistics() {
        if (refusesToClear != null) {
            throw refusesToClear;
        }
        clearings++;
        counts[0] = 0;
        counts[1] = 0;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public void mtu(int bytes) {
        if (bytes < 68 || bytes > 9000) {
            throw new Refusal(Errno.EINVAL, "From 68 to 9000.");
        }
        mtu = bytes;
    }

    private void checkConfigured() {
        if (plan == null) {
            throw new Refusal(Errno.EINVAL, "The port is not configured.");
        }
    }

    @Override
    public int[] redirection() {
        checkConfigured();
        return table.clone();
    }

    @Override
    public void redirection(int[] wanted) {
        checkConfigured();
        if (Arrays.stream(wanted).anyMatch(queue -> queue >= plan.receiveQueues())) {
            throw new Refusal(Errno.EINVAL, "There is no such queue.");
        }
        table = wanted.clone();
    }

    @Override
    public RssHash rss() {
        return hash;
    }

    @Override
    public void rss(RssHash wanted) {
        if (wanted.key().length != 0 && wanted.key().length != 40) {
            throw new Refusal(Errno.EINVAL, "A key has 40 bytes.");
        }
        hash = wanted;
    }

    @Override
    public void promiscuous(boolean on) {
        throw new Refusal(Errno.EOPNOTSUPP, "There is none.");
    }

    @Override
    public boolean isPromiscuous() {
        return false;
    }

    @Override
    public void close() {
        closed = true;
        stop();
    }
}

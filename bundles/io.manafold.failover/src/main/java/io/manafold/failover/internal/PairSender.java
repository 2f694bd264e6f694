package io.manafold.failover.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.memory.DmaArena;
import io.manafold.memory.PagePlans;
import io.manafold.memory.PagePool;
import io.manafold.memory.RawMemory;
import io.manafold.netdev.PacketSender;
import io.manafold.netdev.PacketWatchers;
import io.manafold.packet.EtherType;
import io.manafold.packet.FrameRing;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;
import java.util.Map;

/** A pair's way out: by the virtual function, or copied to the synthetic device. On the pair's thread. */
final class PairSender implements PacketSender {
    /** What only a card does; the pair offers none of it. */
    private static final int WANTED = PacketBuffer.FILL_TRANSPORT_CHECKSUM | PacketBuffer.CUT | PacketBuffer.TAGGED;
    private static final int LEAST_IPV4 = 20;
    /** Where it is in an IPv4 header. */
    private static final int IP_CHECKSUM = 10;
    private static final int PAGE = 16384;
    private static final int RING = 1024;

    private final String name;
    private final DmaArena arena;
    private final SyntheticPlug synthetic;
    private final PacketWatchers watchers;
    private final PairCounters counters;
    private PagePool pool;
    private VirtualFunction vf;
    private boolean open;

    PairSender(String name, DmaArena arena, int mtu, SyntheticPlug synthetic, PacketWatchers watchers,
            PairCounters counters) {
        this.name = name;
        this.arena = arena;
        this.synthetic = synthetic;
        this.watchers = watchers;
        this.counters = counters;
        pool = pool(mtu);
    }

    private PagePool pool(int mtu) {
        return new PagePool(name, arena, PagePlans.plan(ReceivePolicy.LEAN, PAGE, mtu, false), RING);
    }

    /** Buffers for packets of another length from here on. */
    void mtu(int mtu) {
        PagePool former = pool;
        pool = pool(mtu);
        former.close();
    }

    void owner(Thread thread) {
        pool.owner(thread);
    }

    /** Whether packets are taken at all. */
    void open(boolean now) {
        open = now;
    }

    /** Packets leave by a virtual function, or with {@code null} by the synthetic device. */
    void use(VirtualFunction function) {
        vf = function;
    }

    /** A buffer for a packet that has come in, or {@code null} if there is no memory. */
    PacketBuffer buffer() {
        return pool.take();
    }

    Map<String, Long> held() {
        return pool.held();
    }

    @Override
    public int take(PacketBuffer[] into, int from, int count, String holder) {
        return open ? pool.take(into, from, count, holder) : 0;
    }

    @Override
    public int send(PacketBuffer[] packets, int from, int count) {
        if (!open) {
            return 0;
        }
        if (!watchers.isEmpty()) {
            for (int i = from; i < from + count; i++) {
                watchers.show(packets[i], false);
            }
        }
        return vf != null ? vf.send(packets, from, count) : copy(packets, from, count);
    }

    /** Sends packets by the synthetic device that were on another way; how many it took. */
    int sendBeside(PacketBuffer[] packets, int count) {
        return open ? copy(packets, 0, count) : 0;
    }

    private int copy(PacketBuffer[] packets, int from, int count) {
        FrameRing ring = synthetic.outgoing();
        int accepted = 0;
        while (accepted < count) {
            PacketBuffer packet = packets[from + accepted];
            if ((packet.flags() & WANTED) != 0) {
                counters.unfit.increment();
            } else {
                long at = ring.reserve();
                if (at == 0) {
                    counters.noSpace.increment();
                    break;
                }
                copy(packet, at, ring);
            }
            release(packet);
            accepted++;
        }
        if (accepted > 0) {
            synthetic.wake();
        }
        return accepted;
    }

    private void copy(PacketBuffer packet, long at, FrameRing ring) {
        int copied = 0;
        for (PacketBuffer piece = packet; piece != null; piece = piece.next()) {
            int bytes = Math.min(piece.length(), FrameRing.LONGEST - copied);
            RawMemory.copy(piece.address(), at + copied, bytes);
            copied += bytes;
        }
        if (copied < Headers.ETHERNET) {
            counters.unfit.increment();
            return;
        }
        if ((packet.flags() & PacketBuffer.FILL_IP_CHECKSUM) != 0) {
            fillIpChecksum(at, copied);
        }
        ring.commit(copied);
        counters.sent.increment();
        counters.sentBytes.add(copied);
    }

    /** Every driver fills in the checksum of an IPv4 header, which no feature speaks of. */
    private static void fillIpChecksum(long frame, int length) {
        int tag = EtherType.isTag(RawMemory.getBig16(frame + Headers.ETHERNET - 2)) ? Headers.TAG : 0;
        int header = Headers.ETHERNET + tag;
        if (length < header + LEAST_IPV4 || RawMemory.getBig16(frame + header - 2) != EtherType.IPV4) {
            return;
        }
        long ip = frame + header;
        int bytes = (RawMemory.get8(ip) & 0xf) * 4;
        if (bytes < LEAST_IPV4 || length < header + bytes) {
            return;
        }
        RawMemory.put16(ip + IP_CHECKSUM, 0);
        long sum = 0;
        for (int i = 0; i < bytes; i += 2) {
            sum = InternetChecksum.add16(sum, RawMemory.getBig16(ip + i));
        }
        RawMemory.putBig16(ip + IP_CHECKSUM, InternetChecksum.finish(sum));
    }

    /** Gives packets back with all of their pieces. */
    static void release(PacketBuffer[] packets, int from, int count) {
        for (int i = from; i < from + count; i++) {
            release(packets[i]);
        }
    }

    private static void release(PacketBuffer packet) {
        PacketBuffer piece = packet;
        while (piece != null) {
            PacketBuffer next = piece.next();
            piece.next(null);
            piece.release();
            piece = next;
        }
    }

    /** Gives the memory back, that of packets that are still out when they come. */
    void close() {
        open = false;
        pool.close();
        arena.close();
    }
}

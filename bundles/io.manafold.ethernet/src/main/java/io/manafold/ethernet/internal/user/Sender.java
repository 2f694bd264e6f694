package io.manafold.ethernet.internal.user;

import io.manafold.api.net.PacketBuffer;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.queue.SendCounters;
import io.manafold.ethernet.internal.queue.SendRing;
import io.manafold.ethernet.internal.queue.Sends;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.MemoryBorrower;
import io.manafold.memory.PagePool;
import io.manafold.memory.RawMemory;
import io.manafold.netdev.PacketSender;
import io.manafold.netdev.PacketWatchers;

/** A device's way out. On the device's thread. */
final class Sender implements PacketSender {
    private static final int FILLED = PacketBuffer.FILL_IP_CHECKSUM | PacketBuffer.FILL_TRANSPORT_CHECKSUM;
    /** Ethernet with a tag, IPv4 with all options, TCP up to its checksum. */
    private static final int LONGEST_HEADERS = 18 + 60 + 20;

    private final MemoryBorrower memory;
    private final PacketWatchers watchers;
    private QueueSet set;

    Sender(MemoryBorrower memory, PacketWatchers watchers) {
        this.memory = memory;
        this.watchers = watchers;
    }

    /** Sends go there from here on; {@code null} for nowhere. */
    void use(QueueSet queues) {
        set = queues;
    }

    /** Sends go nowhere if they went there; whether they did. */
    boolean forget(QueueSet queues) {
        if (set != queues) {
            return false;
        }
        set = null;
        return true;
    }

    @Override
    public int take(PacketBuffer[] into, int from, int count, String holder) {
        QueueSet now = set;
        return now == null ? 0 : now.transmit().take(into, from, count, holder);
    }

    /** Sends packets on the queue that each says. Returns how many were accepted. */
    @Override
    public int send(PacketBuffer[] packets, int from, int count) {
        QueueSet now = usable();
        if (now == null) {
            return 0;
        }
        boolean watched = !watchers.isEmpty();
        int accepted = 0;
        while (accepted < count) {
            PacketBuffer first = packets[from + accepted];
            int plain = watched ? 0 : now.sendFor(first.queue()).sendPlain(packets, from + accepted, count - accepted,
                    memory);
            accepted += plain;
            if (plain == 0) {
                if (!send(first, now)) {
                    break;
                }
                accepted++;
            }
        }
        return accepted;
    }

    /** Sends a packet. False if it stays the caller's. */
    boolean send(PacketBuffer packet) {
        QueueSet now = usable();
        return now != null && send(packet, now);
    }

    private QueueSet usable() {
        QueueSet now = set;
        return now == null || now.failure() != null ? null : now;
    }

    private boolean send(PacketBuffer packet, QueueSet now) {
        SendRing ring = now.sendFor(packet.queue());
        if (!ring.hasRoom()) {
            return false;
        }
        PacketBuffer own = packet;
        boolean foreign = !isOwn(packet);
        if (foreign || isScattered(packet)) {
            own = copy(packet, now.transmit());
            if (own == null) {
                return false;
            }
            if (foreign) {
                ring.counters().copied++;
            } else {
                ring.counters().linear++;
            }
            Sends.release(packet);
        }
        if (!watchers.isEmpty()) {
            watchers.show(own, false);
        }
        ring.send(own);
        return true;
    }

    /** The counters of the queue that a packet goes to, or {@code null} while the device is down. */
    SendCounters counters(PacketBuffer packet) {
        return set == null ? null : set.sendFor(packet.queue()).counters();
    }

    /** Whether the function reaches all of a packet where it is. */
    private boolean isOwn(PacketBuffer packet) {
        for (PacketBuffer piece = packet; piece != null; piece = piece.next()) {
            PagePool pool = PagePool.of(piece);
            if (pool == null || !memory.reaches(pool)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a packet lies in more pieces than a request has, or its headers do in more than one. */
    private static boolean isScattered(PacketBuffer packet) {
        if (packet.next() == null) {
            return false;
        }
        int pieces = 0;
        // one is kept for the payload that follows the headers in their piece
        for (PacketBuffer piece = packet; piece != null; piece = piece.next()) {
            if (++pieces == WorkRequest.MAX_SEND_PIECES) {
                return true;
            }
        }
        int flags = packet.flags();
        return packet.length() < ((flags & PacketBuffer.CUT) != 0 ? packet.headerBytes()
                : (flags & FILLED) != 0 ? LONGEST_HEADERS : PortConfig.HEADER);
    }

    /** A packet once more, in as few pieces of our memory as can be, or {@code null} if there is none left. */
    private static PacketBuffer copy(PacketBuffer packet, PagePool pool) {
        PacketBuffer first = pool.take();
        PacketBuffer last = first;
        int filled = 0;
        for (PacketBuffer piece = packet; piece != null && last != null; piece = piece.next()) {
            int done = 0;
            while (done < piece.length() && last != null) {
                int headroom = last.headroom();
                int bytes = Math.min(piece.length() - done, last.capacity() - headroom - filled);
                RawMemory.copy(piece.address() + done, last.address() + filled, bytes);
                done += bytes;
                filled += bytes;
                last.place(headroom, filled);
                if (done < piece.length()) {
                    PacketBuffer more = pool.take();
                    last.next(more);
                    last = more;
                    filled = 0;
                }
            }
        }
        if (last == null) {
            Sends.release(first);
            return null;
        }
        describe(first, packet);
        return first;
    }

    private static void describe(PacketBuffer copy, PacketBuffer packet) {
        if ((packet.flags() & PacketBuffer.CUT) != 0) {
            copy.cut(packet.segment(), packet.headerBytes());
        }
        copy.flags(packet.flags());
        copy.tag(packet.tag());
        copy.queue(packet.queue());
        copy.transportOffset(packet.transportOffset());
    }
}

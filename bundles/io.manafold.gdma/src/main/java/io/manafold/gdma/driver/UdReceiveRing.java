package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Gid;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * The receive ring of a queue pair for datagrams, always full of receives: each has its place in registered memory,
 * which is posted again once it has been read. They complete in their order. For one thread.
 */
public final class UdReceiveRing {
    private static final int REQUEST = WorkRequest.size(1, WorkRequest.INLINE_SHORT);
    /** So that places begin with a cache line. */
    private static final int STEP = 64;
    private static final int IPV6_SOURCE = 8;
    private static final int IPV6_DESTINATION = 24;
    private static final int IPV4_SOURCE = RdmaCompletion.DATAGRAM_IPV4 + 12;
    private static final int IPV4_DESTINATION = RdmaCompletion.DATAGRAM_IPV4 + 16;

    private final WorkQueue queue;
    private final DmaPiece places;
    private final int key;
    private final int limit;
    private final int longest;
    private int completed;
    private Gid source = Gid.NONE;
    private Gid destination = Gid.NONE;

    /**
     * Over memory.
     *
     * @param ring with {@link #ringBytes} of memory
     * @param places with {@link #placeBytes} of memory
     * @param key by which the device knows that, its first byte being 0
     * @param limit how many receives there are, a power of two
     * @param longest bytes of a datagram
     */
    public UdReceiveRing(DmaPiece ring, DmaPiece places, int key, int limit, int longest, DoorbellPage page,
            int number) {
        queue = new WorkQueue(ring, ringBytes(limit), Doorbell.RECEIVE, page, number);
        this.places = places;
        this.key = key;
        this.limit = limit;
        this.longest = longest;
    }

    public static int ringBytes(int limit) {
        return Math.max(RawMemory.PAGE, limit * REQUEST);
    }

    public static int placeBytes(int limit, int longest) {
        return limit * step(longest);
    }

    private static int step(int longest) {
        return RdmaCompletion.DATAGRAM_HEADER + longest + STEP - 1 & -STEP;
    }

    /** Posts all receives. */
    public void fill() {
        for (int i = 0; i < limit; i++) {
            post(i);
        }
        queue.ring();
    }

    private void post(int place) {
        queue.begin(0, RdmaReceiveRequest.receive(1));
        queue.put32(WorkRequest.INLINE, 0);
        queue.put32(WorkRequest.INLINE + 4, 0);
        queue.piece(0, (long) place * step(longest), key, RdmaCompletion.DATAGRAM_HEADER + longest);
        queue.commit();
    }

    /**
     * The oldest receive has a datagram: reads it once, and posts the place again.
     *
     * @param length as the completion says it, with the header before the datagram
     * @return the datagram; {@code null} if its length or its header cannot be
     */
    public byte[] take(int length) {
        int place = completed++ & limit - 1;
        int bytes = length - RdmaCompletion.DATAGRAM_HEADER;
        byte[] datagram = null;
        if (bytes >= 0 && bytes <= longest) {
            long at = places.pointer() + (long) place * step(longest);
            if (readAddresses(at)) {
                datagram = new byte[bytes];
                RawMemory.copy(at + RdmaCompletion.DATAGRAM_HEADER, datagram, 0, bytes);
            }
        }
        queue.complete(REQUEST);
        post(place);
        queue.ring();
        return datagram;
    }

    private boolean readAddresses(long at) {
        if (RawMemory.get8(at) >>> 4 == 6) {
            source = new Gid(RawMemory.getBig64(at + IPV6_SOURCE), RawMemory.getBig64(at + IPV6_SOURCE + 8));
            destination = new Gid(RawMemory.getBig64(at + IPV6_DESTINATION),
                    RawMemory.getBig64(at + IPV6_DESTINATION + 8));
            return true;
        }
        source = Gid.ofIpv4(RawMemory.getBig32(at + IPV4_SOURCE));
        destination = Gid.ofIpv4(RawMemory.getBig32(at + IPV4_DESTINATION));
        return RawMemory.get8(at + RdmaCompletion.DATAGRAM_IPV4) >>> 4 == 4;
    }

    /** Who has sent what was taken last; {@link Gid#NONE} as long as nothing was that can be. */
    public Gid source() {
        return source;
    }

    /** To which address. */
    public Gid destination() {
        return destination;
    }
}

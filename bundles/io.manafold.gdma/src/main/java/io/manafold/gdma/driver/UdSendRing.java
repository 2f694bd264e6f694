package io.manafold.gdma.driver;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.AddressVector;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Gid;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * The send ring of a queue pair for datagrams, with a place in registered memory for each datagram and its addresses.
 * They complete in their order. For one thread.
 */
public final class UdSendRing {
    private static final int HEAD = 64;
    private static final int PIECES = 2;
    private static final int REQUEST = WorkRequest.size(PIECES, WorkRequest.INLINE_LONG);

    private final WorkQueue queue;
    private final DmaPiece places;
    private final int key;
    private final int longest;
    private final int mask;
    private final int mtu;
    private int posted;
    private int completed;
    private int psn;

    /**
     * Over memory.
     *
     * @param ring with {@link #ringBytes} of memory
     * @param places with {@link #placeBytes} of memory
     * @param key by which the device knows that, its first byte being 0
     * @param limit how many datagrams may be under way, a power of two
     * @param longest bytes of a datagram
     */
    public UdSendRing(DmaPiece ring, DmaPiece places, int key, int limit, int longest, int mtu, DoorbellPage page,
            int number) {
        queue = new WorkQueue(ring, ringBytes(limit), Doorbell.SEND, page, number);
        this.places = places;
        this.key = key;
        this.longest = longest;
        this.mtu = mtu;
        mask = limit - 1;
    }

    public static int ringBytes(int limit) {
        return Math.max(RawMemory.PAGE, Integer.highestOneBit(2 * limit * REQUEST - 1));
    }

    public static int placeBytes(int limit, int longest) {
        return limit * (HEAD + longest);
    }

    public boolean hasRoom() {
        return posted - completed <= mask && queue.free() >= REQUEST;
    }

    /** Sends a datagram, for which there is room; the addresses are of one family. */
    public void send(Gid from, Gid to, MacAddress mac, int sourcePort, int hopLimit, int peer, int queueKey,
            byte[] datagram) {
        if (datagram.length > longest) {
            throw new IllegalArgumentException("a datagram has at most " + longest + " bytes, not " + datagram.length);
        }
        int offset = (posted & mask) * (HEAD + longest);
        long at = places.pointer() + offset;
        AddressVector.write(at, to, mac, sourcePort, from, hopLimit, 0);
        RawMemory.copy(datagram, 0, at + HEAD, datagram.length);
        queue.begin(0, RdmaRequest.word1(RdmaRequest.DATAGRAM, PIECES, mtu));
        queue.put32(RdmaRequest.CONTROL, RdmaRequest.control(RdmaRequest.DATAGRAM, RdmaRequest.SIGNALED, psn));
        psn = psn + 1 & 0xff_ffff;
        queue.put32(RdmaRequest.DATAGRAM_PEER, peer);
        queue.put32(RdmaRequest.DATAGRAM_QUEUE_KEY, queueKey);
        queue.put32(RdmaRequest.DATAGRAM_IMMEDIATE, 0);
        queue.piece(0, offset, key, AddressVector.SIZE);
        queue.piece(1, offset + HEAD, key, datagram.length);
        queue.commit();
        posted++;
        queue.ring();
    }

    /** Whether a completion can be true: something is under way. */
    public boolean isUnderWay() {
        return posted != completed;
    }

    /** The oldest has completed. */
    public void complete() {
        completed++;
        queue.complete(REQUEST);
    }
}

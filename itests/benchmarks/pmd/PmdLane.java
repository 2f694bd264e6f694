package io.manafold.benchmark;

import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A queue of each port, and what is done to their packets, as the modes of a forwarding program do it. For one thread.
 */
final class PmdLane {
    private static final long SIX = 0xffff_ffff_ffffL;

    private final PacketPool pool;
    private final ReceiveQueue in;
    private final SendQueue out;
    private final ReceiveQueue farIn;
    private final SendQueue farOut;
    private final long[] head;
    private final int burst;
    private final int window;
    private final int[] packets;
    private final long word;
    private final int last;
    long sent;
    long received;
    /** Of the numbers that packets bear, when they are released. */
    long sum;
    /** Packets that were released. */
    long ended;

    /**
     * Has sent nothing yet.
     *
     * @param in where packets arrive
     * @param out where they are sent
     * @param farOut where those go that came to {@code farIn} and are sent back
     * @param head what frames begin with
     */
    PmdLane(PmdCase what, PacketPool pool, ReceiveQueue in, SendQueue out, ReceiveQueue farIn, SendQueue farOut,
            byte[] head, int window) {
        this.pool = pool;
        this.in = in;
        this.out = out;
        this.farIn = farIn;
        this.farOut = farOut;
        this.head = words(head);
        this.window = window;
        burst = what.burst();
        packets = new int[burst];
        word = PacketPool.first(PacketPool.HEADROOM, what.frame(), 0);
        last = what.frame() - Long.BYTES;
    }

    /** Eight bytes each; what is over belongs to the payload. */
    private static long[] words(byte[] bytes) {
        ByteBuffer whole = ByteBuffer.allocate(bytes.length + 7 & -8).order(ByteOrder.LITTLE_ENDIAN).put(0, bytes);
        long[] words = new long[whole.capacity() / 8];
        whole.asLongBuffer().get(words);
        return words;
    }

    /** Makes packets and sends them. */
    int make() {
        if (sent - ended + burst > window || !pool.take(packets, 0, burst)) {
            return 0;
        }
        for (int i = 0; i < burst; i++) {
            pool.first(packets[i], word);
            pool.second(packets[i], PacketPool.SINGLE);
            long at = pool.data(packets[i]);
            for (int k = 0; k < head.length; k++) {
                RawMemory.put64(at + 8L * k, head[k]);
            }
            RawMemory.put64(at + last, sent + i);
        }
        int taken = out.burst(packets, 0, burst);
        PacketPool.release(packets, taken, burst - taken);
        sent += taken;
        return taken;
    }

    /** Releases what has arrived. */
    int end() {
        return end(in) + (farIn == null ? 0 : end(farIn));
    }

    private int end(ReceiveQueue queue) {
        int found = queue.burst(packets, 0, burst);
        for (int i = 0; i < found; i++) {
            sum += RawMemory.get64(pool.data(packets[i]) + last);
        }
        PacketPool.release(packets, 0, found);
        received += found;
        ended += found;
        return found;
    }

    /** Sends what has arrived as it is. */
    int forward() {
        return pass(in, out);
    }

    private int pass(ReceiveQueue from, SendQueue to) {
        int found = from.burst(packets, 0, burst);
        if (found > 0) {
            received += found;
            send(found, to);
        }
        return found;
    }

    private void send(int found, SendQueue to) {
        int taken = to.burst(packets, 0, found);
        if (taken < found) {
            throw new IllegalStateException("a send queue takes " + taken + " of " + found
                    + " packets, and has room for more");
        }
    }

    /** Sends back what has arrived at either port. */
    int swap() {
        return swap(in, farOut) + swap(farIn, out);
    }

    private int swap(ReceiveQueue from, SendQueue back) {
        int found = from.burst(packets, 0, burst);
        for (int i = 0; i < found; i++) {
            long at = pool.data(packets[i]);
            long first = RawMemory.get64(at);
            long second = RawMemory.get32(at + 8) & 0xffff_ffffL;
            RawMemory.put64(at, first >>> 48 | second << 16 | (first & SIX) << 48);
            RawMemory.put32(at + 8, (int) ((first & SIX) >>> 16));
        }
        if (found > 0) {
            received += found;
            send(found, back);
        }
        return found;
    }

    /** What has been sent goes home. */
    void reclaim() {
        out.reclaim();
        if (farOut != null) {
            farOut.reclaim();
        }
    }
}

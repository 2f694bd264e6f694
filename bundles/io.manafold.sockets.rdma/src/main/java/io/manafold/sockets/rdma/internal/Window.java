package io.manafold.sockets.rdma.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import java.lang.foreign.MemorySegment;

/**
 * Buffers that are posted for messages of the peer, which are its credits, and those of them that have come and were
 * not read. A buffer is posted again when all of its bytes were read, and the peer is told that it has one credit more.
 * For the thread that serves the queues.
 */
final class Window {
    /**
     * Beyond the credits: two messages that give credits and one that is the end of the stream can be on their way at
     * once.
     */
    static final int CONTROL = 4;

    private final int credits;
    private final int bytes;
    private final MemoryBlock block;
    private final MemoryRegion region;
    private final MemorySegment memory;
    private final ReceiveList posting;
    private final int[] order;
    private final int[] lengths;
    private long head;
    private long tail;
    /** Of the oldest one, how much was read. */
    private int read;
    /** How many messages with data the peer may send, by what it was told. */
    private int left;
    /** How many more it may send, and was not told of. */
    private int untold;

    Window(String owner, MemorySource source, Device device, int credits, int bytes) {
        this.credits = credits;
        this.bytes = bytes;
        int count = credits + CONTROL;
        block = source.make("receives of " + owner, (long) count * bytes);
        try {
            region = device.domain().register(block, Access.LOCAL_WRITE);
        } catch (RuntimeException refused) {
            block.close();
            throw refused;
        }
        memory = block.segment();
        posting = new ReceiveList(count);
        // a power of two, because it is a ring
        order = new int[Integer.highestOneBit(count * 2 - 1)];
        lengths = new int[count];
        left = credits;
    }

    Hello hello() {
        return new Hello(credits, bytes, true);
    }

    /** Of each. */
    int bytes() {
        return bytes;
    }

    int count() {
        return lengths.length;
    }

    // ---- posting

    /** Posts all of them, in the state that the pair begins in. */
    void postAll(QueuePair pair, long id) {
        posting.clear();
        for (int i = 0; i < lengths.length; i++) {
            add(i, id);
        }
        post(pair);
    }

    private void add(int buffer, long id) {
        posting.receive(id | buffer).piece(region.address() + (long) buffer * bytes, region.localKey(), bytes);
    }

    /** Has one posted again with the next {@link #post}. */
    void again(int buffer, long id) {
        add(buffer, id);
    }

    void post(QueuePair pair) {
        if (posting.count() > 0) {
            pair.post(posting);
            posting.clear();
        }
    }

    // ---- what comes

    /** A message with data has come; false if the peer had no credit for it. */
    boolean came(int buffer, int length) {
        if (left == 0) {
            return false;
        }
        left--;
        lengths[buffer] = length;
        order[(int) tail++ & order.length - 1] = buffer;
        return true;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /**
     * Reads into memory what has come, from several messages if there is room.
     *
     * @param id of receives that are posted again
     * @return how many bytes
     */
    int read(MemorySegment into, long offset, int room, long id) {
        int done = 0;
        while (done < room && head != tail) {
            int buffer = order[(int) head & order.length - 1];
            int part = Math.min(room - done, lengths[buffer] - read);
            MemorySegment.copy(memory, (long) buffer * bytes + read, into, offset + done, part);
            done += part;
            read += part;
            if (read == lengths[buffer]) {
                read = 0;
                head++;
                untold++;
                again(buffer, id);
            }
        }
        return done;
    }

    // ---- credits of the peer

    /** Whether the peer waits for credits, or will soon: so many are worth a message of their own. */
    boolean isTellingDue() {
        return untold >= (credits + 1) / 2;
    }

    /** The credits that the next message tells of. */
    int tell() {
        int told = untold;
        left += told;
        untold = 0;
        return told;
    }

    /** No message comes any more; what has come can still be read. */
    void end() {
        Device.quietly(region::close);
    }

    void close() {
        end();
        block.close();
    }
}

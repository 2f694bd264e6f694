package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of work requests that a driver fills. Positions are bytes that are counted on for ever, as doorbells count
 * them. Any thread rings; one at a time reads, and copies each request out before it looks at it, since the driver may
 * change it.
 */
public final class RequestRing {
    /** The request's size is none, or reaches beyond what was rung for. */
    static final int MALFORMED = -1;
    /** The ring's memory is not there. */
    static final int GONE = -2;

    private static final int PAGE = QueueMemory.PAGE;
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(RequestRing.class, "tail", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final QueueMemory memory;
    private final int bytes;
    private final int most;
    private int tail;
    private int head;

    /**
     * @param memory at least as many bytes as the ring has
     * @param bytes a power of two
     * @param most bytes of a request
     */
    public RequestRing(QueueMemory memory, int bytes, int most) {
        this.memory = memory;
        this.bytes = bytes;
        this.most = most;
    }

    /** The driver's position. Any thread. */
    void ring(int produced) {
        TAIL.setRelease(this, produced);
    }

    /** Bytes that were rung for and not consumed; nonsense if the driver rang so. */
    int available() {
        return (int) TAIL.getAcquire(this) - head;
    }

    /** The driver's position. */
    int produced() {
        return (int) TAIL.getAcquire(this);
    }

    /** Whether it can be as many. */
    boolean isPlausible(int available) {
        return available >= 0 && available <= bytes && (available & WorkRequest.UNIT - 1) == 0;
    }

    /** Whether the kernel has something behind the oldest request that is not consumed. */
    boolean isThere() {
        long at = memory.at(head & bytes - 1);
        return at == 0 || RawMemory.readable(at, WorkRequest.UNIT);
    }

    /** Of the oldest request that is not consumed. */
    int position() {
        return head;
    }

    /** Where in the ring a position is. */
    int offset(int position) {
        return position & bytes - 1;
    }

    /** The bytes of a request for people to look at; none if it cannot be read. */
    byte[] excerpt(int position, Scratch scratch) {
        int size = copy(position, most, scratch.address());
        byte[] excerpt = new byte[size < 0 ? 0 : size];
        if (excerpt.length > 0) {
            RawMemory.copy(scratch.address(), excerpt, 0, excerpt.length);
        }
        return excerpt;
    }

    void consume(int size) {
        head += size;
    }

    void reset() {
        head = 0;
        TAIL.setVolatile(this, 0);
    }

    /**
     * Copies a request out.
     *
     * @param available bytes from it to the driver's position
     * @param into has room for the largest
     * @return its size, or {@link #MALFORMED} or {@link #GONE}
     */
    int copy(int position, int available, long into) {
        int offset = offset(position);
        long at = memory.at(offset);
        if (at == 0) {
            return GONE;
        }
        int size = WorkRequest.size(RawMemory.get32(at + WorkRequest.WORD1));
        if (size > most || size > available) {
            return MALFORMED;
        }
        int done = 0;
        while (done < size) {
            int part = Math.min(size - done, PAGE - (offset & PAGE - 1));
            part = Math.min(part, bytes - offset);
            RawMemory.copy(at, into + done, part);
            done += part;
            if (done < size) {
                offset = offset + part & bytes - 1;
                at = memory.at(offset);
                if (at == 0) {
                    return GONE;
                }
            }
        }
        // the size was read once more with the rest, and may be another by now
        return WorkRequest.size(RawMemory.get32(into + WorkRequest.WORD1)) == size ? size : MALFORMED;
    }
}

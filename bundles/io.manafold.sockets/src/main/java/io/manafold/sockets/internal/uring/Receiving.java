package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.streams.Paths;
import io.manafold.streams.Pool;
import io.manafold.streams.ReceiveQueue;
import io.manafold.streams.ReceiveSide;
import io.manafold.uring.GatherList;
import io.manafold.uring.Operation;
import io.manafold.uring.ReceiveArea;
import io.manafold.uring.Request;
import io.manafold.uring.Ring;
import java.util.List;

/**
 * What of an endpoint's receives is with the kernel: one operation at a time, into all that is posted, or into a pool.
 */
final class Receiving {
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int ENOSPC = 28;
    private static final int ENOBUFS = 105;
    private static final int ECANCELED = 125;
    private static final String POSTED = "the kernel copies into the range that was posted";
    private static final String IN_AREA = "the kernel puts it into the area, by a copy because no card belongs to it";
    private static final String POOLED = "the kernel copies into buffers that it picks from the pool";

    private final UringEndpoint endpoint;
    private final UringQueues queues;
    private final ReceiveSide receives;
    private final boolean onAndOn;
    private final boolean bundles;
    private final Request plain;
    private final Request scattered;
    private final Request cancel = Request.cancel();
    private Request pooled;
    private UringPool pool;
    /** Instead of {@link #pool}. */
    private UringArea area;
    private boolean isOut;
    private boolean isPooled;
    private boolean isStopping;
    private boolean isPausing;
    private int ranges;
    private long begun;
    private int calls;
    /** What came when the queue of completions was full: buffers of the pool and what of them, oldest first. */
    private int[] heldBuffers = new int[4];
    private long[] heldParts = new long[4];
    private int heldHead;
    private int heldTail;
    /** The end of the stream came behind them. */
    private boolean isEndHeld;

    Receiving(UringEndpoint endpoint, UringQueues queues, ReceiveSide receives, List<KnobState> knobs) {
        this.endpoint = endpoint;
        this.queues = queues;
        this.receives = receives;
        onAndOn = !Settings.is(knobs, Knob.RECEIVE, "posted");
        bundles = onAndOn && queues.transport().can(Operation.RECEIVE_BUNDLE);
        plain = Request.receive(endpoint.descriptor(), 0);
        scattered = Request.receiveScattered(endpoint.descriptor(), 0);
    }

    void entered() {
        calls++;
    }

    void begin() {
        if (isOut || !receives.isWanted()) {
            return;
        }
        if (isHolding()) {
            queues.rests(endpoint);
            return;
        }
        if (receives.isEnded()) {
            receives.endAgain();
            return;
        }
        isPooled = receives.pool() != null;
        begun = System.nanoTime();
        if (isPooled ? armed(receives.pool()) : posted(receives.queue())) {
            isOut = true;
            endpoint.asked();
        } else {
            queues.rests(endpoint);
        }
    }

    private boolean armed(Pool wanted) {
        return wanted instanceof UringArea pages ? placed(pages) : pooled((UringPool) wanted);
    }

    private boolean placed(UringArea wanted) {
        if (wanted.free() == 0 || queues.ring().room() <= 0) {
            return false;
        }
        if (area != wanted) {
            area = wanted;
            pool = null;
            pooled = Request.receiveIntoArea(endpoint.descriptor(), wanted.id());
        }
        // what was given back is the kernel's only when it is told
        wanted.show();
        return queues.ask(endpoint, pooled, 0, 0, endpoint.tag(Tags.POOL, 0));
    }

    private boolean pooled(UringPool from) {
        if (from.free() == 0 || queues.ring().room() <= 0) {
            return false;
        }
        if (pool != from) {
            pool = from;
            area = null;
            pooled = onAndOn ? Request.receiveOnAndOn(endpoint.descriptor(), from.group(), bundles)
                    : Request.receiveFromGroup(endpoint.descriptor(), from.group(), false);
        }
        return queues.ask(endpoint, pooled, 0, 0, endpoint.tag(Tags.POOL, 0));
    }

    private boolean posted(ReceiveQueue queue) {
        ranges = Math.min(queue.count(), Lists.PIECES);
        if (ranges == 1) {
            return queues.ask(endpoint, plain, queue.region(0).address() + queue.offset(0), queue.length(0),
                    endpoint.tag(Tags.RECEIVE, 0));
        }
        GatherList list = queues.list();
        if (list == null) {
            return false;
        }
        for (int i = 0; i < ranges; i++) {
            list.add(queue.region(i).address() + queue.offset(i), queue.length(i));
        }
        return queues.ask(endpoint, scattered, list.address(), 1, endpoint.tag(Tags.RECEIVE, 0));
    }

    // ---- what comes

    void completed(int kind, int result, int flags) {
        if (!isOut || isPooled != (kind == Tags.POOL)) {
            return;
        }
        boolean goesOn = isPooled && (flags & Ring.MORE) != 0;
        if (!goesOn) {
            isOut = false;
            isPausing = false;
            endpoint.answered();
        }
        if (result > 0) {
            if (isPooled && area != null) {
                deliveredInArea(result, queues.place());
            } else if (isPooled) {
                delivered(result, flags);
            } else {
                placed(result);
            }
            calls = 0;
        } else {
            if (isPooled && area == null && (flags & Ring.BUFFER) != 0 && isBuffer(Ring.buffer(flags))) {
                pool.refill(Ring.buffer(flags));
            }
            nothing(-result);
        }
        if (isOut && queues.ring().room() <= 0 && !isPausing && !endpoint.isLeaving()) {
            // more would come than there is room for: it waits in the kernel
            isPausing = queues.ask(endpoint, cancel, endpoint.tag(kind, 0), 0, endpoint.tag(Tags.CANCEL, 0));
        }
        if (!isOut && isStopping && !isHolding()) {
            isStopping = false;
            endpoint.stopped();
        }
        if (!isOut) {
            endpoint.settle();
        }
    }

    private void placed(long bytes) {
        ReceiveQueue queue = receives.queue();
        long most = 0;
        int filled = 0;
        for (int i = 0; i < ranges; i++) {
            if (most < bytes) {
                filled++;
            }
            most += queue.length(i);
        }
        receives.received(Math.min(bytes, most), calls, filled, POSTED);
    }

    private boolean isBuffer(int buffer) {
        return buffer < pool.buffers();
    }

    private void delivered(int bytes, int flags) {
        int size = pool.bufferBytes();
        int filled = (bytes - 1) / size + 1;
        int first = Ring.buffer(flags);
        if ((flags & Ring.BUFFER) == 0 || !isBuffer(first) || filled > pool.free()) {
            endpoint.fails(Errno.EPROTO.number(), "make sense of what the kernel received from");
            return;
        }
        int left = bytes;
        // of the first one only now: given to the kernel again, it has another place
        int place = pool.place(first);
        for (int i = 0; i < filled; i++) {
            int buffer = pool.at(place + i);
            if (endpoint.isLeaving() || receives.pool() != pool) {
                pool.refill(buffer);
                continue;
            }
            pool.filled();
            int length = Math.min(left, size);
            left -= size;
            if (isHolding() || queues.ring().room() <= 0) {
                hold(buffer, length);
            } else {
                receives.delivered(buffer, pool.offset(buffer), length, filled, i == 0 ? calls : 0, Paths.COPIED, null,
                        POOLED, begun);
            }
        }
        begun = System.nanoTime();
    }

    private void deliveredInArea(int bytes, long place) {
        int buffer = area.buffer(place, bytes);
        if (buffer < 0) {
            endpoint.fails(Errno.EPROTO.number(), "make sense of what the kernel received from");
        } else if (endpoint.isLeaving() || receives.pool() != area) {
            area.refill(buffer);
        } else {
            area.filled(buffer);
            if (isHolding() || queues.ring().room() <= 0) {
                hold(buffer, (long) ReceiveArea.inPage(place) << Integer.SIZE | bytes);
            } else {
                deliver(buffer, ReceiveArea.inPage(place), bytes, calls);
            }
            begun = System.nanoTime();
        }
    }

    private void deliver(int buffer, int offset, int bytes, int entered) {
        if (area == null) {
            receives.delivered(buffer, pool.offset(buffer) + offset, bytes, 1, entered, Paths.COPIED, null, POOLED,
                    begun);
        } else {
            receives.delivered(buffer, area.offset(buffer) + offset, bytes, 1, entered, Paths.AREA, null, IN_AREA,
                    begun);
        }
    }

    // ---- what there was no room for

    /** Whether something that has come is not delivered yet. */
    boolean isHolding() {
        return heldHead != heldTail;
    }

    /** @param part length, and above it where in the buffer it begins */
    private void hold(int buffer, long part) {
        if (heldTail - heldHead == heldBuffers.length) {
            int[] longer = new int[heldBuffers.length * 2];
            long[] parts = new long[heldBuffers.length * 2];
            for (int i = heldHead; i != heldTail; i++) {
                longer[i & longer.length - 1] = heldBuffers[i & heldBuffers.length - 1];
                parts[i & longer.length - 1] = heldParts[i & heldBuffers.length - 1];
            }
            heldBuffers = longer;
            heldParts = parts;
        }
        heldBuffers[heldTail & heldBuffers.length - 1] = buffer;
        heldParts[heldTail & heldBuffers.length - 1] = part;
        heldTail++;
        queues.rests(endpoint);
    }

    /** Delivers what there is room for now. */
    void deliver() {
        while (isHolding() && queues.ring().room() > 0) {
            int at = heldHead++ & heldBuffers.length - 1;
            deliver(heldBuffers[at], (int) (heldParts[at] >>> Integer.SIZE), (int) heldParts[at], 0);
        }
        if (isHolding()) {
            queues.rests(endpoint);
            return;
        }
        if (isEndHeld) {
            isEndHeld = false;
            receives.end();
        }
        if (isStopping && !isOut) {
            isStopping = false;
            endpoint.stopped();
        }
    }

    /** The endpoint is closed: it is not delivered any more. */
    void letGo() {
        while (isHolding()) {
            int buffer = heldBuffers[heldHead++ & heldBuffers.length - 1];
            if (area == null) {
                pool.home(buffer);
            } else {
                area.home(buffer);
            }
        }
        isEndHeld = false;
    }

    private void nothing(int errno) {
        if (errno == 0) {
            if (isHolding()) {
                isEndHeld = true;
            } else if (!endpoint.isLeaving()) {
                receives.end();
            }
        } else if (area != null && isPooled && (errno == ENOMEM || errno == ENOSPC)) {
            // no page is left, or no room for a completion: both come back
            isPausing = false;
        } else if (errno != ECANCELED && errno != ENOBUFS && errno != EAGAIN && errno != EINTR
                && !endpoint.isLeaving()) {
            endpoint.fails(errno, "receive from");
        }
    }

    // ---- taking back

    void stop() {
        if (!isOut && !isHolding()) {
            endpoint.stopped();
            return;
        }
        isStopping = true;
        if (!isOut) {
            return;
        }
        queues.ask(endpoint, cancel, endpoint.tag(isPooled ? Tags.POOL : Tags.RECEIVE, 0), 0,
                endpoint.tag(Tags.CANCEL, 0));
    }
}

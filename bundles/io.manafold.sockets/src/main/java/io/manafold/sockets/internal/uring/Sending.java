package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.Paths;
import io.manafold.streams.SendQueue;
import io.manafold.streams.SendSide;
import io.manafold.uring.GatherList;
import io.manafold.uring.Operation;
import io.manafold.uring.Request;
import io.manafold.uring.Ring;
import java.util.List;

/** What of an endpoint's sends is with the kernel: one operation at a time, of as many sends as were posted. */
final class Sending {
    private static final int FLAGS = Request.NO_SIGNAL | Request.ALL;
    /** Bytes of one operation, about. */
    private static final long LONGEST = 1L << 30;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;
    private static final int EOPNOTSUPP = 95;
    private static final int ENOBUFS = 105;
    private static final int ECANCELED = 125;
    private static final String SEVERAL = "gathered from several regions, which the kernel does not take as registered "
            + "together";
    private static final String COPIES = "the kernel copies what is sent so";

    private final UringEndpoint endpoint;
    private final UringQueues queues;
    private final SendSide sends;
    private final SendQueue due;
    private final boolean gathers;
    private final boolean sendsRegistered;
    private final boolean gathersRegistered;
    private final Request plain;
    private final Request registered;
    private final Request gathered;
    /** {@code null} if all is to be copied. */
    private final ZeroCopySends zero;
    private boolean isOut;
    private boolean isZero;
    /** Why its memory, which was to be registered, is not. */
    private String unregistered;
    private int count;
    private long bytes;
    private int calls;
    private String because = COPIES;

    Sending(UringEndpoint endpoint, UringQueues queues, SendSide sends, List<KnobState> knobs, boolean local) {
        this.endpoint = endpoint;
        this.queues = queues;
        this.sends = sends;
        due = sends.queue();
        gathers = Settings.is(knobs, Knob.GATHER, "on");
        sendsRegistered = queues.registers() && queues.transport().can(Operation.SEND_REGISTERED);
        gathersRegistered = queues.registers() && queues.transport().can(Operation.SEND_GATHERED_ZERO_COPY_REGISTERED);
        int descriptor = endpoint.descriptor();
        plain = Request.send(descriptor, FLAGS);
        registered = Request.sendRegistered(descriptor, FLAGS, 0);
        gathered = Request.sendGathered(descriptor, FLAGS);
        zero = Settings.is(knobs, Knob.SEND, "copy") ? null : new ZeroCopySends(sends, descriptor, FLAGS,
                Settings.is(knobs, Knob.SEND, "auto"),
                () -> local ? CopyReason.LOCAL : CopyReason.from(endpoint.local()));
    }

    void entered() {
        calls++;
    }

    /** How many of the oldest sends the kernel has. */
    int begun() {
        return isOut ? count : 0;
    }

    /** Whether the kernel may still read memory of sends that it has taken. */
    boolean isPending() {
        return zero != null && zero.isPending();
    }

    void forget() {
        isOut = false;
        if (zero != null) {
            zero.forget();
        }
    }

    /** @return how many sends began */
    int begin() {
        if (isOut) {
            return 0;
        }
        if (due.isAllAccepted()) {
            if (sends.isFinishDue()) {
                endpoint.finishNow();
            }
            return 0;
        }
        int most = Math.min(gathers ? due.pieces() : due.piecesOfNext(), Lists.PIECES);
        HeldRegion only = due.region(0);
        int pieces = 1;
        bytes = due.length(0);
        while (pieces < most && bytes < LONGEST) {
            bytes += due.length(pieces);
            only = due.region(pieces) == only ? only : null;
            pieces++;
        }
        isZero = zero != null && zero.wants(bytes);
        unregistered = null;
        boolean begun = pieces == 1 ? one(only) : several(pieces, only);
        if (!begun) {
            queues.rests(endpoint);
            return 0;
        }
        if (isZero) {
            zero.begun(unregistered);
        } else if (zero != null) {
            because = zero.why(bytes);
        }
        isOut = true;
        count = due.sendsIn(pieces);
        endpoint.asked();
        return count;
    }

    private long tag() {
        return endpoint.tag(Tags.SEND, isZero ? zero.next() : 0);
    }

    private boolean one(HeldRegion region) {
        long address = region.address() + due.offset(0);
        int length = due.length(0);
        int slot = isZero || sendsRegistered ? slot(region) : -1;
        if (slot >= 0) {
            return queues.ask(endpoint, isZero ? zero.registered : registered, slot, address, length, tag());
        }
        return queues.ask(endpoint, isZero ? zero.plain : plain, address, length, tag());
    }

    private boolean several(int pieces, HeldRegion only) {
        GatherList list = queues.list();
        if (list == null) {
            return false;
        }
        for (int i = 0; i < pieces; i++) {
            list.add(due.region(i).address() + due.offset(i), due.length(i));
        }
        int slot = isZero && only != null && gathersRegistered ? slot(only) : -1;
        if (isZero && only == null && queues.registers()) {
            unregistered = SEVERAL;
        }
        if (slot >= 0) {
            return queues.ask(endpoint, zero.gatheredRegistered, slot, list.address(), 1, tag());
        }
        return queues.ask(endpoint, isZero ? zero.gathered : gathered, list.address(), 1, tag());
    }

    private int slot(HeldRegion region) {
        int slot = queues.slot(region);
        unregistered = slot < 0 && queues.registers() ? queues.unregistered() : null;
        return slot;
    }

    /** Where registered memory is demanded, what cannot be is refused and not sent another way. */
    void check(HeldRegion region) {
        if (queues.demandsRegistered() && (zero != null || sendsRegistered) && queues.slot(region) < 0) {
            String why = queues.unregistered();
            throw new Refusal(Errno.ENOMEM, "The region with key " + region.key() + " is not sent on " + endpoint.name()
                    + ": registered memory is demanded, and it is not. "
                    + (why == null ? "Its place in the ring's table is another's."
                            : why) + " Prefer memory=registered instead, and it is sent as it lies.");
        }
    }

    void completed(int number, int result, int flags) {
        if ((flags & Ring.NOTIFICATION) != 0) {
            if (zero != null) {
                zero.notified(number, (result & Ring.COPIED) != 0);
            }
            endpoint.settle();
            return;
        }
        if (!isOut) {
            return;
        }
        isOut = false;
        endpoint.answered();
        boolean freeLater = isZero && (flags & Ring.MORE) != 0;
        if (isZero && !freeLater) {
            zero.over();
        }
        if (result > 0) {
            // never more than was asked, whatever the number says
            taken(Math.min(result, bytes), freeLater);
            calls = 0;
        } else {
            failed(-result);
        }
        endpoint.settle();
    }

    private void taken(long taken, boolean freeLater) {
        long first = due.accepted();
        if (freeLater) {
            sends.sent(taken, count, calls, Paths.COPIED, null, because, false, false);
            zero.taken(first, due.accepted(), !due.isAllAccepted() && due.taken(due.accepted()) > 0);
            return;
        }
        long left = taken;
        if (zero != null && zero.reads(first)) {
            // an operation before this one ended within it, and the kernel has not let go of that part
            long rest = Math.min(left, due.total(first) - due.taken(first));
            sends.sent(rest, count, calls, Paths.COPIED, null, because, false, false);
            if (due.accepted() != first) {
                zero.finished(first);
            }
            left -= rest;
        }
        if (left > 0) {
            sends.sent(left, count, calls, Paths.COPIED, null, because, false, true);
        }
    }

    private void failed(int errno) {
        if (errno == ECANCELED || errno == EAGAIN || errno == EINTR || endpoint.isLeaving()) {
            return;
        }
        if (isZero && (errno == ENOBUFS || errno == ENOMEM || errno == EINVAL || errno == EOPNOTSUPP)) {
            zero.giveUp("the kernel answered " + Failures.name(errno) + " to sending where it lies"
                    + (errno == ENOMEM || errno == ENOBUFS ? ", for which this user may lock too little memory (ulimit "
                    + "-l)" : ""));
            return;
        }
        endpoint.fails(errno, "send to");
    }
}

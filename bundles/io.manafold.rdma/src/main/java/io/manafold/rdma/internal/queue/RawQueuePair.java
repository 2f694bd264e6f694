package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.Pieces;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.rdma.SendOpcode;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.RawMemory;
import java.util.function.Consumer;

/** A queue pair for raw packets, which sends only. It is ready from the beginning. */
public final class RawQueuePair extends RawQueue implements QueuePair {
    private static final int SHORT_OFFSETS = 255;
    /** Two addresses and a type. */
    private static final int LEAST = 14;
    /** Behind the tag of a long form: nothing. */
    private static final int REST = SendRequest.WIDE + 4;

    private final QueuePairPlan plan;
    private final int longest;
    private final int flags;
    private final int place;

    /** @param longest bytes of a packet */
    public RawQueuePair(QueueDevice device, PortInUse port, QueuePairPlan plan, int longest,
            Consumer<RawQueue> closing) {
        super(device, port, QueueType.SEND, (RawCompletionQueue) plan.sendQueue(), plan.sends(),
                WorkRequest.size(plan.sendPieces(), WorkRequest.INLINE_LONG), closing);
        this.plan = plan;
        this.longest = longest;
        flags = SendRequest.flags(0, entries().id());
        place = SendRequest.place(0, number(), port.vportOffset());
    }

    @Override
    String who() {
        return "queue pair " + number() + " of " + device().name();
    }

    @Override
    AsyncEvent.Type fatal() {
        return AsyncEvent.Type.QP_FATAL;
    }

    @Override
    CompletionOpcode opcode() {
        return CompletionOpcode.SEND;
    }

    @Override
    public QueuePairState state() {
        return hasFailed() || device().isGone() ? QueuePairState.ERR : QueuePairState.RTS;
    }

    @Override
    public QueuePairAttributes attributes() {
        return QueuePairAttributes.to(state()).port(port().number());
    }

    @Override
    public void modify(QueuePairAttributes change) {
        throw refusal(Errno.EOPNOTSUPP, " has no states to go through: it sends from the beginning.");
    }

    @Override
    public int post(ReceiveList list) {
        throw refusal(Errno.EOPNOTSUPP, " takes no receives; post them to a receive work queue.");
    }

    // ---- the thread that posts

    @Override
    public int post(SendList list) {
        enter();
        try {
            return write(list);
        } finally {
            leave();
        }
    }

    private int write(SendList list) {
        PostChecks.checkLength(list.count(), plan.sends(), "requests");
        Pieces pieces = list.pieces();
        WorkQueue ring = posted().queue();
        int first = list.posted();
        int at = first;
        try {
            for (; at < list.count(); at++) {
                check(list, at);
                long bytes = PostChecks.check(pieces, at, plan.sendPieces(), longest);
                int count = pieces.count(at);
                boolean tagged = (list.flags(at) & SendList.TAGGED) != 0;
                boolean wide = tagged || port().vportOffset() > SHORT_OFFSETS;
                int inline = wide ? WorkRequest.INLINE_LONG : WorkRequest.INLINE_SHORT;
                if (!posted().hasRoom(WorkRequest.size(count, inline))) {
                    break;
                }
                ring.begin(0, WorkRequest.word1(count, inline, false, 0));
                boolean silent = (list.flags(at) & SendList.SIGNALED) == 0;
                ring.put32(SendRequest.FLAGS, flags | (wide ? SendRequest.LONG_FORM : 0)
                        | (silent ? SendRequest.SUPPRESS_COMPLETION : 0)
                        | ((list.flags(at) & SendList.IP_CHECKSUM) != 0
                        ? SendRequest.IPV4 | SendRequest.IP_CHECKSUM : 0));
                ring.put32(SendRequest.PLACE, place);
                if (wide) {
                    ring.put32(SendRequest.TAG, tagged ? SendRequest.tag(list.immediate(at)) : 0);
                    ring.put32(SendRequest.WIDE, SendRequest.wide(port().vportOffset()));
                    ring.put32(REST, 0);
                    ring.put32(REST + 4, 0);
                }
                for (int i = 0, piece = pieces.first(at); i < count; i++, piece++) {
                    ring.piece(i, pieces.address(piece), pieces.key(piece), pieces.length(piece));
                }
                posted().commit(list.id(at), bytes, silent);
            }
        } finally {
            if (at != first) {
                ring.ring();
                list.advance(at - first);
            }
        }
        return at - first;
    }

    private static void check(SendList list, int at) {
        if ((list.flags(at) & SendList.INLINE) != 0) {
            throw PostChecks.inline(at);
        }
        SendOpcode opcode = list.opcode(at);
        if (opcode == SendOpcode.ATOMIC_CMP_AND_SWP || opcode == SendOpcode.ATOMIC_FETCH_AND_ADD) {
            throw PostChecks.atomic(at);
        }
        Pieces pieces = list.pieces();
        for (int i = 0, piece = pieces.first(at); i < pieces.count(at); i++, piece++) {
            if (pieces.length(piece) == 0) {
                throw new Refusal(Errno.EINVAL, "Number " + at
                        + " of the list has a piece without bytes; leave it out.");
            }
        }
        if (pieces.total(at) < LEAST && pieces.total(at) >= 0) {
            throw new Refusal(Errno.EINVAL, "Number " + at + " of the list has " + pieces.total(at)
                    + " bytes, and a frame has at least " + LEAST + "; send whole frames.");
        }
        if (opcode != SendOpcode.SEND) {
            throw new Refusal(Errno.EINVAL, "Number " + at + " of the list is " + opcode
                    + ", and a raw packet is only sent; use SEND.");
        }
    }

    // ---- the thread that polls

    @Override
    boolean take(long entry, Completions into) {
        int first = RawMemory.get32(entry + SendCompletion.FIRST);
        int at = SendCompletion.unit(RawMemory.get32(entry + SendCompletion.REQUEST)) * WorkRequest.UNIT;
        PostedWork work = posted();
        while (work.hasOldest() && work.place() != at && work.isSilent()) {
            work.retire();
        }
        if (CompletionEntry.client(first) != 1 || !work.hasOldest() || work.place() != at) {
            broken("the device says that the request at " + Integer.toUnsignedLong(at)
                    + " has ended, which is not the one whose turn it is");
            return true;
        }
        int end = CompletionEntry.type(first);
        if (end != SendCompletion.OK) {
            into.add(work.id(), number(), status(end), CompletionOpcode.SEND, 0, end);
            if (!isAlone(end)) {
                fails("has failed at a request: " + SendCompletion.name(end)
                        + ". Send whole frames from memory that is registered in its domain; close it and make "
                        + "another.");
            }
        } else if (!work.isSilent()) {
            into.add(work.id(), number(), CompletionStatus.SUCCESS, CompletionOpcode.SEND, (int) work.length(), 0);
        }
        work.retire();
        return true;
    }

    /** Whether a packet was refused for what it is, and those after it go on. */
    private static boolean isAlone(int end) {
        return end == SendCompletion.MTU || end == SendCompletion.SOURCE_ADDRESS || end == SendCompletion.ETHERTYPE
                || end == SendCompletion.VLAN;
    }

    private static CompletionStatus status(int end) {
        return end == SendCompletion.MTU ? CompletionStatus.LOCAL_LENGTH : CompletionStatus.LOCAL_QP_OPERATION;
    }
}

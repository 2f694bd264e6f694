package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.Pieces;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.HashType;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.RawMemory;
import java.util.function.Consumer;

/** A receive work queue. */
public final class RawReceiveQueue extends RawQueue implements ReceiveWorkQueue {
    private final int receives;
    private final int pieceLimit;
    /** Packets of the completion at hand that there was room for. */
    private int taken;

    public RawReceiveQueue(QueueDevice device, PortInUse port, RawCompletionQueue completions, int receives, int pieces,
            Consumer<RawQueue> closing) {
        super(device, port, QueueType.RECEIVE, completions, receives,
                WorkRequest.size(pieces, WorkRequest.INLINE_SHORT), closing);
        this.receives = receives;
        pieceLimit = pieces;
    }

    @Override
    String who() {
        return "receive work queue " + number() + " of " + device().name();
    }

    @Override
    AsyncEvent.Type fatal() {
        return AsyncEvent.Type.WQ_FATAL;
    }

    @Override
    CompletionOpcode opcode() {
        return CompletionOpcode.RECV;
    }

    // ---- the thread that posts

    @Override
    public int post(ReceiveList list) {
        enter();
        try {
            return write(list);
        } finally {
            leave();
        }
    }

    private int write(ReceiveList list) {
        PostChecks.checkLength(list.count(), receives, "receives");
        Pieces pieces = list.pieces();
        WorkQueue ring = posted().queue();
        int first = list.posted();
        int at = first;
        try {
            for (; at < list.count(); at++) {
                long bytes = PostChecks.check(pieces, at, pieceLimit, Integer.MAX_VALUE);
                if (bytes == 0) {
                    throw new Refusal(Errno.EINVAL, "Number " + at
                            + " of the list has no room for a packet; give it memory.");
                }
                int count = pieces.count(at);
                if (!posted().hasRoom(WorkRequest.size(count, WorkRequest.INLINE_SHORT))) {
                    break;
                }
                ring.begin(0, WorkRequest.word1(count, WorkRequest.INLINE_SHORT, false, 0));
                ring.put32(WorkRequest.INLINE, 0);
                ring.put32(WorkRequest.INLINE + 4, 0);
                for (int i = 0, piece = pieces.first(at); i < count; i++, piece++) {
                    ring.piece(i, pieces.address(piece), pieces.key(piece), pieces.length(piece));
                }
                posted().commit(list.id(at), bytes, false);
            }
        } finally {
            if (at != first) {
                ring.ring();
                list.advance(at - first);
            }
        }
        return at - first;
    }

    // ---- the thread that polls

    @Override
    boolean take(long entry, Completions into) {
        int type = CompletionEntry.type(RawMemory.get32(entry + ReceiveCompletion.FIRST));
        if (taken == 0 && !isTurn(RawMemory.get32(entry + ReceiveCompletion.REQUEST_OFFSET))) {
            return true;
        }
        switch (type) {
            case ReceiveCompletion.OK -> {
                return packets(entry, 1, into);
            }
            case ReceiveCompletion.COALESCED -> {
                return packets(entry, ReceiveCompletion.MAX_PACKETS, into);
            }
            case ReceiveCompletion.TRUNCATED -> {
                if (taken != 0) {
                    taken = 0;
                    broken("the device has changed a completion of which some packets were taken already");
                    return true;
                }
                into.add(posted().id(), number(), CompletionStatus.LOCAL_LENGTH, CompletionOpcode.RECV, 0, type);
                posted().retire();
            }
            default -> {
                taken = 0;
                broken("the device tells of its receives by a completion of type " + type);
            }
        }
        return true;
    }

    private boolean isTurn(int offset) {
        if (posted().hasOldest() && offset == posted().place()) {
            return true;
        }
        broken("the device says that the receive at " + Integer.toUnsignedLong(offset)
                + " got a packet, which is not the one whose turn it is");
        return false;
    }

    /** Takes the packets of a completion as far as there is room; what was taken before is not taken again. */
    private boolean packets(long entry, int most, Completions into) {
        int flags = RawMemory.get32(entry + ReceiveCompletion.FLAGS);
        int marks = marks(flags);
        for (; taken < most; taken++) {
            int length = RawMemory.get16(entry + ReceiveCompletion.lengthAt(taken));
            if (length == 0 && taken > 0) {
                break;
            }
            if (into.isFull()) {
                return false;
            }
            if (length == 0 || !posted().hasOldest() || length > posted().length()) {
                broken("the device says that a packet of " + length + " bytes came into "
                        + (posted().hasOldest() ? "a receive of " + posted().length() : "no receive"));
                break;
            }
            into.add(posted().id(), number(), CompletionStatus.SUCCESS, CompletionOpcode.RECV, length, 0);
            into.packetOfLast(RawMemory.get32(entry + ReceiveCompletion.hashAt(taken)), marks);
            posted().retire();
        }
        taken = 0;
        return true;
    }

    private static int marks(int flags) {
        int hashed = ReceiveCompletion.hashType(flags);
        return (hashed != HashType.NONE ? Completions.HASHED : 0)
                | (HashType.hasPorts(hashed) ? Completions.HASHED_BY_PORTS : 0)
                | (ReceiveCompletion.isChecked(flags) ? Completions.CHECKED : 0)
                | ((flags & ReceiveCompletion.TAGGED) != 0
                ? Completions.TAGGED | ReceiveCompletion.vlan(flags) << 16 : 0);
    }
}

package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Pieces;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.driver.RcReceiveRing;
import io.manafold.gdma.driver.RcSendRing;

/** Writes lists of work into the rings of a queue pair. One thread for each ring; nothing is allocated. */
final class Posting {
    private final QueuePairPlan plan;
    private final int longest;

    Posting(QueuePairPlan plan, DeviceAttributes limits) {
        this.plan = plan;
        longest = limits.maxMessage();
    }

    /** Returns how many were posted. */
    int sends(SendList list, RcSendRing ring) {
        PostChecks.checkLength(list.count(), plan.sends(), "requests");
        Pieces pieces = list.pieces();
        int first = list.posted();
        int at = first;
        try {
            for (; at < list.count(); at++) {
                int operation = operation(list, at);
                long bytes = PostChecks.check(pieces, at, plan.sendPieces(), longest);
                int count = pieces.count(at);
                if (!ring.hasRoom(operation, count)) {
                    break;
                }
                ring.begin(operation, flags(list.flags(at)), count, (int) bytes, list.remoteAddress(at),
                        list.remoteKey(at), list.immediate(at));
                for (int i = 0, piece = pieces.first(at); i < count; i++, piece++) {
                    ring.piece(i, pieces.address(piece), pieces.key(piece), pieces.length(piece));
                }
                ring.commit(list.id(at));
            }
        } finally {
            if (at != first) {
                ring.ring();
                list.advance(at - first);
            }
        }
        return at - first;
    }

    /** Returns how many were posted. */
    int receives(ReceiveList list, RcReceiveRing ring) {
        PostChecks.checkLength(list.count(), plan.receives(), "receives");
        Pieces pieces = list.pieces();
        int first = list.posted();
        int at = first;
        try {
            for (; at < list.count(); at++) {
                long bytes = PostChecks.check(pieces, at, plan.receivePieces(), longest);
                int count = pieces.count(at);
                if (!ring.hasRoom(count)) {
                    break;
                }
                ring.begin(count, bytes);
                for (int i = 0, piece = pieces.first(at); i < count; i++, piece++) {
                    ring.piece(i, pieces.address(piece), pieces.key(piece), pieces.length(piece));
                }
                ring.commit(list.id(at));
            }
        } finally {
            if (at != first) {
                ring.ring();
                list.advance(at - first);
            }
        }
        return at - first;
    }

    private static int operation(SendList list, int at) {
        if ((list.flags(at) & SendList.INLINE) != 0) {
            throw PostChecks.inline(at);
        }
        if ((list.flags(at) & (SendList.IP_CHECKSUM | SendList.TAGGED)) != 0) {
            throw new Refusal(Errno.EINVAL, "Number " + at + " of the list is to be changed like a raw packet, and a "
                    + "connection carries messages; leave the flags for packets out.");
        }
        return switch (list.opcode(at)) {
            case SEND -> RdmaRequest.SEND;
            case SEND_WITH_IMM -> RdmaRequest.SEND_WITH_IMMEDIATE;
            case RDMA_WRITE -> RdmaRequest.WRITE;
            case RDMA_WRITE_WITH_IMM -> RdmaRequest.WRITE_WITH_IMMEDIATE;
            case RDMA_READ -> RdmaRequest.READ;
            case SEND_WITH_INV -> throw new Refusal(Errno.EINVAL, "Number " + at
                    + " of the list sends and takes a key away, which is not posted; send, and close the region "
                    + "there.");
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> throw PostChecks.atomic(at);
        };
    }

    private static int flags(int flags) {
        return ((flags & SendList.FENCE) != 0 ? RdmaRequest.FENCE : 0)
                | ((flags & SendList.SIGNALED) != 0 ? RdmaRequest.SIGNALED : 0)
                | ((flags & SendList.SOLICITED) != 0 ? RdmaRequest.SOLICITED : 0);
    }
}

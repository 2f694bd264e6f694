package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.Pieces;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** What no list of work may have, whatever it is posted to. */
final class PostChecks {
    private PostChecks() {
    }

    static void checkLength(int count, int most, String what) {
        if (count > most) {
            throw new Refusal(Errno.EINVAL, "A list of " + count + " " + what
                    + " is longer than the queue, which was made for " + most
                    + "; post shorter lists, or make a longer queue.");
        }
    }

    /** Bytes of the pieces of a request. */
    static long check(Pieces pieces, int at, int most, int longest) {
        long bytes = pieces.total(at);
        if (bytes < 0) {
            throw new Refusal(Errno.EINVAL, "Number " + at + " of the list has a piece with less than no bytes.");
        }
        if (pieces.count(at) > most) {
            throw new Refusal(Errno.EINVAL, "Number " + at + " of the list has " + pieces.count(at)
                    + " pieces of memory, and the queue was made for " + most + "; make it for more.");
        }
        if (bytes > longest) {
            throw new Refusal(Errno.EINVAL, "Number " + at + " of the list has " + bytes
                    + " bytes, and a message has at most " + longest + "; split it.");
        }
        return bytes;
    }

    static Refusal inline(int at) {
        return new Refusal(Errno.EINVAL, "Number " + at + " of the list is to carry its data itself, and this device "
                + "takes 0 bytes so; register the memory and send from there.");
    }

    static Refusal atomic(int at) {
        return new Refusal(Errno.EOPNOTSUPP, "Number " + at
                + " of the list is an atomic operation, and this device has none; use messages.");
    }
}

package io.manafold.commands.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.rdma.SendList;
import java.lang.invoke.VarHandle;

/**
 * How many messages each end may send: not more than the other has receives for. A message without a receive would be
 * refused and sent again after a time that the receiver names, and with connections by address that is the longest
 * there is. Each end writes into the head of the other's region how many receives it has posted again, for each queue
 * pair and since the beginning. Nothing is allocated while it counts.
 */
final class Credits {
    private static final VarHandle LONG = JAVA_LONG.varHandle();

    private final End end;
    private final long receives;
    private final long[] sent;
    private final long[] posted;
    private final long[] told;
    private final boolean[] underWay;
    private final SendList write = new SendList(1);

    /** @param receives that each queue pair has at the beginning, at both ends */
    Credits(End end, int pairs, int receives) {
        this.end = end;
        this.receives = receives;
        sent = new long[pairs];
        posted = new long[pairs];
        told = new long[pairs];
        underWay = new boolean[pairs];
    }

    /** Whether the other end has receives for so many messages, or as many as it ever has. */
    boolean allow(int pair, int messages) {
        long again = (long) LONG.getAcquire(end.memory(), End.CREDITS_IN + (long) pair * Long.BYTES);
        return sent[pair] + messages <= receives + again || sent[pair] == again;
    }

    /** So many more were sent. */
    void sent(int pair, int messages) {
        sent[pair] += messages;
    }

    /** So many more receives were posted again. */
    void posted(int pair, int more) {
        posted[pair] += more;
    }

    /** Tells the other end, unless it knows or is being told. */
    void tell(int pair, RemoteMemory remote) {
        if (posted[pair] == told[pair] || underWay[pair]) {
            return;
        }
        long place = (long) pair * Long.BYTES;
        end.memory().set(JAVA_LONG, End.CREDITS_OUT + place, posted[pair]);
        write.clear();
        write.write(Completing.CREDITS | pair, SendList.SIGNALED, remote.address() + End.CREDITS_IN + place,
                remote.key()).piece(end.address(End.CREDITS_OUT + place), end.key(), Long.BYTES);
        if (end.pair(pair).post(write) == 1) {
            underWay[pair] = true;
            told[pair] = posted[pair];
        }
    }

    /** The other end has been told. */
    void arrived(int pair) {
        underWay[pair] = false;
    }
}

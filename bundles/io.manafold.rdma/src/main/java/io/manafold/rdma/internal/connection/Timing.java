package io.manafold.rdma.internal.connection;

import java.util.concurrent.TimeUnit;

/**
 * How long is waited for what.
 *
 * @param answerNanos until a message without an answer is sent again
 * @param repeats how often
 * @param receiptNanos until a peer whose request has no answer yet is told that it takes longer
 * @param requestNanos until a request that the user does not answer is given up
 * @param placeNanos until a peer is given up whose place on the link is not found
 * @param lingerNanos for late messages and packets of a connection that has ended
 */
public record Timing(long answerNanos, int repeats, long receiptNanos, long requestNanos, long placeNanos,
        long lingerNanos) {
    /** The exponent by which peers are told {@link #answerNanos}. */
    static final int ANSWER_EXPONENT = 20;
    /** The exponent by which peers are told {@link #requestNanos}. */
    static final int REQUEST_EXPONENT = 24;
    static final long UNIT_NANOS = 4096;

    /** As the stacks of today have it: 4.3 s, 15 times; a minute for the user. */
    public static final Timing USUAL = new Timing(UNIT_NANOS << ANSWER_EXPONENT, 15, TimeUnit.MILLISECONDS.toNanos(50),
            UNIT_NANOS << REQUEST_EXPONENT, TimeUnit.SECONDS.toNanos(4), TimeUnit.SECONDS.toNanos(1));

    /** The time that a peer says by an exponent, within reason. */
    static long nanos(int exponent) {
        return UNIT_NANOS << Math.clamp(exponent, 0, REQUEST_EXPONENT);
    }
}

package io.manafold.api.adapter;

import java.time.Instant;
import java.util.List;

/**
 * What has become of the last requests of a queue pair with a reliable connection, as its adapter has seen it. It is
 * put together while the queue pair goes on, so one part may be a little older than another; none is ever of another
 * request.
 *
 * @param pair as it is, or as it was at its end
 * @param ended whether it is no more
 * @param last when something happened to it last, {@code null} if nothing has yet
 * @param requests the last ones that its driver has posted, and those that have failed; the oldest first
 * @param events what of the peer's packets was not as it should be, and what concerns no request in {@code requests};
 *     the oldest first
 */
public record RdmaTrace(RdmaQueuePair pair, boolean ended, Instant last, List<Request> requests, List<Event> events) {
    /** In place of a time: it has not come to that, or no more. */
    public static final long NEVER = -1;

    public RdmaTrace {
        requests = List.copyOf(requests);
        events = List.copyOf(events);
    }

    /** What was asked for. */
    public enum Operation {
        SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, WRITE, WRITE_WITH_IMMEDIATE, READ
    }

    /**
     * A request. Times are nanoseconds since the doorbell, {@link #NEVER} for what has not happened.
     *
     * @param number counted from 1 since the queue pair was made
     * @param doorbell when the driver has rung for it
     * @param ringOffset where in the send ring it begins
     * @param firstPsn the number of its first packet
     * @param packets that it has; of a read, those of the answer
     * @param taken when the adapter has read it
     * @param firstSent when its first packet left
     * @param lastSent when the last of those that have left for the first time did
     * @param sent how many have left
     * @param acknowledged when all of it was acknowledged
     * @param acknowledgedPsn by the answer with this number
     * @param messages completed by the peer, as that answer says
     * @param completed when the driver was told
     * @param events what was not as it should be, the oldest first
     */
    public record Request(long number, Instant doorbell, Operation operation, int length, int ringOffset, int firstPsn,
            int packets, long taken, long firstSent, long lastSent, int sent, long acknowledged, int acknowledgedPsn,
            int messages, long completed, List<Event> events) {
        public Request {
            events = List.copyOf(events);
        }
    }

    /** What has happened. Kinds from {@link #PEER_GAP} on are about packets of the peer. */
    public enum Kind {
        /** Packets were sent again. */
        SENT_AGAIN,
        /** The peer has said that it misses a packet. */
        NAK_SEQUENCE,
        /**
         * The peer has said that it has no receive; the detail is for how many microseconds it asks to be left alone.
         */
        NAK_NOT_READY,
        /** The peer has refused the request; the detail is the syndrome. */
        NAK_REFUSED,
        /** Answers to later requests came before the data of a read. */
        DATA_MISSING,
        /** No acknowledgement came in time. */
        UNANSWERED,
        /** The driver was told of an error. */
        FAILED,
        /** Packets of the peer have come before one that is missing, which is the detail. */
        PEER_GAP,
        /** Packets of the peer had come before. */
        PEER_AGAIN,
        /** There was no receive for a message of the peer. */
        PEER_NOT_READY,
        /** A packet of the peer was refused. */
        PEER_REFUSED
    }

    /**
     * Something that has happened.
     *
     * @param nanos since the doorbell of the request, {@link #NEVER} if it is about none
     * @param psn of the packet, or the first of them
     * @param packets how many
     * @param lasted nanoseconds from the first to the last of them
     * @param detail as the kind says, 0 if it says nothing
     * @param failure of an error, or {@code null}
     */
    public record Event(Kind kind, Instant at, long nanos, int psn, int packets, long lasted, int detail,
            Failure failure) {
    }

    /**
     * An error.
     *
     * @param code as the driver is told, {@code 0x162}
     * @param status what applications are told: {@code remote access error}
     * @param rule the rule that was broken
     * @param right what to do
     * @param memory the memory that it is about, {@code null} if it is about none
     */
    public record Failure(int code, String status, String rule, String right, String memory) {
    }
}

package io.manafold.api.inet;

/**
 * Something that happened to an echo request.
 *
 * @param sequence the request's number, from 1
 * @param from the station that answered: the target, or the one that said that it cannot be reached
 * @param bytes of the answer, ICMP header and payload
 * @param ttl what was left of it when the answer came
 * @param nanos how long it took
 */
public record PingEvent(Kind kind, int sequence, IpAddress from, int bytes, int ttl, long nanos) {
    /** What can happen. */
    public enum Kind {
        /** It was answered. */
        REPLY,
        /** It was answered once more. */
        DUPLICATE,
        /** It was answered with other bytes than were sent. */
        DAMAGED,
        /** No host has answered in time, and there is no more to wait for it. */
        TIMEOUT,
        /** The target, or the gateway on the way to it, is not on the link. */
        HOST_UNREACHABLE,
        /** A router on the way says that the network cannot be reached. */
        NET_UNREACHABLE,
        /** The target does not do that. */
        PORT_UNREACHABLE,
        /** Too many routers on the way. */
        TIME_EXCEEDED,
        /** The device was away or down. */
        DEVICE_AWAY
    }
}

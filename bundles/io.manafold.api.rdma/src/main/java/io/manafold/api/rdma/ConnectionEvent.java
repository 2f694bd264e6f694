package io.manafold.api.rdma;

import io.manafold.api.refusal.Errno;
import java.util.Objects;

/**
 * Something has become of a connection.
 *
 * @param errno of what went wrong; {@code null} for {@link Type#ESTABLISHED} and {@link Type#DISCONNECTED} by either
 *     user
 * @param reason the number of the peer's reason for {@link Type#REJECTED}, 28 for its user; else 0
 * @param privateData what the peer sent along, with zeroes behind what it said; empty if it sent nothing
 * @param sentence what happened, for people
 */
public record ConnectionEvent(Type type, Errno errno, int reason, byte[] privateData, String sentence) {
    /** What happened, with the names that {@code rdma_cm} gives. */
    public enum Type {
        ESTABLISHED,
        /** The peer does not want it: {@code ECONNREFUSED}. */
        REJECTED,
        /** The peer's place was not found, {@code EHOSTUNREACH}, or the peer did not answer, {@code ETIMEDOUT}. */
        UNREACHABLE,
        /** It cannot be made from this side; the errno says why. */
        CONNECT_ERROR,
        /**
         * It was there and has ended; with {@code ECONNRESET} if the queue pair has failed or the peer has forgotten
         * it.
         */
        DISCONNECTED,
        /** The device has gone: {@code ENODEV}. */
        DEVICE_REMOVAL
    }

    public ConnectionEvent {
        Objects.requireNonNull(type);
        Objects.requireNonNull(privateData);
        Objects.requireNonNull(sentence);
    }
}

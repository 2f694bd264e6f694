package io.manafold.roce.cm;

import java.util.Arrays;

/**
 * REJ: there will be no connection.
 *
 * @param localId by which the sender knows the connection, 0 if it does not
 * @param remoteId by which the receiver knows it
 * @param message what is rejected: 0 REQ, 1 REP, 3 none
 * @param reason the number of a {@link Reason}, or any other
 * @param information more of it, at most 72 bytes
 * @param privateData 148 bytes, or fewer to be sent
 */
public record CmReject(int localId, int remoteId, int message, int reason, byte[] information, byte[] privateData) {
    public static final int PRIVATE_BYTES = 148;
    public static final int INFORMATION_BYTES = 72;

    private static final int INFORMATION = 12;
    private static final int PRIVATE = 84;

    /** Why; those that the stacks of today send or understand. */
    public enum Reason {
        NO_QUEUE_PAIR(1),
        NO_RESOURCES(3),
        TIMEOUT(4),
        UNSUPPORTED(5),
        INVALID_COMMUNICATION_ID(6),
        INVALID_SERVICE_ID(8),
        STALE_CONNECTION(10),
        INVALID_GID(12),
        INVALID_MTU(26),
        INSUFFICIENT_RESOURCES(27),
        CONSUMER_DEFINED(28),
        VENDOR_DEFINED(35);

        private final int number;

        Reason(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }

        /** {@code null} if none here has the number. */
        public static Reason of(int number) {
            return Arrays.stream(values()).filter(reason -> reason.number == number).findFirst().orElse(null);
        }
    }

    public static CmReject decode(byte[] mad) {
        Fields from = Fields.of(mad, Mad.REJECT);
        int length = Math.min(from.get8(9) >>> 1, INFORMATION_BYTES);
        return new CmReject(from.get32(0), from.get32(4), from.get8(8) >>> 6, from.get16(10),
                from.get(INFORMATION, length), from.get(PRIVATE, PRIVATE_BYTES));
    }

    public byte[] encode(long transaction) {
        Fields to = Fields.create(Mad.REJECT, transaction).put32(0, localId).put32(4, remoteId).put8(8, message << 6);
        to.put(INFORMATION, information, INFORMATION_BYTES).put8(9, information.length << 1).put16(10, reason);
        return to.put(PRIVATE, privateData, PRIVATE_BYTES).mad();
    }
}

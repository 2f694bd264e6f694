package io.manafold.roce.cm;

/**
 * MRA: a message has come, and its answer takes longer.
 *
 * @param localId by which the sender knows the connection
 * @param remoteId by which the receiver knows it
 * @param message which one: 0 REQ, 1 REP, 2 another
 * @param serviceTimeout exponent of the time it may take, 4.096 µs × 2^n
 * @param privateData 222 bytes, or fewer to be sent
 */
public record CmMessageReceipt(int localId, int remoteId, int message, int serviceTimeout, byte[] privateData) {
    public static final int PRIVATE_BYTES = 222;

    private static final int PRIVATE = 10;

    public static CmMessageReceipt decode(byte[] mad) {
        Fields from = Fields.of(mad, Mad.MESSAGE_RECEIPT);
        return new CmMessageReceipt(from.get32(0), from.get32(4), from.get8(8) >>> 6, from.get8(9) >>> 3,
                from.get(PRIVATE, PRIVATE_BYTES));
    }

    public byte[] encode(long transaction) {
        Fields to = Fields.create(Mad.MESSAGE_RECEIPT, transaction).put32(0, localId).put32(4, remoteId)
                .put8(8, message << 6)
                .put8(9, serviceTimeout << 3);
        return to.put(PRIVATE, privateData, PRIVATE_BYTES).mad();
    }
}

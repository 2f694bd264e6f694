package io.manafold.roce.cm;

/**
 * DREQ: an end leaves the connection.
 *
 * @param localId by which the sender knows the connection
 * @param remoteId by which the receiver knows it
 * @param remoteQueuePair of the receiver, so that it knows what is meant
 * @param privateData 220 bytes, or fewer to be sent
 */
public record CmDisconnect(int localId, int remoteId, int remoteQueuePair, byte[] privateData) {
    public static final int PRIVATE_BYTES = 220;

    private static final int PRIVATE = 12;

    public static CmDisconnect decode(byte[] mad) {
        Fields from = Fields.of(mad, Mad.DISCONNECT);
        return new CmDisconnect(from.get32(0), from.get32(4), from.get24(8), from.get(PRIVATE, PRIVATE_BYTES));
    }

    public byte[] encode(long transaction) {
        Fields to = Fields.create(Mad.DISCONNECT, transaction).put32(0, localId).put32(4, remoteId)
                .put24(8, remoteQueuePair);
        return to.put(PRIVATE, privateData, PRIVATE_BYTES).mad();
    }
}

package io.manafold.roce.cm;

/**
 * DREP: the other end has left it, too.
 *
 * @param localId by which the sender knows the connection
 * @param remoteId by which the receiver knows it
 * @param privateData 224 bytes, or fewer to be sent
 */
public record CmDisconnectReply(int localId, int remoteId, byte[] privateData) {
    public static final int PRIVATE_BYTES = 224;

    private static final int PRIVATE = 8;

    public static CmDisconnectReply decode(byte[] mad) {
        Fields from = Fields.of(mad, Mad.DISCONNECT_REPLY);
        return new CmDisconnectReply(from.get32(0), from.get32(4), from.get(PRIVATE, PRIVATE_BYTES));
    }

    public byte[] encode(long transaction) {
        Fields to = Fields.create(Mad.DISCONNECT_REPLY, transaction).put32(0, localId).put32(4, remoteId);
        return to.put(PRIVATE, privateData, PRIVATE_BYTES).mad();
    }
}

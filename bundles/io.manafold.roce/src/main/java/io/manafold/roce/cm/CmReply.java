package io.manafold.roce.cm;

/**
 * REP: the asked end agrees.
 *
 * @param localId by which the sender knows the connection
 * @param remoteId of the end that asked
 * @param acknowledgeDelay exponent of the time that its adapter takes to acknowledge
 * @param failover whether an alternate path was accepted, 0 to 2
 * @param privateData 196 bytes, or fewer to be sent
 */
public record CmReply(int localId, int remoteId, CmEndpoint endpoint, int acknowledgeDelay, int failover, long nodeGuid,
        byte[] privateData) {
    public static final int PRIVATE_BYTES = 196;

    private static final int PRIVATE = 36;

    public static CmReply decode(byte[] mad) {
        Fields from = Fields.of(mad, Mad.REPLY);
        int delay = from.get8(26);
        int retries = from.get8(27);
        CmEndpoint endpoint = new CmEndpoint(from.get24(12), from.get24(20), from.get8(24), from.get8(25),
                retries >>> 5, (delay & 1) != 0, (retries & 0x10) != 0);
        return new CmReply(from.get32(0), from.get32(4), endpoint, delay >>> 3, delay >>> 1 & 3, from.get64(28),
                from.get(PRIVATE, PRIVATE_BYTES));
    }

    public byte[] encode(long transaction) {
        Fields to = Fields.create(Mad.REPLY, transaction);
        to.put32(0, localId).put32(4, remoteId).put24(12, endpoint.queuePair()).put24(20, endpoint.startingPsn());
        to.put8(24, endpoint.responderResources()).put8(25, endpoint.initiatorDepth());
        to.put8(26, acknowledgeDelay << 3 | failover << 1 | (endpoint.flowControl() ? 1 : 0));
        to.put8(27, endpoint.rnrRetries() << 5 | (endpoint.sharedReceives() ? 0x10 : 0)).put64(28, nodeGuid);
        return to.put(PRIVATE, privateData, PRIVATE_BYTES).mad();
    }
}

package io.manafold.roce.cm;

/**
 * REQ: an end wants a connection.
 *
 * @param localId by which the asking end knows the connection
 * @param serviceId what it is for, see {@link CmAddresses}
 * @param nodeGuid of the asking adapter
 * @param transport 0 reliable connection; all others are for the asked end to reject
 * @param remoteTimeout exponent of the time in which the asked end has to answer, 4.096 µs × 2^n
 * @param localTimeout the same of the asking end
 * @param retries of packets without an acknowledgement
 * @param messageRetries how often messages like this one are sent again
 * @param privateData 92 bytes, or fewer to be sent; with addresses of IP before all else
 */
public record CmRequest(int localId, long serviceId, long nodeGuid, CmEndpoint endpoint, CmPath path, int transport,
        int remoteTimeout, int localTimeout, int retries, int messageRetries, byte[] privateData) {
    public static final int PRIVATE_BYTES = 92;

    private static final int PRIVATE = 140;
    private static final int NO_LID = 0xffff;

    public static CmRequest decode(byte[] mad) {
        Fields from = Fields.of(mad, Mad.REQUEST);
        int services = from.get8(43);
        int numbers = from.get8(50);
        CmEndpoint endpoint = new CmEndpoint(from.get24(32), from.get24(44), from.get8(35), from.get8(39), numbers & 7,
                (services & 1) != 0, (from.get8(51) & 8) != 0);
        int label = from.get32(88);
        int level = from.get8(94);
        CmPath path = new CmPath(from.get64(56), from.get64(64), from.get64(72), from.get64(80), label >>> 12,
                label & 0x3f, from.get8(92), from.get8(93), from.get16(48), numbers >>> 4, level >>> 4,
                (level & 8) != 0, from.get8(95) >>> 3);
        return new CmRequest(from.get32(0), from.get64(8), from.get64(16), endpoint, path, services >>> 1 & 3,
                services >>> 3, from.get8(47) >>> 3, from.get8(47) & 7, from.get8(51) >>> 4,
                from.get(PRIVATE, PRIVATE_BYTES));
    }

    public byte[] encode(long transaction) {
        Fields to = Fields.create(Mad.REQUEST, transaction);
        to.put32(0, localId).put64(8, serviceId).put64(16, nodeGuid);
        to.put24(32, endpoint.queuePair()).put8(35, endpoint.responderResources()).put8(39, endpoint.initiatorDepth());
        to.put8(43, remoteTimeout << 3 | transport << 1 | (endpoint.flowControl() ? 1 : 0));
        to.put24(44, endpoint.startingPsn()).put8(47, localTimeout << 3 | retries);
        to.put16(48, path.partitionKey()).put8(50, path.mtuCode() << 4 | endpoint.rnrRetries());
        to.put8(51, messageRetries << 4 | (endpoint.sharedReceives() ? 8 : 0));
        to.put16(52, NO_LID).put16(54, NO_LID);
        to.put64(56, path.localHigh()).put64(64, path.localLow()).put64(72, path.remoteHigh())
                .put64(80, path.remoteLow());
        to.put32(88, path.flowLabel() << 12 | path.packetRate()).put8(92, path.trafficClass())
                .put8(93, path.hopLimit());
        to.put8(94, path.serviceLevel() << 4 | (path.subnetLocal() ? 8 : 0)).put8(95, path.acknowledgeTimeout() << 3);
        return to.put(PRIVATE, privateData, PRIVATE_BYTES).mad();
    }
}

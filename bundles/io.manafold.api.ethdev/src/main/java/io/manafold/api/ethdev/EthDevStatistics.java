package io.manafold.api.ethdev;

/**
 * What a port has counted since it was reset.
 *
 * @param missed packets of this port for which no buffer was posted, as the device tells it when it is asked; 0 with a
 *        device that counts them for all ports of a function together alone
 * @param receiveErrors packets that came and could not be given
 * @param sendErrors packets that were taken and could not be sent
 * @param noBuffers how often a pool had no packet for a queue
 */
public record EthDevStatistics(long received, long receivedBytes, long sent, long sentBytes, long missed,
        long receiveErrors, long sendErrors, long noBuffers) {
    public static final EthDevStatistics NONE = new EthDevStatistics(0, 0, 0, 0, 0, 0, 0, 0);

    /** What has been counted since another look. */
    public EthDevStatistics since(EthDevStatistics before) {
        return new EthDevStatistics(received - before.received, receivedBytes - before.receivedBytes,
                sent - before.sent, sentBytes - before.sentBytes, missed - before.missed,
                receiveErrors - before.receiveErrors, sendErrors - before.sendErrors, noBuffers - before.noBuffers);
    }
}

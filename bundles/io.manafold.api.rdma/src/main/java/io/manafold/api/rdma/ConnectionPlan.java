package io.manafold.api.rdma;

import java.util.Objects;

/**
 * How a connection is to be.
 *
 * @param inboundReads of the peer that are answered at a time; no more than the device can
 * @param outboundReads that are asked at a time; no more than the device can and the peer answers
 * @param retries how often a request is repeated that is not acknowledged, 0 to 7; what the asking end says holds for
 *     both
 * @param rnrRetries how often a request is repeated for which the other end has no receive, 0 to 7, which is without
 *     end; each end says it for the peer
 * @param privateData for the other end's user
 */
public record ConnectionPlan(int inboundReads, int outboundReads, int retries, int rnrRetries, byte[] privateData) {
    /** Private data of a request, of a reply, of a rejection at most. */
    public static final int REQUEST_BYTES = 56;
    public static final int REPLY_BYTES = 196;
    public static final int REJECT_BYTES = 148;

    /** 16 reads either way, seven repetitions, waiting for receives without end, nothing to say. */
    public static final ConnectionPlan USUAL = new ConnectionPlan(16, 16, 7, 7, new byte[0]);

    public ConnectionPlan {
        Objects.requireNonNull(privateData);
    }

    public ConnectionPlan withPrivateData(byte[] data) {
        return new ConnectionPlan(inboundReads, outboundReads, retries, rnrRetries, data);
    }

    public ConnectionPlan withReads(int inbound, int outbound) {
        return new ConnectionPlan(inbound, outbound, retries, rnrRetries, privateData);
    }
}

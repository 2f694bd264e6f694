package io.manafold.adapter.internal.rdma;

import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.message.SetQpState;

/**
 * What a driver has set of a queue pair, collected over its changes of state.
 *
 * @param mtu in bytes
 * @param access bits of {@link SetQpState}
 * @param rnrTimer the code that a peer is told if there is no receive
 */
public record QpSettings(Path path, int mtu, int receivePsn, int sendPsn, int inboundReads, int outboundReads,
        int retries, int rnrRetries, int rnrTimer, int ackTimeout, int access, int queueKey) {
    public static final QpSettings NONE = new QpSettings(null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The same with what a message names. */
    public QpSettings with(SetQpState asked) {
        long mask = asked.mask();
        Path there = has(mask, QpAttribute.PATH) ? new Path(asked.path(), asked.peer()) : path;
        return new QpSettings(there, has(mask, QpAttribute.MTU) ? SetQpState.mtuBytes(asked.mtu()) : mtu,
                has(mask, QpAttribute.RECEIVE_PSN) ? asked.receivePsn() & 0xff_ffff : receivePsn,
                has(mask, QpAttribute.SEND_PSN) ? asked.sendPsn() & 0xff_ffff : sendPsn,
                has(mask, QpAttribute.INBOUND_READS) ? asked.inboundReads() : inboundReads,
                has(mask, QpAttribute.OUTBOUND_READS) ? asked.outboundReads() : outboundReads,
                has(mask, QpAttribute.RETRIES) ? asked.retries() : retries,
                has(mask, QpAttribute.RNR_RETRIES) ? asked.rnrRetries() : rnrRetries,
                has(mask, QpAttribute.RNR_TIMER) ? asked.rnrTimer() : rnrTimer,
                has(mask, QpAttribute.ACK_TIMEOUT) ? asked.ackTimeout() : ackTimeout,
                has(mask, QpAttribute.ACCESS) ? asked.access() : access,
                has(mask, QpAttribute.QUEUE_KEY) ? asked.queueKey() : queueKey);
    }

    private static boolean has(long mask, int attribute) {
        return (mask & attribute) != 0;
    }

    boolean allows(int right) {
        return (access & right) != 0;
    }
}

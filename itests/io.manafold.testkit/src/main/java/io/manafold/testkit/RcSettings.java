package io.manafold.testkit;

import io.manafold.gdma.message.SetQpState;

/**
 * How a reliable connection is opened.
 *
 * @param sendBytes of the ring of sends, a power of two from 4096
 * @param receiveBytes of the ring of receives, a power of two from 4096
 * @param mtu payload of a packet: 256, 512, 1024, 2048, 4096
 * @param ackTimeout an exponent, 0 for never
 * @param retries 0 to 7
 * @param rnrRetries 0 to 7, which is without end
 * @param rnrTimer the code that the peer is told without a receive
 * @param access bits of {@link SetQpState}
 * @param reads at a time, answered and asked
 */
public record RcSettings(int sendBytes, int receiveBytes, int mtu, int ackTimeout, int retries, int rnrRetries,
        int rnrTimer, int access, int reads) {
    private static final int LEAST_RING = 4096;

    public RcSettings {
        if (Integer.bitCount(sendBytes) != 1 || Integer.bitCount(receiveBytes) != 1 || sendBytes < LEAST_RING
                || receiveBytes < LEAST_RING) {
            throw new IllegalArgumentException("rings have a power of two of bytes, from " + LEAST_RING);
        }
        if (SetQpState.mtuBytes(SetQpState.mtuCode(mtu)) != mtu) {
            throw new IllegalArgumentException("a path MTU is 256, 512, 1024, 2048 or 4096, not " + mtu);
        }
    }

    /** Rings of 16 KiB, a peer that may read and write, a second until a packet is sent again. */
    public static RcSettings of(int mtu) {
        return new RcSettings(1 << 14, 1 << 14, mtu, 18, 7, 7, 1, SetQpState.LOCAL_WRITE | SetQpState.REMOTE_WRITE
                | SetQpState.REMOTE_READ, 16);
    }

    /** The same with other rings. */
    public RcSettings withRings(int newSendBytes, int newReceiveBytes) {
        return new RcSettings(newSendBytes, newReceiveBytes, mtu, ackTimeout, retries, rnrRetries, rnrTimer, access,
                reads);
    }

    /** The same with another patience. */
    public RcSettings withPatience(int newTimeout, int newRetries, int newRnrRetries, int newRnrTimer) {
        return new RcSettings(sendBytes, receiveBytes, mtu, newTimeout, newRetries, newRnrRetries, newRnrTimer, access,
                reads);
    }

    /** The same with other rights of the peer. */
    public RcSettings withAccess(int newAccess) {
        return new RcSettings(sendBytes, receiveBytes, mtu, ackTimeout, retries, rnrRetries, rnrTimer, newAccess,
                reads);
    }
}

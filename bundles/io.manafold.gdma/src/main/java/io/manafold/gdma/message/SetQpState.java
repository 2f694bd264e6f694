package io.manafold.gdma.message;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Command;
import io.manafold.gdma.Gid;

/**
 * Brings a queue pair into another state and sets its attributes. What the mask does not name is left from before.
 *
 * @param mask bits of {@link io.manafold.gdma.QpAttribute}
 * @param state a value of {@link io.manafold.gdma.QpState}
 * @param mtu a code, see {@link #mtuBytes}
 * @param receivePsn the first that is expected
 * @param sendPsn the first that is sent
 * @param peer the number of the other queue pair
 * @param inboundReads that it answers at a time
 * @param rnrTimer the code that the peer is told if there is no receive
 * @param access bits of the constants of this class, which are not those of {@link CreateMr}
 * @param ackTimeout an exponent, 0 for never
 * @param outboundReads that it asks at a time
 */
public record SetQpState(long adapter, long queuePair, long mask, int state, int mtu, int receivePsn, int sendPsn,
        int peer, int inboundReads, int retries, int rnrRetries, int rnrTimer, int rate, Path path, int queueKey,
        int access, int ackTimeout, int outboundReads) implements Request<Done> {
    public static final int LOCAL_WRITE = 1;
    public static final int REMOTE_WRITE = 1 << 1;
    public static final int REMOTE_READ = 1 << 2;
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** The bytes of an MTU code, 0 for one that does not exist. */
    public static int mtuBytes(int code) {
        return code < 1 || code > 5 ? 0 : 128 << code;
    }

    /** The code of the largest MTU that is not above this, 0 below 256. */
    public static int mtuCode(int bytes) {
        return bytes < 256 ? 0 : Math.min(5, 24 - Integer.numberOfLeadingZeros(bytes));
    }

    public static SetQpState decode(Message message) {
        message.require(Command.SET_QP_STATE.requestSize(), Command.SET_QP_STATE);
        return new SetQpState(message.i64(0x28), message.i64(0x30), message.i64(0x38), message.i32(0x40),
                message.i32(0x44), message.i32(0x48), message.i32(0x4c), message.i32(0x50), message.i32(0x54),
                message.i32(0x58), message.i32(0x5c), message.i32(0x60), message.i32(0x64), Path.decode(message),
                message.i32(0xa8), message.i32(0xac), message.u8(0xb0), message.u8(0xb1));
    }

    @Override
    public Command command() {
        return Command.SET_QP_STATE;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter).put64(0x30, queuePair).put64(0x38, mask).put32(0x40, state).put32(0x44, mtu)
                .put32(0x48, receivePsn).put32(0x4c, sendPsn).put32(0x50, peer).put32(0x54, inboundReads)
                .put32(0x58, retries).put32(0x5c, rnrRetries).put32(0x60, rnrTimer).put32(0x64, rate)
                .put32(0xa8, queueKey).put32(0xac, access).put8(0xb0, ackTimeout).put8(0xb1, outboundReads);
        path.encode(message);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }

    /**
     * What packets to the peer carry; {@link #NONE} if the mask has no address.
     *
     * @param sourceFamily {@link Gid#IPV4} or {@link Gid#IPV6}
     * @param destinationFamily as the source's
     * @param dscp six bits
     * @param sourcePort of UDP
     * @param destinationPort of UDP, 4791
     * @param flowLabel of IPv6
     */
    public record Path(Gid source, Gid destination, MacAddress sourceMac, MacAddress destinationMac, int sourceFamily,
            int destinationFamily, int hopLimit, int dscp, int sourcePort, int destinationPort, int flowLabel) {
        private static final MacAddress NO_MAC = new MacAddress(0);
        public static final Path NONE = new Path(Gid.NONE, Gid.NONE, NO_MAC, NO_MAC, 0, 0, 0, 0, 0, 0, 0);

        static Path decode(Message message) {
            return new Path(message.reversedGid(0x68), message.reversedGid(0x78), message.reversedMac(0x88),
                    message.reversedMac(0x8e), message.u8(0x94), message.u8(0x95), message.u8(0x96),
                    message.u8(0x97), message.u16(0x98), message.u16(0x9a), message.i32(0x9c));
        }

        void encode(Message message) {
            message.putReversedGid(0x68, source).putReversedGid(0x78, destination).putReversedMac(0x88, sourceMac)
                    .putReversedMac(0x8e, destinationMac).put8(0x94, sourceFamily).put8(0x95, destinationFamily)
                    .put8(0x96, hopLimit).put8(0x97, dscp).put16(0x98, sourcePort).put16(0x9a, destinationPort)
                    .put32(0x9c, flowLabel);
        }
    }
}

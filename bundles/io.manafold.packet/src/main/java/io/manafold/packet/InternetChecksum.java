package io.manafold.packet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The checksum of IPv4, TCP and UDP. A sum under way is a {@code long} that takes whole messages without overflow; it
 * is folded at the end. Sums of pieces computed elsewhere can be added, wherever a piece begins.
 */
public final class InternetChecksum {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private InternetChecksum() {
    }

    /** Adds bytes that begin at an even place of what is summed. */
    public static long add(long sum, byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        for (; end - at >= 8; at += 8) {
            long eight = (long) LONG.get(bytes, at);
            sum += (eight >>> 32) + (eight & 0xffff_ffffL);
        }
        for (; end - at >= 2; at += 2) {
            sum += (short) SHORT.get(bytes, at) & 0xffff;
        }
        if (at < end) {
            sum += (bytes[at] & 0xff) << 8;
        }
        return sum;
    }

    /**
     * Adds the sum of a piece that was summed as if it began at an even place.
     *
     * @param place where the piece begins in what is summed
     */
    public static long addPiece(long sum, long pieceSum, long place) {
        int folded = fold(pieceSum);
        return sum + ((place & 1) == 0 ? folded : (folded & 0xff) << 8 | folded >>> 8);
    }

    /** Adds 16 bits. */
    public static long add16(long sum, int value) {
        return sum + (value & 0xffff);
    }

    /** Down to 16 bits. */
    public static int fold(long sum) {
        long folded = (sum >>> 32) + (sum & 0xffff_ffffL);
        folded = (folded >>> 16) + (folded & 0xffff);
        folded = (folded >>> 16) + (folded & 0xffff);
        folded = (folded >>> 16) + (folded & 0xffff);
        return (int) folded;
    }

    /** What is written into a checksum field. */
    public static int finish(long sum) {
        return ~fold(sum) & 0xffff;
    }

    /** The same for UDP, where 0 would say that there is no checksum. */
    public static int finishUdp(long sum) {
        int checksum = finish(sum);
        return checksum == 0 ? 0xffff : checksum;
    }

    /** Whether a sum over everything, the checksum field included, is that of an undamaged message. */
    public static boolean isGood(long sum) {
        return fold(sum) == 0xffff;
    }

    /**
     * The sum of the pseudo header of IPv4 or IPv6.
     *
     * @param addresses where both addresses begin
     * @param addressBytes of both together: 8 or 32
     * @param length of the transport header and what follows
     */
    public static long pseudoHeader(byte[] bytes, int addresses, int addressBytes, int protocol, int length) {
        return add(protocol + Integer.toUnsignedLong(length), bytes, addresses, addressBytes);
    }
}

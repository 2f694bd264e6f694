package io.manafold.api.fabric;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A burst of complete Ethernet frames by reference, from destination address to payload, without a frame check
 * sequence, with checksums and tags as they are on the wire. Each frame lies in one or more pieces of memory that may
 * belong to a hostile guest: it can change while it is read, so what decides about a bound is read once. Pieces are
 * good only during the call that a burst is passed in.
 */
@ProviderType
public interface Frames {
    /** How many frames there are. */
    int count();

    /** The bytes of a frame. */
    int length(int frame);

    /** Where a frame lies that is in one piece; 0 for others. */
    long whole(int frame);

    /**
     * Whether the sender has read the addresses and the type of a frame in one piece and found those of the frame
     * before it in the burst: what was decided by them for that one holds for this one, whatever the memory says by
     * now. Never of the first frame.
     */
    default boolean repeats(int frame) {
        return false;
    }

    /**
     * Whether a touch of the frames may raise {@link InternalError}, as long as the burst is good. Where it says no,
     * none of their memory can become shorter, and no error has to be awaited.
     */
    default boolean mayVanish() {
        return true;
    }

    /** The bytes of some frames, to {@code to} exclusive. */
    default long bytes(int from, int to) {
        long bytes = 0;
        for (int frame = from; frame < to; frame++) {
            bytes += length(frame);
        }
        return bytes;
    }

    /** How many pieces a frame lies in. */
    int pieces(int frame);

    /** Where a piece lies: an address of this process. */
    long address(int frame, int piece);

    /** The bytes of a piece. */
    int length(int frame, int piece);

    /**
     * What its sender knows about a frame: {@link #IP_GOOD}, {@link #L4_GOOD}, {@link #ICRC_GOOD}, {@link #ICRC_DUE};
     * and from the link itself {@link #PAUSE}.
     */
    int marks(int frame);

    /**
     * Has the sender write what it has left open in some frames, in the memory they lie in. Links call it before they
     * keep or show a frame, and before a plug gets one that has not said that it {@linkplain Plug#takesOpenFrames takes
     * open frames}.
     *
     * @param from the first frame, to {@code to} exclusive
     */
    default void complete(int from, int to) {
    }

    /** Mark: the IPv4 header checksum was computed by the sending port; for IPv6 the same without one. */
    int IP_GOOD = 1;
    /** Mark: the TCP or UDP checksum was computed by the sending port. */
    int L4_GOOD = 2;
    /**
     * Mark: the invariant CRC of a RoCEv2 packet was computed by the sending port, so that a port of ours need not
     * check it again. A link that damages a frame takes all its marks away.
     */
    int ICRC_GOOD = 4;
    /** Mark beside {@link #ICRC_GOOD}: the CRC is not there yet, {@link #complete} has it written. */
    int ICRC_DUE = 16;
    /**
     * Mark: the link itself asks the port to pause. No frame of a port has it, whatever its bytes say, and these may
     * change; so a port obeys no pause frame without it.
     */
    int PAUSE = 8;
}

package io.manafold.roce;

/** Packet sequence numbers: 24 bits that go round. */
public final class Psn {
    /** All bits of a number. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED = 8;

    private Psn() {
    }

    /** The number so many packets later; earlier if negative. */
    public static int add(int psn, int packets) {
        return psn + packets & MASK;
    }

    /** How many packets lie between two numbers, -2^23 to 2^23 - 1; negative if the second is the earlier one. */
    public static int distance(int from, int to) {
        return to - from << UNUSED >> UNUSED;
    }

    public static boolean isBefore(int psn, int other) {
        return distance(psn, other) > 0;
    }

    /** How many packets a message of this length takes; an empty one takes one. */
    public static int packets(int length, int mtu) {
        return length <= mtu ? 1 : (length - 1) / mtu + 1;
    }
}

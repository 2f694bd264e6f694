package io.manafold.roce;

/** The answer in an acknowledgement: three bits of class, five bits of value. */
public final class Syndrome {
    /** All is well, and the requester need not count credits. */
    public static final int ACK = 0x1f;
    /** The receiver is not ready; the low five bits tell for how long. */
    public static final int RNR = 0x20;
    /** A packet is missing; begin again at this one. */
    public static final int NAK_SEQUENCE = 0x60;
    public static final int NAK_INVALID = 0x61;
    public static final int NAK_ACCESS = 0x62;
    public static final int NAK_OPERATIONAL = 0x63;

    private static final int CLASS = 0x60;
    /** The highest bit is reserved. */
    private static final int BITS = 0x7f;

    private Syndrome() {
    }

    public static boolean isAck(int syndrome) {
        return (syndrome & CLASS) == 0;
    }

    public static boolean isRnr(int syndrome) {
        return (syndrome & CLASS) == RNR;
    }

    /** The code of the time that a receiver asks for. */
    public static int timerCode(int syndrome) {
        return syndrome & Timers.CODES - 1;
    }

    /** Without the bit that says nothing. */
    static int known(int syndrome) {
        return syndrome & BITS;
    }
}

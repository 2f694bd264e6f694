package io.manafold.gdma;

/** An entry of a completion queue, 64 bytes, written by the device; what all kinds of completions share. */
public final class CompletionEntry {
    public static final int SIZE = 64;
    /** The bytes before the last word. */
    public static final int BODY = 60;
    /** Work queue, its side and owner bits; written last. */
    public static final int LAST = 0x3c;

    private static final int SEND_SIDE = 1 << 24;

    private CompletionEntry() {
    }

    /** The last word of a completion. */
    public static int last(int workQueue, boolean sendSide, int index, int slots) {
        return workQueue & 0xff_ffff | (sendSide ? SEND_SIDE : 0) | OwnerBits.of(index, slots) << OwnerBits.SHIFT;
    }

    public static int workQueue(int last) {
        return last & 0xff_ffff;
    }

    public static boolean isSendSide(int last) {
        return (last & SEND_SIDE) != 0;
    }

    /** The type in the first word of an Ethernet completion. */
    public static int type(int first) {
        return first & 0x3f;
    }

    /** The client in the first word of an Ethernet completion, always 1. */
    public static int client(int first) {
        return first >>> 6 & 3;
    }

    /** The vendor's error number in the first word of an Ethernet completion. */
    public static int vendorError(int first) {
        return first >>> 8;
    }

    /** The first word of an Ethernet completion. */
    public static int first(int type, int vendorError) {
        return type & 0x3f | 1 << 6 | vendorError << 8;
    }
}

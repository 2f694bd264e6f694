package io.manafold.roce;

/**
 * The first byte of a transport header: what a packet is and which headers follow. Its three highest bits are the
 * transport: 0 reliable connection, 3 datagram, 4 congestion notification.
 *
 * <p>A packet that is the only one of its message is its first and its last at once: {@link #isFirst} and {@link
 * #isLast} hold for it, too; {@link #isMiddle} does not.
 */
public final class Opcode {
    public static final int SEND_FIRST = 0x00;
    public static final int SEND_MIDDLE = 0x01;
    public static final int SEND_LAST = 0x02;
    public static final int SEND_LAST_IMMEDIATE = 0x03;
    public static final int SEND_ONLY = 0x04;
    public static final int SEND_ONLY_IMMEDIATE = 0x05;
    public static final int WRITE_FIRST = 0x06;
    public static final int WRITE_MIDDLE = 0x07;
    public static final int WRITE_LAST = 0x08;
    public static final int WRITE_LAST_IMMEDIATE = 0x09;
    public static final int WRITE_ONLY = 0x0a;
    public static final int WRITE_ONLY_IMMEDIATE = 0x0b;
    public static final int READ_REQUEST = 0x0c;
    public static final int READ_RESPONSE_FIRST = 0x0d;
    public static final int READ_RESPONSE_MIDDLE = 0x0e;
    public static final int READ_RESPONSE_LAST = 0x0f;
    public static final int READ_RESPONSE_ONLY = 0x10;
    public static final int ACKNOWLEDGE = 0x11;
    public static final int ATOMIC_ACKNOWLEDGE = 0x12;
    public static final int COMPARE_SWAP = 0x13;
    public static final int FETCH_ADD = 0x14;
    public static final int SEND_LAST_INVALIDATE = 0x16;
    public static final int SEND_ONLY_INVALIDATE = 0x17;
    public static final int UD_SEND_ONLY = 0x64;
    public static final int UD_SEND_ONLY_IMMEDIATE = 0x65;
    /** Congestion notification; its 16 zero bytes count as an extension header. */
    public static final int CNP = 0x81;

    private static final int ALL = 256;
    /** Opcodes of the reliable connection are those below. */
    private static final int RELIABLE = 0x20;

    private static final int KNOWN = 1;
    private static final int RETH = 1 << 1;
    private static final int AETH = 1 << 2;
    private static final int IMMEDIATE = 1 << 3;
    private static final int INVALIDATE = 1 << 4;
    private static final int DETH = 1 << 5;
    private static final int SEND = 1 << 6;
    private static final int WRITE = 1 << 7;
    private static final int READ_RESPONSE = 1 << 8;
    private static final int REQUEST = 1 << 9;
    private static final int FIRST = 1 << 10;
    private static final int MIDDLE = 1 << 11;
    private static final int LAST = 1 << 12;
    private static final int ONLY = FIRST | LAST;
    /** From here up: bytes of extension headers. */
    private static final int EXTENSION = 16;

    private static final int[] TRAITS = new int[ALL];
    private static final String[] LABELS = new String[ALL];

    static {
        for (int reserved = 0; reserved < RELIABLE; reserved++) {
            TRAITS[reserved] = REQUEST;
        }
        put(SEND_FIRST, "send-first", SEND | REQUEST | FIRST, 0);
        put(SEND_MIDDLE, "send-middle", SEND | REQUEST | MIDDLE, 0);
        put(SEND_LAST, "send-last", SEND | REQUEST | LAST, 0);
        put(SEND_LAST_IMMEDIATE, "send-last-immediate", SEND | REQUEST | LAST | IMMEDIATE, 0);
        put(SEND_ONLY, "send-only", SEND | REQUEST | ONLY, 0);
        put(SEND_ONLY_IMMEDIATE, "send-only-immediate", SEND | REQUEST | ONLY | IMMEDIATE, 0);
        put(SEND_LAST_INVALIDATE, "send-last-invalidate", SEND | REQUEST | LAST | INVALIDATE, 0);
        put(SEND_ONLY_INVALIDATE, "send-only-invalidate", SEND | REQUEST | ONLY | INVALIDATE, 0);
        put(WRITE_FIRST, "write-first", WRITE | REQUEST | FIRST | RETH, 0);
        put(WRITE_MIDDLE, "write-middle", WRITE | REQUEST | MIDDLE, 0);
        put(WRITE_LAST, "write-last", WRITE | REQUEST | LAST, 0);
        put(WRITE_LAST_IMMEDIATE, "write-last-immediate", WRITE | REQUEST | LAST | IMMEDIATE, 0);
        put(WRITE_ONLY, "write-only", WRITE | REQUEST | ONLY | RETH, 0);
        put(WRITE_ONLY_IMMEDIATE, "write-only-immediate", WRITE | REQUEST | ONLY | RETH | IMMEDIATE, 0);
        put(READ_REQUEST, "read-request", REQUEST | ONLY | RETH, 0);
        put(READ_RESPONSE_FIRST, "read-response-first", READ_RESPONSE | FIRST | AETH, 0);
        put(READ_RESPONSE_MIDDLE, "read-response-middle", READ_RESPONSE | MIDDLE, 0);
        put(READ_RESPONSE_LAST, "read-response-last", READ_RESPONSE | LAST | AETH, 0);
        put(READ_RESPONSE_ONLY, "read-response-only", READ_RESPONSE | ONLY | AETH, 0);
        put(ACKNOWLEDGE, "acknowledge", ONLY | AETH, 0);
        put(ATOMIC_ACKNOWLEDGE, "atomic-acknowledge", ONLY | AETH, 8);
        put(COMPARE_SWAP, "compare-swap", REQUEST | ONLY, 28);
        put(FETCH_ADD, "fetch-add", REQUEST | ONLY, 28);
        put(UD_SEND_ONLY, "ud-send-only", SEND | ONLY | DETH, 0);
        put(UD_SEND_ONLY_IMMEDIATE, "ud-send-only-immediate", SEND | ONLY | DETH | IMMEDIATE, 0);
        put(CNP, "cnp", ONLY, 16);
    }

    private Opcode() {
    }

    private static void put(int opcode, String label, int traits, int otherBytes) {
        int bytes = otherBytes + (has(traits, RETH) ? 16 : 0) + (has(traits, AETH) ? 4 : 0)
                + (has(traits, DETH) ? 8 : 0) + (has(traits, IMMEDIATE) ? 4 : 0) + (has(traits, INVALIDATE) ? 4 : 0);
        TRAITS[opcode] = traits | KNOWN | bytes << EXTENSION;
        LABELS[opcode] = label;
    }

    private static boolean has(int traits, int trait) {
        return (traits & trait) != 0;
    }

    private static boolean is(int opcode, int trait) {
        return has(TRAITS[opcode & ALL - 1], trait);
    }

    /** Whether the opcode is one of the constants of this class. */
    public static boolean isKnown(int opcode) {
        return is(opcode, KNOWN);
    }

    /** Whether address, key and length of remote memory follow. */
    public static boolean hasReth(int opcode) {
        return is(opcode, RETH);
    }

    /** Whether syndrome and message number follow. */
    public static boolean hasAeth(int opcode) {
        return is(opcode, AETH);
    }

    public static boolean hasImmediate(int opcode) {
        return is(opcode, IMMEDIATE);
    }

    /** Whether a key to be invalidated follows. */
    public static boolean hasInvalidate(int opcode) {
        return is(opcode, INVALIDATE);
    }

    /** Whether queue key and source queue pair of a datagram follow. */
    public static boolean hasDeth(int opcode) {
        return is(opcode, DETH);
    }

    /** Whether the packet is of a SEND, over a connection or as a datagram. */
    public static boolean isSend(int opcode) {
        return is(opcode, SEND);
    }

    public static boolean isWrite(int opcode) {
        return is(opcode, WRITE);
    }

    public static boolean isReadResponse(int opcode) {
        return is(opcode, READ_RESPONSE);
    }

    /**
     * Whether the packet asks something of the responder of a reliable connection. Reserved opcodes of that transport
     * do, too: the responder has to refuse them.
     */
    public static boolean isRequest(int opcode) {
        return is(opcode, REQUEST);
    }

    /** Whether the packet begins its message; true of an only one. */
    public static boolean isFirst(int opcode) {
        return is(opcode, FIRST);
    }

    /** Whether the message has packets before and after this one. */
    public static boolean isMiddle(int opcode) {
        return is(opcode, MIDDLE);
    }

    /** Whether the packet ends its message; true of an only one. */
    public static boolean isLast(int opcode) {
        return is(opcode, LAST);
    }

    /** Whether the packet is its whole message. */
    public static boolean isOnly(int opcode) {
        return (TRAITS[opcode & ALL - 1] & ONLY) == ONLY;
    }

    /** Bytes between the transport header and the payload. */
    public static int extensionBytes(int opcode) {
        return TRAITS[opcode & ALL - 1] >>> EXTENSION;
    }

    /** As in {@code send-only}; of an unknown one its number. */
    public static String label(int opcode) {
        String label = LABELS[opcode & ALL - 1];
        return label == null ? "0x%02x".formatted(opcode & ALL - 1) : label;
    }
}

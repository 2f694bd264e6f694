package io.manafold.gdma;

/** The completion of an Ethernet send: where its fields are and how a send can end. */
public final class SendCompletion {
    public static final int FIRST = 0x00;
    public static final int DATA_OFFSET = 0x04;
    /** Piece and byte offset of the request concerned. */
    public static final int REQUEST = 0x08;

    public static final int OK = 32;
    public static final int SOURCE_ADDRESS = 33;
    public static final int MTU = 34;
    public static final int INVALID_INLINE = 35;
    public static final int ETHERTYPE = 36;
    public static final int HEADERS = 37;
    public static final int FUNCTION_DISABLED = 38;
    public static final int VPORT_RANGE = 39;
    public static final int VPORT_DISABLED = 40;
    public static final int VLAN = 41;

    private SendCompletion() {
    }

    /** {@link #REQUEST}: which piece, and the request's offset in its ring in units. */
    public static int request(int piece, int unit) {
        return piece & 0x1f | unit << 5;
    }

    /** The request's offset in its ring in units, of {@link #REQUEST}. */
    public static int unit(int request) {
        return request >>> 5;
    }

    /** How it ended, in words. */
    public static String name(int type) {
        return switch (type) {
            case OK -> "ok";
            case SOURCE_ADDRESS -> "source-address";
            case MTU -> "mtu";
            case INVALID_INLINE -> "invalid-oob";
            case ETHERTYPE -> "ethertype";
            case HEADERS -> "headers";
            case FUNCTION_DISABLED -> "function-disabled";
            case VPORT_RANGE -> "vport-range";
            case VPORT_DISABLED -> "vport-disabled";
            case VLAN -> "vlan";
            default -> "completion-" + type;
        };
    }
}

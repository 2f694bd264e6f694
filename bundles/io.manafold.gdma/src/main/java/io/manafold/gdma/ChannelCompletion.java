package io.manafold.gdma;

/** The completion of a hardware-channel request or response: where its fields are. */
public final class ChannelCompletion {
    /** Type and marks. */
    public static final int FLAGS = 0x00;
    public static final int SOURCE = 0x04;
    /** Byte offset of the consumed receive request in its ring. */
    public static final int REQUEST_OFFSET = 0x0c;
    public static final int REQUEST_OFFSET_HIGH = 0x10;
    public static final int CLIENT_DATA = 0x14;
    /** How many bytes of response were written. */
    public static final int LENGTH = 0x18;
    public static final int CHUNK_OFFSET = 0x1c;

    /** Of {@link #FLAGS}: the last of a message. */
    public static final int END_OF_MESSAGE = 1 << 6;
    /** Of {@link #FLAGS}: the first of a message. */
    public static final int START_OF_MESSAGE = 1 << 7;
    /** Of {@link #FLAGS}: the type of a whole message received. */
    public static final int RECEIVED = 1;
    /** Of {@link #FLAGS}: the type of a request sent. */
    public static final int SENT = 32;

    private ChannelCompletion() {
    }
}

package io.manafold.gdma;

/** The inline part of a hardware-channel send request: 24 bytes that tell a device who asks. A device may ignore it. */
public final class ChannelRequest {
    /** In the request: destination receive queue and function. */
    public static final int DESTINATION_QUEUE = 0x10;
    /** In the request: the destination's completion queue. */
    public static final int DESTINATION_COMPLETION = 0x14;
    /** In the request: the sender's completion queue and marks. */
    public static final int SENDER_COMPLETION = 0x18;
    /** In the request: the sender's send queue. */
    public static final int SENDER_QUEUE = 0x1c;

    /** Bytes that a request takes in the send ring: one piece behind the inline part. */
    public static final int SIZE = WorkRequest.size(1, WorkRequest.INLINE_LONG);

    private ChannelRequest() {
    }
}

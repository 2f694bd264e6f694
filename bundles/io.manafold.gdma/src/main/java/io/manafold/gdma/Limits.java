package io.manafold.gdma;

/** Numbers that both sides keep to. */
public final class Limits {
    /** Bytes of a request or response on the hardware channel at most. */
    public static final int MESSAGE = 4096;
    /** Bytes of each bootstrap queue of the hardware channel. */
    public static final int CHANNEL_QUEUE = 4096;
    public static final int MIN_QUEUE = 4096;
    /** Bytes of an Ethernet event queue as drivers make it. */
    public static final int ETHERNET_EVENT_QUEUE = 32768;
    public static final int QUEUES_PER_PORT = 64;
    public static final int DEFAULT_QUEUES = 16;
    public static final int PORTS = 256;
    /** Entries of an indirection table that fit a message. */
    public static final int INDIRECTION = 256;
    /** Entries of an indirection table by its format. */
    public static final int INDIRECTION_FORMAT = 512;
    public static final int DEFAULT_INDIRECTION = 64;
    public static final int HASH_KEY = 40;
    public static final int DEVICES = 64;

    /** Microseconds for which events of a completion queue can be held back. */
    public static final int MODERATION_MICROS = 1023;
    /** Completions for whose sake events of a completion queue can be held back. */
    public static final int MODERATION_FRAMES = 255;

    public static final long NO_REGION = 0;
    public static final long NO_OBJECT = -1;
    /** No protection domain, queue or key. */
    public static final int NO_ID = -1;
    /** Parent of a completion queue without events. */
    public static final int NO_PARENT = 0xffff;

    private Limits() {
    }
}

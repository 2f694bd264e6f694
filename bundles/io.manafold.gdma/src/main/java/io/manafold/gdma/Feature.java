package io.manafold.gdma;

/** Capability flags that driver and device exchange when they verify each other's version. */
public final class Feature {
    public static final long SHARED_EVENT_QUEUES = 1;
    public static final long POLL_RACE_FIXED = 1L << 2;
    /** The device tells how long a command may take. */
    public static final long CHANNEL_TIMEOUT = 1L << 3;
    public static final long LARGE_PAGES = 1L << 4;
    public static final long VARIABLE_INDIRECTION = 1L << 5;
    public static final long LINK_EVENTS = 1L << 6;
    public static final long DEVICE_LIST_HOLES = 1L << 11;
    public static final long DYNAMIC_VECTORS = 1L << 13;
    /** The device holds back events of completion queues as it is told to. */
    public static final long EVENT_MODERATION = 1L << 15;
    public static final long SELF_RESET = 1L << 14;
    public static final long RECONFIGURATION = 1L << 17;
    public static final long STALLED_SEND_RECOVERY = 1L << 18;
    public static final long EVENT_QUEUE_PER_VPORT = 1L << 19;
    public static final long LINEARISES = 1L << 20;
    public static final long PERIODIC_STATISTICS = 1L << 21;
    public static final long PROBE_RECOVERY = 1L << 22;
    public static final long TIMEOUT_RECOVERY = 1L << 25;
    /** The driver makes use of {@link #EVENT_MODERATION}. */
    public static final long MODERATES_EVENTS = 1L << 28;

    /** The page-size flag aside, all of the above: what a driver that keeps to this contract says of itself. */
    public static final long DRIVER = SHARED_EVENT_QUEUES | POLL_RACE_FIXED | CHANNEL_TIMEOUT | VARIABLE_INDIRECTION
            | LINK_EVENTS | DEVICE_LIST_HOLES | DYNAMIC_VECTORS | SELF_RESET | RECONFIGURATION
            | STALLED_SEND_RECOVERY | EVENT_QUEUE_PER_VPORT | LINEARISES | PERIODIC_STATISTICS | PROBE_RECOVERY
            | TIMEOUT_RECOVERY | MODERATES_EVENTS;

    /**
     * Of the fourth word of a device's answer, whose other bits have no meaning yet: it knows the private
     * messages about trees of shapers. A driver that does not look there never meets them.
     */
    public static final long SHAPER_TREES = 1L << 63;

    /** Of the same word: the device tells what each of its ports has counted, in a private message as well. */
    public static final long PORT_STATISTICS = 1L << 62;

    /**
     * Of the first word of the Ethernet device's configuration: one receive completion may tell of up to eight packets,
     * if a driver asks for that.
     */
    public static final long EIGHT_FRAMES = 1L << 5;

    private Feature() {
    }
}

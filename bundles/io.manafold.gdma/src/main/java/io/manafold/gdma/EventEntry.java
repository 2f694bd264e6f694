package io.manafold.gdma;

/** An entry of an event queue, 16 bytes, written by the device: offsets, types, and the words inside. */
public final class EventEntry {
    public static final int SIZE = 16;
    /** First of three words of data. */
    public static final int DATA = 0x00;
    /** Type and owner bits; written last. */
    public static final int LAST = 0x0c;

    /** A completion queue has something: data is its id. */
    public static final int COMPLETION = 3;
    /** Asked for by the command generate-test-event. */
    public static final int TEST = 64;
    /** Hardware channel: id of the event queue and its doorbell page; always first. */
    public static final int CHANNEL_DOORBELL = 129;
    /** Hardware channel: one number of {@link ChannelInit}. */
    public static final int CHANNEL_DATA = 130;
    /** Hardware channel: all is said. */
    public static final int CHANNEL_DONE = 131;
    /** The device's logic is about to be loaded anew. */
    public static final int RECONFIGURATION = 132;
    /** A setting of the running device has changed, see {@link #SOC_TIMEOUT}. */
    public static final int SOC_DATA = 133;
    /** A service of the device comes or goes, see {@link #SERVICE_SUSPEND}. */
    public static final int SOC_SERVICE = 134;
    /** The device asks to be reset. */
    public static final int RESET_REQUEST = 135;
    /** A queue pair has failed: data is its number. */
    public static final int QUEUE_PAIR_FATAL = 176;

    /** Type of {@link #SOC_DATA}: milliseconds that a command may take. */
    public static final int SOC_TIMEOUT = 1;
    /** Type of {@link #SOC_DATA}: the links of all ports are up. */
    public static final int SOC_LINK_UP = 2;
    /** Type of {@link #SOC_DATA}: the links of all ports are down. */
    public static final int SOC_LINK_DOWN = 3;

    /** Type of {@link #SOC_SERVICE}: RDMA is suspended. */
    public static final int SERVICE_SUSPEND = 1;
    /** Type of {@link #SOC_SERVICE}: RDMA goes on. */
    public static final int SERVICE_RESUME = 2;

    private EventEntry() {
    }

    /** The last word of an event. */
    public static int last(int type, int index, int slots) {
        return type & 0xff | OwnerBits.of(index, slots) << OwnerBits.SHIFT;
    }

    public static int type(int last) {
        return last & 0xff;
    }

    /** The completion queue in the data of a {@link #COMPLETION}. */
    public static int completionQueue(int data) {
        return data & 0xff_ffff;
    }

    /** The number of the queue pair in the data of a {@link #QUEUE_PAIR_FATAL}. */
    public static int queuePair(int data) {
        return data & 0xff_ffff;
    }

    /** Data of a {@link #CHANNEL_DOORBELL}. */
    public static int channelDoorbell(int eventQueue, int page) {
        return eventQueue & 0xffff | page << 16;
    }

    /** The event queue in a {@link #CHANNEL_DOORBELL}. */
    public static int channelEventQueue(int data) {
        return data & 0xffff;
    }

    /** The doorbell page in a {@link #CHANNEL_DOORBELL}. */
    public static int channelPage(int data) {
        return data >>> 16;
    }

    /** Data of a {@link #CHANNEL_DATA} or {@link #SOC_DATA}: a type of 8 bits, a value of 24. */
    public static int typed(int type, int value) {
        return value & 0xff_ffff | type << 24;
    }

    public static int dataType(int data) {
        return data >>> 24;
    }

    public static int dataValue(int data) {
        return data & 0xff_ffff;
    }

    /** Data of a {@link #SOC_SERVICE}: a type of 4 bits, a value of 28. */
    public static int service(int type, int value) {
        return value & 0xfff_ffff | type << 28;
    }

    public static int serviceType(int data) {
        return data >>> 28;
    }

    public static int serviceValue(int data) {
        return data & 0xfff_ffff;
    }

    /** The type in words. */
    public static String name(int type) {
        return switch (type) {
            case COMPLETION -> "completion";
            case TEST -> "test";
            case CHANNEL_DOORBELL -> "channel-doorbell";
            case CHANNEL_DATA -> "channel-data";
            case CHANNEL_DONE -> "channel-done";
            case RECONFIGURATION -> "reconfiguration";
            case SOC_DATA -> "soc-data";
            case SOC_SERVICE -> "soc-service";
            case RESET_REQUEST -> "reset-request";
            case QUEUE_PAIR_FATAL -> "queue-pair-fatal";
            default -> "event-" + type;
        };
    }
}

package io.manafold.gdma;

/** The numbers that a device tells while the hardware channel comes up: types of {@link EventEntry#CHANNEL_DATA}. */
public final class ChannelInit {
    public static final int COMPLETION_QUEUE = 1;
    public static final int RECEIVE_QUEUE = 2;
    public static final int SEND_QUEUE = 3;
    /** How many requests may be outstanding. */
    public static final int DEPTH = 4;
    public static final int MAX_REQUEST = 5;
    public static final int MAX_RESPONSE = 6;
    /** Every id of a completion queue is below it. */
    public static final int COMPLETION_QUEUES = 7;
    public static final int PROTECTION_DOMAIN = 8;
    /** The key of every scatter-gather entry on the channel. */
    public static final int MEMORY_KEY = 9;
    public static final int PF_RECEIVE_QUEUE = 10;
    public static final int PF_COMPLETION_QUEUE = 11;

    private ChannelInit() {
    }
}

package io.manafold.gdma;

/** Attributes of a queue pair as bits of the mask of {@link io.manafold.gdma.message.SetQpState}. */
public final class QpAttribute {
    public static final int STATE = 1;
    public static final int CURRENT_STATE = 1 << 1;
    public static final int DRAIN_NOTIFY = 1 << 2;
    public static final int ACCESS = 1 << 3;
    public static final int PARTITION = 1 << 4;
    public static final int PORT = 1 << 5;
    public static final int QUEUE_KEY = 1 << 6;
    public static final int PATH = 1 << 7;
    public static final int MTU = 1 << 8;
    public static final int ACK_TIMEOUT = 1 << 9;
    public static final int RETRIES = 1 << 10;
    public static final int RNR_RETRIES = 1 << 11;
    public static final int RECEIVE_PSN = 1 << 12;
    public static final int OUTBOUND_READS = 1 << 13;
    public static final int ALTERNATE_PATH = 1 << 14;
    public static final int RNR_TIMER = 1 << 15;
    public static final int SEND_PSN = 1 << 16;
    public static final int INBOUND_READS = 1 << 17;
    public static final int MIGRATION = 1 << 18;
    public static final int CAPABILITIES = 1 << 19;
    public static final int PEER = 1 << 20;
    public static final int RATE_LIMIT = 1 << 25;

    private static final String[] NAMES = {"state", "current-state", "drain-notify", "access", "partition", "port",
        "queue-key", "path", "mtu", "ack-timeout", "retries", "rnr-retries", "receive-psn", "outbound-reads",
        "alternate-path", "rnr-timer", "send-psn", "inbound-reads", "migration", "capabilities", "peer"};

    private QpAttribute() {
    }

    /** The attributes of a mask in words, {@code state port}; an unknown one by its bit. */
    public static String names(long mask) {
        StringBuilder names = new StringBuilder();
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int bit = Long.numberOfTrailingZeros(rest);
            names.append(names.isEmpty() ? "" : " ").append(bit < NAMES.length ? NAMES[bit]
                    : 1L << bit == RATE_LIMIT ? "rate-limit" : "bit-" + bit);
        }
        return names.toString();
    }
}

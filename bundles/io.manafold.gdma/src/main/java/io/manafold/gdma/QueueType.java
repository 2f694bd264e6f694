package io.manafold.gdma;

/** The kinds of queues as commands number them. */
public final class QueueType {
    public static final int SEND = 1;
    public static final int RECEIVE = 2;
    public static final int COMPLETION = 3;
    public static final int EVENT = 4;

    private QueueType() {
    }

    /** The kind in words. */
    public static String name(int type) {
        return switch (type) {
            case SEND -> "send queue";
            case RECEIVE -> "receive queue";
            case COMPLETION -> "completion queue";
            case EVENT -> "event queue";
            default -> "queue of type " + type;
        };
    }
}

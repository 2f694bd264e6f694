package io.manafold.testpmd.internal;

/** Prints packets as cores receive and send them, for as long as the level asks for it. */
final class PacketPrinter {
    private static final int RECEIVED = 1;
    private static final int SENT = 2;
    /** Characters that wait to be read; the rest is counted, so that a busy port costs no memory. */
    private static final int MOST_WAITING = 1 << 18;

    private volatile int level;
    private final StringBuilder waiting = new StringBuilder();
    private long left;

    int level() {
        return level;
    }

    /** @param wanted 1 for packets that are received, 2 for those that are sent, more for both, 0 for none */
    void level(int wanted) {
        level = wanted;
    }

    boolean printsReceived() {
        return level == RECEIVED || level > SENT;
    }

    boolean printsSent() {
        return level >= SENT;
    }

    void received(Route route, int[] packets, int count) {
        if (count > 0) {
            print(route.from().number(), route.fromQueue(), true, packets, 0, count);
        }
    }

    void sent(Route route, int[] packets, int from, int count) {
        if (count > 0) {
            print(route.to().number(), route.toQueue(), false, packets, from, count);
        }
    }

    private synchronized void print(int port, int queue, boolean received, int[] packets, int from, int count) {
        if (waiting.length() > MOST_WAITING) {
            left += count;
            return;
        }
        waiting.append("port %d/queue %d: %s %d packets\n".formatted(port, queue, received ? "received" : "sent",
                count));
        for (int i = from; i < from + count; i++) {
            PacketText.append(waiting, packets[i], queue, received);
        }
    }

    /** What was printed since this was asked last. */
    synchronized String told() {
        if (left > 0) {
            waiting.append(left).append(" more packets came faster than they could be printed.\n");
            left = 0;
        }
        String text = waiting.toString();
        waiting.setLength(0);
        return text;
    }
}

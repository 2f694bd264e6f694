package io.manafold.testpmd.internal;

/**
 * A neighbour of little rest: besides forwarding it lets packets wait in a queue of its own and touches memory at
 * random.
 */
final class Noisy extends ForwardStream {
    private static final long MEGABYTE = 1L << 20;

    private final Mode besides;
    private final long both;
    private final int rest;
    private final int[] waiting;
    private final long flushNanos;
    private final byte[] memory;
    private final int writes;
    private final int reads;
    private int first;
    private int held;
    private long lastSend = System.nanoTime();
    private long random = 0x9e37_79b9_7f4a_7c15L;
    private int sink;

    Noisy(Route route) {
        super(route);
        Settings settings = route.settings();
        besides = settings.noisyMode;
        both = Addresses.first(route);
        rest = Addresses.rest(route);
        waiting = new int[settings.noisyBuffer];
        flushNanos = settings.noisyFlushMillis * 1_000_000L;
        memory = new byte[(int) (settings.noisyMegabytes * MEGABYTE)];
        writes = settings.noisyWrites;
        reads = settings.noisyReads;
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            change(count);
            touch(count);
            if (waiting.length == 0) {
                send(packets, 0, count);
            } else {
                queue(count);
            }
        } else if (held > 0 && flushNanos > 0 && System.nanoTime() - lastSend >= flushNanos) {
            sendOldest(held);
        }
        return count;
    }

    @Override
    boolean keeps() {
        return waiting.length > 0;
    }

    private void change(int count) {
        switch (besides) {
            case MAC -> Addresses.set(packets, 0, count, both, rest);
            case MACSWAP -> Addresses.swap(packets, 0, count);
            case FIVE_TUPLE_SWAP -> Addresses.swapAll(packets, 0, count);
            default -> { }
        }
    }

    private void touch(int count) {
        if (memory.length == 0) {
            return;
        }
        for (int i = count * writes; i > 0; i--) {
            memory[anywhere()] = (byte) i;
        }
        int sum = 0;
        for (int i = count * reads; i > 0; i--) {
            sum += memory[anywhere()];
        }
        sink = sum;
    }

    private int anywhere() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) Long.remainderUnsigned(random, memory.length);
    }

    /** The new ones wait; as many of the oldest go as have no place. */
    private void queue(int count) {
        int over = held + count - waiting.length;
        if (over > 0) {
            sendOldest(Math.min(over, held));
        }
        int direct = Math.max(0, count - waiting.length);
        if (direct > 0) {
            send(packets, 0, direct);
        }
        for (int i = direct; i < count; i++) {
            waiting[(first + held++) % waiting.length] = packets[i];
        }
    }

    private void sendOldest(int count) {
        int left = count;
        while (left > 0) {
            int run = Math.min(left, waiting.length - first);
            send(waiting, first, run);
            first = (first + run) % waiting.length;
            held -= run;
            left -= run;
        }
        lastSend = System.nanoTime();
    }

    /** What it has read, so that reading is not left out. */
    int sink() {
        return sink;
    }

    @Override
    void end() {
        while (held > 0) {
            int run = Math.min(held, waiting.length - first);
            drop(waiting, first, run);
            first = (first + run) % waiting.length;
            held -= run;
        }
    }
}

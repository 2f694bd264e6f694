package io.manafold.sockets.internal.uring;

/** What a request is called in the ring: its kind, whose it is, and a number of the owner's. */
final class Tags {
    static final int WAKE = 1;
    static final int CONNECT = 2;
    static final int SEND = 3;
    static final int RECEIVE = 4;
    static final int POOL = 5;
    static final int ACCEPT = 6;
    /** Of a cancellation: nothing comes of it. */
    static final int CANCEL = 7;
    /** Of a slot of registered memory: the kernel has let go. */
    static final int SLOT = 8;

    private Tags() {
    }

    /** @param number of 16 bits */
    static long of(int kind, int owner, int number) {
        return (long) kind << 56 | (long) (number & 0xffff) << 32 | owner & 0xffff_ffffL;
    }

    static int kind(long tag) {
        return (int) (tag >>> 56);
    }

    static int owner(long tag) {
        return (int) tag;
    }

    static int number(long tag) {
        return (int) (tag >>> 32) & 0xffff;
    }
}

package io.manafold.gdma;

/**
 * The 8-byte words that a driver writes into a doorbell page: which slot for which kind of queue, and what is in the
 * word.
 */
public final class Doorbell {
    /** Slot of send queues. */
    public static final int SEND = 0x000;
    /** Slot of receive queues. */
    public static final int RECEIVE = 0x400;
    /** Slot of completion queues. */
    public static final int COMPLETION = 0x800;
    /** Slot of event queues. */
    public static final int EVENT = 0xff8;

    private static final long ARM = 1L << 63;

    private Doorbell() {
    }

    /** A send or receive queue's word: how many bytes were ever produced, modulo 2^32. */
    public static long work(int queue, int producedBytes) {
        return (queue & 0xff_ffffL) | (long) producedBytes << 32;
    }

    /** A completion queue's word. */
    public static long completion(int queue, int consumerIndex, boolean arm) {
        return (queue & 0xff_ffffL) | (consumerIndex & 0x7fff_ffffL) << 32 | (arm ? ARM : 0);
    }

    /** An event queue's word. */
    public static long event(int queue, int consumerIndex, boolean arm) {
        return (queue & 0xffffL) | (consumerIndex & 0x7fff_ffffL) << 32 | (arm ? ARM : 0);
    }

    /** The id in the word of a send, receive or completion queue. */
    public static int queue(long word) {
        return (int) word & 0xff_ffff;
    }

    /** The id in the word of an event queue. */
    public static int eventQueue(long word) {
        return (int) word & 0xffff;
    }

    /** The top byte of a receive queue's id half, always 0 from a driver that keeps to the contract. */
    public static int workRequestCount(long word) {
        return (int) word >>> 24;
    }

    /** Bytes produced, modulo 2^32. */
    public static int producedBytes(long word) {
        return (int) (word >>> 32);
    }

    /** The index in the word of a completion or event queue: 31 bits. */
    public static int consumerIndex(long word) {
        return (int) (word >>> 32) & 0x7fff_ffff;
    }

    public static boolean arms(long word) {
        return word < 0;
    }
}

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
    /** Slot where a reliable queue pair asks to be told when a packet has been acknowledged. */
    public static final int ACKNOWLEDGED = 0x408;
    /** Slot of completion queues. */
    public static final int COMPLETION = 0x800;
    /** Slot where a driver says how a completion queue's events are held back. */
    public static final int MODERATION = 0x820;
    /** Slot of event queues. */
    public static final int EVENT = 0xff8;

    private static final long ARM = 1L << 63;
    private static final long MICROS_MEANT = 1L << 47;
    private static final long FRAMES_MEANT = 1L << 63;

    private Doorbell() {
    }

    /** A send or receive queue's word: how many bytes were ever produced, modulo 2^32. */
    public static long work(int queue, int producedBytes) {
        return (queue & 0xff_ffffL) | (long) producedBytes << 32;
    }

    /** A receive queue's word with the number of requests that are new; a device does not depend on the number. */
    public static long receive(int queue, int producedBytes, int requests) {
        return work(queue, producedBytes) | (requests & 0xffL) << 24;
    }

    /** The word for {@link #ACKNOWLEDGED}: by the receive requester's id, told once this packet or a later one is. */
    public static long acknowledged(int receiveRequester, int psn) {
        return receiveRequester & 0xff_ffffL | 1 << 24 | (psn & 0xff_ffffL) << 32;
    }

    /** A completion queue's word. */
    public static long completion(int queue, int consumerIndex, boolean arm) {
        return (queue & 0xff_ffffL) | (consumerIndex & 0x7fff_ffffL) << 32 | (arm ? ARM : 0);
    }

    /** An event queue's word. */
    public static long event(int queue, int consumerIndex, boolean arm) {
        return (queue & 0xffffL) | (consumerIndex & 0x7fff_ffffL) << 32 | (arm ? ARM : 0);
    }

    /**
     * The word for {@link #MODERATION}: an event of a completion queue waits until a time has passed since the one
     * before, or so many completions have not been consumed.
     *
     * @param micros up to {@link Limits#MODERATION_MICROS}
     * @param frames up to {@link Limits#MODERATION_FRAMES}
     */
    public static long moderation(int queue, int micros, int frames) {
        return queue & 0xff_ffffL | (micros & 0x3ffL) << 32 | MICROS_MEANT | (frames & 0xffL) << 48 | FRAMES_MEANT;
    }

    /** The microseconds in the word of {@link #MODERATION}, −1 if they stay as they are. */
    public static int moderationMicros(long word) {
        return (word & MICROS_MEANT) == 0 ? -1 : (int) (word >>> 32) & 0x3ff;
    }

    /** The completions in the word of {@link #MODERATION}, −1 if they stay as they are. */
    public static int moderationFrames(long word) {
        return (word & FRAMES_MEANT) == 0 ? -1 : (int) (word >>> 48) & 0xff;
    }

    /** The id in the word of a send, receive or completion queue. */
    public static int queue(long word) {
        return (int) word & 0xff_ffff;
    }

    /** The id in the word of an event queue. */
    public static int eventQueue(long word) {
        return (int) word & 0xffff;
    }

    /** The top byte of a receive queue's id half: how many requests are new, or 0 from drivers that do not count. */
    public static int workRequestCount(long word) {
        return (int) word >>> 24;
    }

    /** The packet in the word of {@link #ACKNOWLEDGED}. */
    public static int psn(long word) {
        return (int) (word >>> 32) & 0xff_ffff;
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

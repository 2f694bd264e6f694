package io.manafold.uring;

import io.manafold.memory.RawMemory;

/**
 * What a ring is asked for again and again: the words of a request that stay the same. Address, length and tag come
 * when it is asked. Descriptors are numbers, and it is the caller who keeps them open.
 *
 * @param head operation, its flags, how it is done, and the descriptor
 * @param offset second address or its length
 * @param flags flags of the operation, in the upper half
 * @param tail buffer slot or group, in the lowest 16 bits, and the number of an area in the upper half
 */
public record Request(long head, long offset, long flags, long tail) {
    /** Bytes of a request in a ring. */
    static final int BYTES = 64;

    /** Tells the kernel to go on until all bytes are sent or come. */
    public static final int ALL = 0x100;
    /** No signal if the peer is gone. */
    public static final int NO_SIGNAL = 0x4000;

    private static final int NOP = 0;
    private static final int POLL_ADD = 6;
    private static final int SENDMSG = 9;
    private static final int RECVMSG = 10;
    private static final int ACCEPT = 13;
    private static final int CANCEL = 14;
    private static final int CONNECT = 16;
    private static final int CLOSE = 19;
    private static final int READ = 22;
    private static final int SEND = 26;
    private static final int RECEIVE = 27;
    private static final int SHUTDOWN = 34;
    private static final int SEND_ZC = 47;
    private static final int SENDMSG_ZC = 48;
    private static final int RECEIVE_ZC = 58;

    private static final int FROM_GROUP = 1 << 5;
    private static final int QUIET = 1 << 6;
    private static final int MULTISHOT = 1 << 1;
    private static final int FIXED = 1 << 2;
    private static final int REPORT_USAGE = 1 << 3;
    private static final int BUNDLE = 1 << 4;
    private static final int ACCEPT_MULTISHOT = 1;
    private static final int CANCEL_ALL = 1;
    private static final int CANCEL_BY_DESCRIPTOR = 2;
    private static final int POLL_MULTISHOT = 1;
    private static final int CLOSE_ON_EXEC = 0x80000;

    private static Request of(int operation, int flags, int how, int descriptor) {
        return new Request(operation | (long) flags << 8 | (long) how << 16 | (long) descriptor << 32, 0, 0, 0);
    }

    private Request flagged(int operationFlags) {
        return new Request(head, offset, (long) operationFlags << 32, tail);
    }

    private Request with(int slotOrGroup) {
        return new Request(head, offset, flags, slotOrGroup & 0xffff);
    }

    /** Nothing, to see that a ring works. */
    public static Request nothing() {
        return of(NOP, 0, 0, -1);
    }

    /** Sends bytes, copied. */
    public static Request send(int descriptor, int messageFlags) {
        return of(SEND, 0, 0, descriptor).flagged(messageFlags);
    }

    /** Sends bytes of a slot of the {@link BufferTable}, copied; not every kernel has that. */
    public static Request sendRegistered(int descriptor, int messageFlags, int slot) {
        return of(SEND, 0, FIXED, descriptor).flagged(messageFlags).with(slot);
    }

    /** Sends bytes where they lie. A second completion says when they may change, and whether the kernel copied. */
    public static Request sendZeroCopy(int descriptor, int messageFlags) {
        return of(SEND_ZC, 0, REPORT_USAGE, descriptor).flagged(messageFlags);
    }

    /** As {@link #sendZeroCopy}, from a slot of the {@link BufferTable}. */
    public static Request sendZeroCopyRegistered(int descriptor, int messageFlags, int slot) {
        return of(SEND_ZC, 0, REPORT_USAGE | FIXED, descriptor).flagged(messageFlags).with(slot);
    }

    /** Sends what a {@link GatherList} names, copied; the length is 1. */
    public static Request sendGathered(int descriptor, int messageFlags) {
        return of(SENDMSG, 0, 0, descriptor).flagged(messageFlags);
    }

    /** As {@link #sendGathered}, where the bytes lie, with a second completion. */
    public static Request sendGatheredZeroCopy(int descriptor, int messageFlags) {
        return of(SENDMSG_ZC, 0, REPORT_USAGE, descriptor).flagged(messageFlags);
    }

    /**
     * As {@link #sendGatheredZeroCopy}, all of it in one slot of the {@link BufferTable}; not every kernel has that.
     */
    public static Request sendGatheredZeroCopyRegistered(int descriptor, int messageFlags, int slot) {
        return of(SENDMSG_ZC, 0, REPORT_USAGE | FIXED, descriptor).flagged(messageFlags).with(slot);
    }

    /** Sends what is in a {@link BufferRing} at that moment, in its order; address and length are 0. */
    public static Request sendBundle(int descriptor, int messageFlags, int group) {
        return of(SEND, FROM_GROUP, BUNDLE, descriptor).flagged(messageFlags).with(group);
    }

    /** Receives what is there, once. */
    public static Request receive(int descriptor, int messageFlags) {
        return of(RECEIVE, 0, 0, descriptor).flagged(messageFlags);
    }

    /** Receives into what a {@link GatherList} names, once; the length is 1. */
    public static Request receiveScattered(int descriptor, int messageFlags) {
        return of(RECVMSG, 0, 0, descriptor).flagged(messageFlags);
    }

    /**
     * Receives into buffers of a {@link BufferRing} again and again, until a completion has no {@link Ring#MORE};
     * address and length are 0.
     *
     * @param bundle whether one completion may stand for several buffers
     */
    public static Request receiveOnAndOn(int descriptor, int group, boolean bundle) {
        return of(RECEIVE, FROM_GROUP, MULTISHOT | (bundle ? BUNDLE : 0), descriptor).with(group);
    }

    /**
     * Receives into pages of a {@link ReceiveArea} again and again, until a completion has no {@link Ring#MORE};
     * address and length are 0.
     */
    public static Request receiveIntoArea(int descriptor, int area) {
        Request plain = of(RECEIVE_ZC, 0, MULTISHOT, descriptor);
        return new Request(plain.head, 0, 0, (long) area << 32);
    }

    /** Receives into buffers of a {@link BufferRing} once. */
    public static Request receiveFromGroup(int descriptor, int group, boolean bundle) {
        return of(RECEIVE, FROM_GROUP, bundle ? BUNDLE : 0, descriptor).with(group);
    }

    /** Accepts one connection; the result is its descriptor. */
    public static Request accept(int descriptor) {
        return of(ACCEPT, 0, 0, descriptor).flagged(CLOSE_ON_EXEC);
    }

    /** Accepts again and again, until a completion has no {@link Ring#MORE}. */
    public static Request acceptOnAndOn(int descriptor) {
        return of(ACCEPT, 0, ACCEPT_MULTISHOT, descriptor).flagged(CLOSE_ON_EXEC);
    }

    /** Connects to an address that lies where the request says; its length is 0. */
    public static Request connect(int descriptor, int addressBytes) {
        Request plain = of(CONNECT, 0, 0, descriptor);
        return new Request(plain.head, addressBytes, 0, 0);
    }

    /** Cancels the request whose tag is given as address. Says nothing if there was one. */
    public static Request cancel() {
        return of(CANCEL, QUIET, 0, -1);
    }

    /** Cancels all requests on a descriptor. */
    public static Request cancelAll(int descriptor) {
        return of(CANCEL, 0, 0, descriptor).flagged(CANCEL_BY_DESCRIPTOR | CANCEL_ALL);
    }

    /** Ends the direction that is given as length: 0 receiving, 1 sending, 2 both. */
    public static Request shutdown(int descriptor) {
        return of(SHUTDOWN, 0, 0, descriptor);
    }

    /** Closes a descriptor. */
    public static Request close(int descriptor) {
        return of(CLOSE, 0, 0, descriptor);
    }

    /** Reads once, from wherever the file is. */
    public static Request read(int descriptor) {
        return new Request(of(READ, 0, 0, descriptor).head, -1, 0, 0);
    }

    /** Says when a descriptor can be read, again and again; the length says so. */
    public static Request readable(int descriptor) {
        return of(POLL_ADD, 0, 0, descriptor).flagged(1);
    }

    /** The length to ask {@link #readable} with, to hear of it again and again. */
    public static final int AGAIN = POLL_MULTISHOT;

    /** Writes all 64 bytes of it. */
    void put(long slot, long address, int length, long tag) {
        put(slot, tail, address, length, tag);
    }

    /** As {@link #put(long, long, int, long)}, with another buffer slot. */
    void put(long slot, long buffer, long address, int length, long tag) {
        RawMemory.put64(slot, head);
        RawMemory.put64(slot + 8, offset);
        RawMemory.put64(slot + 16, address);
        RawMemory.put64(slot + 24, flags | length & 0xffff_ffffL);
        RawMemory.put64(slot + 32, tag);
        RawMemory.put64(slot + 40, buffer);
        RawMemory.put64(slot + 48, 0);
        RawMemory.put64(slot + 56, 0);
    }
}

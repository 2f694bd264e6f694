package io.manafold.vfio.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;

/** The reply in the making: one object for a whole session. Offsets count from the end of the header. */
final class Answer {
    private static final int ROOM = 1 << 13;

    private ByteBuffer bytes = room(ROOM);
    private int size;
    private CompletableFuture<Void> awaited;

    private static ByteBuffer room(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Begins the reply to a request, without a body. */
    void begin(Request request) {
        awaited = null;
        size = VfioUser.HEADER;
        bytes.putShort(VfioUser.ID, (short) request.id());
        bytes.putShort(VfioUser.COMMAND, (short) request.command());
        bytes.putInt(VfioUser.FLAGS, VfioUser.TYPE_REPLY);
        bytes.putInt(VfioUser.ERROR, 0);
    }

    /** Makes the body so long; it is to be filled wholly. */
    void body(int length) {
        size = VfioUser.HEADER + length;
        if (size > bytes.capacity()) {
            bytes = room(size).put(0, bytes, 0, VfioUser.HEADER);
        }
    }

    /** Makes it the reply that says no. */
    void refuse(int errno) {
        refuse(bytes, errno);
        size = VfioUser.HEADER;
        awaited = null;
    }

    /** Turns a whole reply into the one that says no; it is its header alone then. */
    static void refuse(ByteBuffer reply, int errno) {
        reply.putInt(VfioUser.SIZE, VfioUser.HEADER);
        reply.putInt(VfioUser.FLAGS, VfioUser.TYPE_REPLY | VfioUser.FLAG_ERROR);
        reply.putInt(VfioUser.ERROR, errno);
    }

    /** The reply may go when this has completed, and says no if it fails. */
    void await(CompletableFuture<Void> completion) {
        awaited = completion;
    }

    CompletableFuture<Void> awaited() {
        return awaited;
    }

    void putInt(int offset, int value) {
        bytes.putInt(VfioUser.HEADER + offset, value);
    }

    void putLong(int offset, long value) {
        bytes.putLong(VfioUser.HEADER + offset, value);
    }

    void put(int offset, byte[] value) {
        bytes.put(VfioUser.HEADER + offset, value);
    }

    /** Copies the first bytes of a request's body. */
    void echo(Request request, int length) {
        bytes.put(VfioUser.HEADER, request.buffer(), request.bodyAt(), length);
    }

    /** Where the body begins in {@link #bytes}. */
    int bodyAt() {
        return VfioUser.HEADER;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** The finished message, of {@link #size} bytes. */
    byte[] message() {
        bytes.putInt(VfioUser.SIZE, size);
        return bytes.array();
    }

    int size() {
        return size;
    }
}

package io.manafold.vfio.internal.borrow;

import io.manafold.vfio.internal.protocol.VfioUser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A request that is being built. Offsets count from the end of the header. */
final class RequestBuilder {
    private static final int[] NONE = {};

    private final ByteBuffer bytes;
    private int[] descriptors = NONE;

    RequestBuilder(int command, int bodySize) {
        bytes = ByteBuffer.allocate(VfioUser.HEADER + bodySize).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(VfioUser.COMMAND, (short) command).putInt(VfioUser.SIZE, bytes.capacity());
    }

    RequestBuilder putInt(int offset, int value) {
        bytes.putInt(VfioUser.HEADER + offset, value);
        return this;
    }

    RequestBuilder putLong(int offset, long value) {
        bytes.putLong(VfioUser.HEADER + offset, value);
        return this;
    }

    RequestBuilder put(int offset, byte[] value) {
        bytes.put(VfioUser.HEADER + offset, value);
        return this;
    }

    /** Sends a descriptor along, which stays the caller's. */
    RequestBuilder with(int descriptor) {
        descriptors = new int[] {descriptor};
        return this;
    }

    RequestBuilder named(int id) {
        bytes.putShort(VfioUser.ID, (short) id);
        return this;
    }

    int command() {
        return bytes.getShort(VfioUser.COMMAND);
    }

    String name() {
        return VfioUser.name(command());
    }

    int getInt(int offset) {
        return bytes.getInt(VfioUser.HEADER + offset);
    }

    long getLong(int offset) {
        return bytes.getLong(VfioUser.HEADER + offset);
    }

    byte[] message() {
        return bytes.array();
    }

    int[] descriptors() {
        return descriptors;
    }
}

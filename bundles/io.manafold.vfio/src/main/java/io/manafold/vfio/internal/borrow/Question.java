package io.manafold.vfio.internal.borrow;

import io.manafold.vfio.internal.protocol.VfioUser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A request in the making. Offsets count from the end of the header. */
final class Question {
    private static final int[] NONE = {};

    private final ByteBuffer bytes;
    private int[] descriptors = NONE;

    Question(int command, int bodySize) {
        bytes = ByteBuffer.allocate(VfioUser.HEADER + bodySize).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(VfioUser.COMMAND, (short) command).putInt(VfioUser.SIZE, bytes.capacity());
    }

    Question putInt(int offset, int value) {
        bytes.putInt(VfioUser.HEADER + offset, value);
        return this;
    }

    Question putLong(int offset, long value) {
        bytes.putLong(VfioUser.HEADER + offset, value);
        return this;
    }

    Question put(int offset, byte[] value) {
        bytes.put(VfioUser.HEADER + offset, value);
        return this;
    }

    /** Sends a descriptor along, which stays the caller's. */
    Question with(int descriptor) {
        descriptors = new int[] {descriptor};
        return this;
    }

    Question named(int id) {
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

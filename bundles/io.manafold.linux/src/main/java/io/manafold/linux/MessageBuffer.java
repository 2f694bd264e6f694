package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One message of a socket with some descriptors: header, vector, control part and bytes in one block, as the
 * kernel wants them on 64-bit machines. Freed when no reference to it is left.
 */
final class MessageBuffer {
    private static final int VECTOR = 64;
    private static final int CONTROL = 80;
    private static final int CONTROL_HEADER = 16;

    private static final int HEADER_VECTOR = 16;
    private static final int HEADER_VECTORS = 24;
    private static final int HEADER_CONTROL = 32;
    private static final int HEADER_CONTROL_LENGTH = 40;
    private static final int HEADER_FLAGS = 48;

    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CTRUNC = 8;

    private final MemorySegment block;
    private final int capacity;
    private final int controlLength;
    private final int data;

    MessageBuffer(int capacity, int mostDescriptors) {
        this.capacity = capacity;
        controlLength = CONTROL_HEADER + 4 * (mostDescriptors + 1 & -2);
        data = CONTROL + controlLength;
        block = Arena.ofAuto().allocate(data + capacity, 16);
        block.set(JAVA_LONG, HEADER_VECTOR, block.address() + VECTOR);
        block.set(JAVA_LONG, HEADER_VECTORS, 1);
        block.set(JAVA_LONG, HEADER_CONTROL, block.address() + CONTROL);
        block.set(JAVA_LONG, VECTOR, block.address() + data);
    }

    int capacity() {
        return capacity;
    }

    /** The header's address, good for as long as this object is reachable. */
    long address() {
        return block.address();
    }

    /** Before each receiving call, for the kernel writes over what it is given. */
    void expect(int most) {
        block.set(JAVA_LONG, VECTOR + 8, most);
        block.set(JAVA_LONG, HEADER_CONTROL_LENGTH, controlLength);
        block.set(JAVA_INT, HEADER_FLAGS, 0);
    }

    void offer(byte[] from, int offset, int length, int[] descriptors) {
        MemorySegment.copy(from, offset, block, JAVA_BYTE, data, length);
        block.set(JAVA_LONG, VECTOR + 8, length);
        block.set(JAVA_INT, HEADER_FLAGS, 0);
        int count = descriptors.length;
        block.set(JAVA_LONG, HEADER_CONTROL_LENGTH, count == 0 ? 0 : CONTROL_HEADER + 4 * (count + 1 & -2));
        if (count > 0) {
            block.set(JAVA_LONG, CONTROL, CONTROL_HEADER + 4L * count);
            block.set(JAVA_INT, CONTROL + 8, SocketCalls.SOL_SOCKET);
            block.set(JAVA_INT, CONTROL + 12, SCM_RIGHTS);
            for (int i = 0; i < count; i++) {
                block.set(JAVA_INT, CONTROL + CONTROL_HEADER + 4L * i, descriptors[i]);
            }
        }
    }

    void take(byte[] into, int offset, int length) {
        MemorySegment.copy(block, JAVA_BYTE, data, into, offset, length);
    }

    /** Gives each descriptor that came an owner. Answers false if more came than were let in. */
    boolean descriptors(List<Descriptor> into) {
        long end = Math.min(block.get(JAVA_LONG, HEADER_CONTROL_LENGTH), controlLength);
        long at = 0;
        while (end - at >= CONTROL_HEADER) {
            long length = block.get(JAVA_LONG, CONTROL + at);
            if (length < CONTROL_HEADER || length > end - at) {
                break;
            }
            if (block.get(JAVA_INT, CONTROL + at + 8) == SocketCalls.SOL_SOCKET
                    && block.get(JAVA_INT, CONTROL + at + 12) == SCM_RIGHTS) {
                for (long i = CONTROL_HEADER; i + 4 <= length; i += 4) {
                    into.add(new Descriptor(block.get(JAVA_INT, CONTROL + at + i)));
                }
            }
            at += length + 7 & -8;
        }
        return (block.get(JAVA_INT, HEADER_FLAGS) & MSG_CTRUNC) == 0;
    }
}

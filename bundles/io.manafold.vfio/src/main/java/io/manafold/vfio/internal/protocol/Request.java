package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import java.nio.ByteBuffer;

/**
 * A message as it lies in the receive buffer, valid until the next one is asked for. Offsets count from the end of the
 * header. One object serves a whole session: doorbells come by the hundred thousand. The side that borrows reads
 * answers with it.
 */
public final class Request {
    private final Descriptor[] descriptors = new Descriptor[VfioUser.MAX_DESCRIPTORS];
    private int descriptorCount;
    private ByteBuffer bytes;
    private int at;
    private int bodySize;

    /** Points at the next message; the descriptors of the one before must have been closed. */
    void point(ByteBuffer buffer, int start, int size) {
        bytes = buffer;
        at = start;
        bodySize = size - VfioUser.HEADER;
    }

    /** Gives the message a descriptor; it has at most as many as come at once. */
    void attach(Descriptor descriptor) {
        descriptors[descriptorCount++] = descriptor;
    }

    public int id() {
        return bytes.getShort(at + VfioUser.ID) & 0xffff;
    }

    public int command() {
        return bytes.getShort(at + VfioUser.COMMAND) & 0xffff;
    }

    public int flags() {
        return bytes.getInt(at + VfioUser.FLAGS);
    }

    /** The errno of an answer that says no. */
    public int error() {
        return bytes.getInt(at + VfioUser.ERROR);
    }

    public boolean wantsReply() {
        return (flags() & VfioUser.FLAG_NO_REPLY) == 0;
    }

    public int bodySize() {
        return bodySize;
    }

    int getInt(int offset) {
        return bytes.getInt(body(offset, 4));
    }

    long getLong(int offset) {
        return bytes.getLong(body(offset, 8));
    }

    byte get(int offset) {
        return bytes.get(body(offset, 1));
    }

    public void get(int offset, byte[] to) {
        bytes.get(body(offset, to.length), to);
    }

    private int body(int offset, int length) {
        if (offset < 0 || offset > bodySize - length) {
            throw new Refusal(Errno.EINVAL, VfioUser.name(command()) + " is too short: it ends after " + bodySize
                    + " bytes");
        }
        return at + VfioUser.HEADER + offset;
    }

    /** Where the body lies in {@link #buffer}, for those that have checked its size. */
    int bodyAt() {
        return at + VfioUser.HEADER;
    }

    ByteBuffer buffer() {
        return bytes;
    }

    int descriptorCount() {
        return descriptorCount;
    }

    /** Hands a descriptor over to the caller, who closes it. */
    Descriptor take(int index) {
        Descriptor taken = descriptors[index];
        descriptors[index] = null;
        return taken;
    }

    /** Looks at a descriptor, which stays the message's. */
    Descriptor descriptor(int index) {
        return descriptors[index];
    }

    /** Closes files that the request's handler has not taken. */
    public void closeDescriptors() {
        for (int i = 0; i < descriptorCount; i++) {
            if (descriptors[i] != null) {
                descriptors[i].close();
                descriptors[i] = null;
            }
        }
        descriptorCount = 0;
    }

    /** Insists on a body of exactly so many bytes. */
    void exactly(int size) {
        if (bodySize != size) {
            throw new Refusal(Errno.EINVAL, VfioUser.name(command()) + " has " + bodySize + " bytes after its header; "
                    + "it takes " + size);
        }
    }

    /** Insists that the sender has room for the answer, as its first word says. */
    void roomFor(int size) {
        if (Integer.compareUnsigned(getInt(0), size) < 0) {
            throw new Refusal(Errno.EINVAL, VfioUser.name(command()) + " leaves room for "
                    + Integer.toUnsignedString(getInt(0)) + " bytes (argsz); the answer takes " + size);
        }
    }

    /** Insists on no descriptors. */
    void withoutDescriptors() {
        if (descriptorCount != 0) {
            throw new Refusal(Errno.EINVAL, VfioUser.name(command()) + " came with " + descriptorCount
                    + " descriptors; it takes none");
        }
    }
}

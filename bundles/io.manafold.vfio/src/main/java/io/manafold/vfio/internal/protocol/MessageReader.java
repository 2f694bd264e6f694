package io.manafold.vfio.internal.protocol;

import io.manafold.linux.Descriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the stream into messages. It is read in large pieces; descriptors that came with a piece belong to the last
 * message that begins in it, for the kernel ends a piece with the bytes they were sent with.
 */
public final class MessageReader {
    private static final int ROOM = 1 << 16;

    private final Line line;
    private byte[] memory = new byte[ROOM];
    private ByteBuffer bytes = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
    private int start;
    private int end;
    /** Where in the stream the buffer's first byte lies. */
    private long origin;

    /** Descriptors whose message is not complete yet, and the piece of the stream that they came with. */
    private final List<Descriptor> lot = new ArrayList<>();
    private final List<Descriptor> fresh = new ArrayList<>();
    private long lotFrom;
    private long lotTo;

    public MessageReader(Line line) {
        this.line = line;
    }

    private void room(int capacity) {
        byte[] larger = new byte[capacity];
        System.arraycopy(memory, start, larger, 0, end - start);
        memory = larger;
        bytes = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
        origin += start;
        end -= start;
        start = 0;
    }

    /** Whether part of a message is there and its end is awaited; to be asked when {@link #next} has answered false. */
    boolean inMessage() {
        return end > start;
    }

    /** Points the request at the next message if all of it is there. */
    public boolean next(Request request) throws SessionEndedException {
        int have = end - start;
        if (have < VfioUser.HEADER) {
            return false;
        }
        int size = bytes.getInt(start + VfioUser.SIZE);
        if (size < VfioUser.HEADER || size > VfioUser.MAX_MESSAGE) {
            throw new SessionEndedException("a message claims to have " + Integer.toUnsignedString(size)
                    + " bytes; they have " + VfioUser.HEADER + " to " + VfioUser.MAX_MESSAGE);
        }
        if (have < size) {
            return false;
        }
        long from = origin + start;
        request.point(bytes, start, size);
        start += size;
        if (!lot.isEmpty() && lotTo <= from + size) {
            deliver(request, from);
        }
        return true;
    }

    private void deliver(Request request, long from) throws SessionEndedException {
        if (from < lotFrom) {
            throw stray();
        }
        lot.forEach(request::attach);
        lot.clear();
    }

    private static SessionEndedException stray() {
        return new SessionEndedException("descriptors came in the middle of a message; they go with its first byte");
    }

    /**
     * Receives what there is. The message that {@link #next} gave is no longer valid.
     *
     * @return whether there was something; if not, it would have had to wait
     */
    public boolean receive(boolean wait) throws SessionEndedException, IOException {
        makeRoom();
        int count = line.receive(memory, end, wait, fresh);
        if (!fresh.isEmpty()) {
            if (!lot.isEmpty()) {
                throw stray();
            }
            lot.addAll(fresh);
            fresh.clear();
            lotFrom = origin + end;
            lotTo = lotFrom + Math.max(count, 0);
        }
        if (count < 0) {
            return false;
        }
        if (count == 0) {
            throw new SessionEndedException(end > start ? "it left in the middle of a message" : "it left");
        }
        end += count;
        return true;
    }

    private void makeRoom() {
        if (start == end) {
            origin += start;
            start = 0;
            end = 0;
        }
        int have = end - start;
        int size = have < VfioUser.HEADER ? VfioUser.HEADER : bytes.getInt(start + VfioUser.SIZE);
        if (size > memory.length) {
            room(size);
        } else if (start > 0 && memory.length - end < Math.max(size - have, 4096)) {
            System.arraycopy(memory, start, memory, 0, have);
            origin += start;
            start = 0;
            end = have;
        }
    }

    /** Closes what came with a message that never did. */
    public void closeDescriptors() {
        lot.forEach(Descriptor::close);
        lot.clear();
        fresh.forEach(Descriptor::close);
        fresh.clear();
    }
}

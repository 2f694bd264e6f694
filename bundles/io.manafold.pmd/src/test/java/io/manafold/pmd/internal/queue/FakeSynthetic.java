package io.manafold.pmd.internal.queue;

import io.manafold.api.net.SyntheticPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A synthetic device whose frames are the test's. */
final class FakeSynthetic implements SyntheticPort {
    static final int LONGEST = 4096;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment sending = arena.allocate(LONGEST);
    private final Deque<MemorySegment> incoming = new ArrayDeque<>();
    final List<byte[]> sent = new ArrayList<>();
    int room = Integer.MAX_VALUE;
    int flushes;

    void arrives(int length, int content) {
        MemorySegment frame = arena.allocate(length);
        frame.fill((byte) content);
        incoming.add(frame);
    }

    int waiting() {
        return incoming.size();
    }

    @Override
    public int length() {
        return incoming.isEmpty() ? 0 : (int) incoming.peek().byteSize();
    }

    @Override
    public long address() {
        return incoming.element().address();
    }

    @Override
    public void free() {
        incoming.remove();
    }

    @Override
    public long reserve() {
        return room > 0 ? sending.address() : 0;
    }

    @Override
    public void commit(int length) {
        room--;
        sent.add(sending.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void flush() {
        flushes++;
    }

    @Override
    public int longest() {
        return LONGEST;
    }

    @Override
    public void steer(boolean toFunction) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

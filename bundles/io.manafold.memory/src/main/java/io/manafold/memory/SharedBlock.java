package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A block that goes when its last holder has let go. */
final class SharedBlock implements MemoryBlock {
    private static final String MAKER = "maker";
    private static final int ADVICE_REMOVE = 9;

    private final String name;
    private final DmaBlock block;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private final Runnable gone;
    private final SortedMap<String, Integer> holders = new TreeMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param gone is run when it has gone */
    SharedBlock(String name, long bytes, Runnable gone) {
        this.name = name;
        this.gone = gone;
        block = new DmaBlock(name, bytes);
        segment = RawMemory.segment(block.address(), block.size(), arena);
        holders.put(MAKER, 1);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return block.size();
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public int descriptor() {
        return block.fd();
    }

    @Override
    public Hold hold(String who) {
        synchronized (holders) {
            if (holders.isEmpty()) {
                throw new Refusal(Errno.ENODEV, "The memory block " + name
                        + " has gone: its last holder has let go. Make another.");
            }
            holders.merge(who, 1, Integer::sum);
        }
        return new Held(who);
    }

    @Override
    public SortedMap<String, Integer> holders() {
        synchronized (holders) {
            return Collections.unmodifiableSortedMap(new TreeMap<>(holders));
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            letGo(MAKER);
        }
    }

    private void letGo(String who) {
        synchronized (holders) {
            holders.computeIfPresent(who, (_, count) -> count == 1 ? null : count - 1);
            if (!holders.isEmpty()) {
                return;
            }
        }
        arena.close();
        // a borrower behind a socket may keep the file; its pages go all the same
        Linux.advise(block.address(), block.size(), ADVICE_REMOVE);
        block.close();
        gone.run();
    }

    private final class Held implements Hold {
        private final String who;
        private final AtomicBoolean open = new AtomicBoolean(true);

        Held(String who) {
            this.who = who;
        }

        @Override
        public void close() {
            if (!open.compareAndSet(true, false)) {
                throw new Refusal(Errno.EINVAL, who + " has let go of the memory block " + name + " already; hold it "
                        + "once for each time it is let go.");
            }
            letGo(who);
        }
    }
}

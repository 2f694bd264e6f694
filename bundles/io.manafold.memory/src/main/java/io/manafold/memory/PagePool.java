package io.manafold.memory;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PagePlan;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Buffers cut from pages, for one receive queue. One thread takes; any releases. A page comes home with its last buffer: on
 * the allocating thread to a small cache, from elsewhere through a ring. Pages are made as they are needed, and are given
 * back when the ring is full and when the pool is closed. Taking and releasing allocate nothing and take no lock.
 */
public final class PagePool implements PacketHome {
    private static final int LARGEST_RING = 16384;
    /** Bytes of pages that the cache may hold. */
    private static final int CACHE_BYTES = 128 * 4096;

    private final String name;
    private final DmaArena arena;
    private final PagePlan plan;
    private final PageMapping mapping;
    private final int keyShift;
    private final PoolStatistics count = new PoolStatistics();
    private final PoolPage[] cache;
    private final ReturnRing ring;
    private int cached;
    private PoolPage current;
    private volatile Thread owner = Thread.currentThread();
    private volatile boolean closed;
    /** By key; a place may be empty. Changed under this object's lock, and read by whoever has a buffer. */
    private PoolPage[] pages = new PoolPage[16];
    private volatile long live;

    /**
     * @param name whose it is, for people
     * @param ring entries of the queue it feeds
     * @param mapping once per page if buffers share pages, else once per packet
     */
    public PagePool(String name, DmaArena arena, PagePlan plan, int ring, PageMapping mapping) {
        this.name = name;
        this.arena = arena;
        this.plan = plan;
        this.mapping = mapping;
        keyShift = 32 - Integer.numberOfLeadingZeros(plan.perPage() - 1);
        cache = new PoolPage[Math.max(8, CACHE_BYTES / plan.page())];
        this.ring = new ReturnRing(ringSize(plan, ring));
    }

    /** How many pages fit the ring of returned ones: as many as a full queue takes, and one. */
    static int ringSize(PagePlan plan, int entries) {
        return Math.min(LARGEST_RING, entries / plan.perPage() + 1);
    }

    /** The thread that takes buffers from now on; the one before neither takes nor releases meanwhile. */
    public void owner(Thread thread) {
        owner = thread;
    }

    public PagePlan plan() {
        return plan;
    }

    /** Where its pages come from. */
    public DmaArena arena() {
        return arena;
    }

    /**
     * An empty buffer, placed behind the headroom, on the allocating thread.
     *
     * @return {@code null} if there is no memory for more, or the pool is closed
     */
    public PacketBuffer take() {
        PoolPage page = current;
        if (page == null || page.isExhausted()) {
            page = nextPage();
            if (page == null) {
                return null;
            }
        }
        PacketBuffer buffer = page.give();
        buffer.place(plan.headroom(), 0);
        buffer.next(null);
        return buffer;
    }

    private PoolPage nextPage() {
        current = null;
        PoolPage page = closed ? null : homePage();
        if (page != null) {
            page.open();
            if (!plan.isShared() && !page.mapped) {
                mapping.map(page.reach);
                page.mapped = true;
            }
            current = page;
        }
        return page;
    }

    private PoolPage homePage() {
        if (cached > 0) {
            count.allocFast++;
            return cache[--cached];
        }
        PoolPage page = ring.take();
        if (page == null) {
            count.allocEmpty++;
            return newPage();
        }
        count.allocRefill++;
        for (int batch = cache.length / 2; cached < batch; cached++) {
            PoolPage more = ring.take();
            if (more == null) {
                break;
            }
            cache[cached] = more;
        }
        return page;
    }

    /** {@code null} if there is no memory. One at a time, so that a pool never has more than it needed once. */
    private PoolPage newPage() {
        DmaPiece piece;
        try {
            piece = arena.allocate(plan.allocation(), plan.allocation());
        } catch (Refusal none) {
            return null;
        }
        if (plan.order() > 0) {
            count.allocSlowHighOrder++;
        } else {
            count.allocSlow++;
        }
        if (plan.isShared()) {
            mapping.map(piece);
        }
        synchronized (this) {
            int index = 0;
            while (index < pages.length && pages[index] != null) {
                index++;
            }
            if (index == pages.length) {
                pages = Arrays.copyOf(pages, 2 * index);
            }
            live++;
            return pages[index] = new PoolPage(this, piece, plan, index << keyShift);
        }
    }

    /**
     * The function has written this buffer: where a packet has a mapping of its own, that ends. On the thread that is to
     * read it, before it does.
     */
    public void received(PacketBuffer buffer) {
        if (!plan.isShared()) {
            unmap(pages[buffer.key() >>> keyShift]);
        }
    }

    private void unmap(PoolPage page) {
        if (page.mapped) {
            page.mapped = false;
            mapping.unmap(page.reach);
        }
    }

    /**
     * @throws IllegalStateException if the buffer is at home already, or was never of this pool
     */
    @Override
    public void release(PacketBuffer buffer) {
        PoolPage page = pageOf(buffer);
        int slot = buffer.key() & (1 << keyShift) - 1;
        if (!page.isOut(slot)) {
            throw twice(buffer);
        }
        if (!plan.isShared()) {
            unmap(page);
        }
        String holder = buffer.holder();
        buffer.holder(null);
        switch (page.back(slot)) {
            case AGAIN -> {
                buffer.holder(holder);
                throw twice(buffer);
            }
            case LAST -> home(page);
            case ONE -> {
            }
        }
    }

    private PoolPage pageOf(PacketBuffer buffer) {
        PoolPage[] all = pages;
        int index = buffer.key() >>> keyShift;
        PoolPage page = index < all.length ? all[index] : null;
        if (page == null || page.buffers[buffer.key() & (1 << keyShift) - 1] != buffer) {
            throw new IllegalStateException("A buffer was released to the pool " + name + " that is none of its buffers"
                    + (buffer.home() == this ? " any more: it has been released before." : "."));
        }
        return page;
    }

    private IllegalStateException twice(PacketBuffer buffer) {
        return new IllegalStateException("Buffer " + buffer.key() + " of the pool " + name
                + " was released twice; it is at home.");
    }

    private void home(PoolPage page) {
        if (!closed) {
            keep(page);
        }
        // whoever closes looks for pages at home after he has said so: one of us two sees the other
        if (closed) {
            leave(page);
        }
    }

    private void keep(PoolPage page) {
        if (Thread.currentThread() == owner) {
            if (cached < cache.length) {
                cache[cached++] = page;
                count.recycleCached++;
                return;
            }
            count.recycleCacheFull++;
        }
        if (ring.put(page)) {
            count.ring();
        } else {
            count.ringFull();
            leave(page);
        }
    }

    private void leave(PoolPage page) {
        if (!page.claim()) {
            return;
        }
        if (plan.isShared()) {
            mapping.unmap(page.piece);
        }
        synchronized (this) {
            pages[page.buffers[0].key() >>> keyShift] = null;
            live--;
        }
        arena.free(page.piece);
    }

    /**
     * Ends it: pages at home are given back, the others as they come. Any thread, once the allocating one takes no more;
     * buffers may be released meanwhile. Never waits.
     */
    public void close() {
        if (closed) {
            return;
        }
        PoolPage last = current;
        current = null;
        closed = true;
        if (last != null && last.shut()) {
            leave(last);
        }
        PoolPage[] all;
        synchronized (this) {
            all = pages.clone();
        }
        for (PoolPage page : all) {
            if (page != null && page.isHome()) {
                leave(page);
            }
        }
    }

    /** Whether it is closed and everything is given back. */
    public boolean isDrained() {
        return closed && live == 0;
    }

    /** Pages it has, wherever they are. */
    public long pages() {
        return live;
    }

    /** Pages at home, to be used again. */
    public long free() {
        return closed ? 0 : cached + ring.size();
    }

    /** Buffers taken and not released. */
    public synchronized long outstanding() {
        long total = 0;
        for (PoolPage page : pages) {
            for (int slot = 0; page != null && slot < page.buffers.length; slot++) {
                total += page.isOut(slot) ? 1 : 0;
            }
        }
        return total;
    }

    /** Buffers that are out, by who has put his name on them; walks through all pages. */
    public synchronized Map<String, Long> held() {
        Map<String, Long> held = new TreeMap<>();
        for (PoolPage page : pages) {
            for (int slot = 0; page != null && slot < page.buffers.length; slot++) {
                String holder = page.buffers[slot].holder();
                if (holder != null && page.isOut(slot)) {
                    held.merge(holder, 1L, Long::sum);
                }
            }
        }
        return held;
    }

    /** By the names of the page pool statistics. */
    public Map<String, Long> statistics() {
        return count.byName();
    }

    @Override
    public String toString() {
        return name;
    }
}

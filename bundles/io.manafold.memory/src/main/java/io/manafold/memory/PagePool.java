package io.manafold.memory;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Buffers cut from pages, for one receive queue. One thread takes; any releases. A page comes home with its last
 * buffer: on the allocating thread to a small cache, from elsewhere through a ring. Pages are made as they are needed,
 * and are given back when the ring is full and when the pool is closed. Taking and releasing allocate nothing and take
 * no lock.
 */
public final class PagePool {
    private final String name;
    private final DmaArena arena;
    private final PagePlan plan;
    private final ReceiveMapping when;
    private final boolean repeated;
    private final int headroom;
    private final PageMapping mapping;
    private final PoolStatistics count = new PoolStatistics();
    private final PoolPages pages = new PoolPages();
    private final FreePages home;
    private final PacketBuffer[] single = new PacketBuffer[1];
    private PoolPage current;
    private volatile Thread owner = Thread.currentThread();
    private volatile boolean closed;

    /** One for whose function all of the arena is reachable all the time. */
    public PagePool(String name, DmaArena arena, PagePlan plan, int ring) {
        this(name, arena, plan, ring, ReceiveMapping.ARENA);
    }

    /**
     * @param name whose it is, for people
     * @param ring entries of the queue it feeds
     * @param when pages go through the arena's {@link DmaArena#mapping}
     */
    public PagePool(String name, DmaArena arena, PagePlan plan, int ring, ReceiveMapping when) {
        this(name, arena, plan, ring, when, arena.mapping());
    }

    PagePool(String name, DmaArena arena, PagePlan plan, int ring, ReceiveMapping when, PageMapping mapping) {
        this.name = name;
        this.arena = arena;
        this.plan = plan;
        this.when = when;
        this.mapping = mapping;
        repeated = when.isRepeated();
        headroom = plan.headroom();
        home = new FreePages(count, plan.page(), ringSize(plan, ring));
    }

    /** The pool that a buffer is of, or {@code null} if it comes from elsewhere. */
    public static PagePool of(PacketBuffer buffer) {
        return buffer.home() instanceof PoolPage page ? page.pool : null;
    }

    /** How many pages fit the ring of returned ones: as many as a full queue takes, and one. */
    static int ringSize(PagePlan plan, int entries) {
        return entries / plan.perPage() + 1;
    }

    /** The thread that takes buffers from now on; the one before neither takes nor releases meanwhile. */
    public void owner(Thread thread) {
        owner = thread;
    }

    public PagePlan plan() {
        return plan;
    }

    public ReceiveMapping mapping() {
        return when;
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
        return take(single, 0, 1, null) == 1 ? single[0] : null;
    }

    /**
     * Empty buffers, placed behind the headroom, on the allocating thread.
     *
     * @param holder who has them then
     * @return how many; fewer if there is no memory for more, or the pool is closed
     */
    public int take(PacketBuffer[] into, int from, int count, String holder) {
        int taken = 0;
        while (taken < count) {
            PoolPage page = current;
            if (page == null || page.isExhausted()) {
                page = nextPage();
                if (page == null) {
                    break;
                }
            }
            int some = page.give(into, from + taken, count - taken);
            for (int i = from + taken; i < from + taken + some; i++) {
                PacketBuffer buffer = into[i];
                buffer.place(headroom, 0);
                if (buffer.next() != null) {
                    buffer.next(null);
                }
                buffer.holder(holder);
                if (repeated && page.post(buffer.key())) {
                    map(page.reach);
                }
            }
            taken += some;
        }
        return taken;
    }

    private PoolPage nextPage() {
        current = null;
        if (closed) {
            return null;
        }
        PoolPage page = home.take();
        if (page == null) {
            page = newPage();
        }
        if (page != null) {
            page.open();
            current = page;
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
        if (when == ReceiveMapping.PAGE) {
            map(piece);
        }
        return pages.add(index -> new PoolPage(this, piece, plan, when, index));
    }

    /**
     * The function has written this buffer: where pages are mapped for packets, that ends with the last. On the
     * allocating thread, before a reader sees it.
     */
    public void received(PacketBuffer buffer) {
        if (repeated) {
            unpost((PoolPage) buffer.home(), buffer.key());
        }
    }

    void unpost(PoolPage page, int slot) {
        if (page.unpost(slot)) {
            unmap(page.reach);
        }
    }

    private void map(DmaPiece piece) {
        mapping.map(piece);
        count.mapped++;
    }

    private void unmap(DmaPiece piece) {
        mapping.unmap(piece);
        count.unmapped();
    }

    /** A page is whole again. */
    void home(PoolPage page) {
        if (!closed && !home.keep(page, Thread.currentThread() == owner)) {
            leave(page);
        }
        // a thread that closes looks for pages at home after it has said so: one of the two sees the other
        // and a page that another has taken from there meanwhile comes home once more
        if (closed && page.isHome()) {
            leave(page);
        }
    }

    private void leave(PoolPage page) {
        if (remove(page)) {
            arena.free(page.piece);
        }
    }

    /** Whether its memory is the caller's to give back. */
    private boolean remove(PoolPage page) {
        if (!page.claim()) {
            return false;
        }
        if (when == ReceiveMapping.PAGE) {
            unmap(page.piece);
        }
        pages.remove(page);
        return true;
    }

    /**
     * Ends it: pages at home are given back, the others as they come. Any thread, once the allocating one takes no
     * more; buffers may be released meanwhile. Never waits.
     */
    public void close() {
        if (closed) {
            return;
        }
        PoolPage last = current;
        current = null;
        closed = true;
        // a thread that has ended still holds what it ran: a user who keeps a packet is not to keep the driver
        owner = null;
        if (last != null) {
            last.shut();
        }
        List<DmaPiece> home = new ArrayList<>();
        for (PoolPage page : pages.all()) {
            if (page != null && page.isHome() && remove(page)) {
                home.add(page.piece);
            }
        }
        arena.free(home);
    }

    /** Whether it is closed and everything is given back. */
    public boolean isDrained() {
        return closed && pages.live() == 0;
    }

    /** Pages it has, wherever they are. */
    public long pages() {
        return pages.live();
    }

    /** Pages at home, to be used again. */
    public long free() {
        return closed ? 0 : home.size();
    }

    /** Buffers taken and not released. */
    public long outstanding() {
        return pages.outstanding();
    }

    /** Buffers that are out, by the names of their holders; walks through all pages. */
    public Map<String, Long> held() {
        return pages.held();
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

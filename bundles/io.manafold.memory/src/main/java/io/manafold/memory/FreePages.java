package io.manafold.memory;

/**
 * A pool's free pages: a small cache of the allocating thread, and a ring that others put theirs into. What
 * goes where, and from where it is taken again, is counted.
 */
final class FreePages {
    private static final int LARGEST_RING = 16384;
    /** Bytes of pages that the cache may hold. */
    private static final int CACHE_BYTES = 128 * 4096;

    private final PoolStatistics count;
    private final PoolPage[] cache;
    private final ReturnRing ring;
    private int cached;

    /**
     * @param page bytes of a page
     * @param returned how many pages the ring takes
     */
    FreePages(PoolStatistics count, int page, int returned) {
        this.count = count;
        cache = new PoolPage[Math.max(8, CACHE_BYTES / page)];
        ring = new ReturnRing(Math.min(LARGEST_RING, returned));
    }

    /** {@code null} if there is none. On the allocating thread. */
    PoolPage take() {
        if (cached > 0) {
            count.allocFast++;
            return cache[--cached];
        }
        PoolPage page = ring.take();
        if (page == null) {
            count.allocEmpty++;
            return null;
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

    /** False if there is no room for it. {@code here}: on the allocating thread. */
    boolean keep(PoolPage page, boolean here) {
        if (here) {
            if (cached < cache.length) {
                cache[cached++] = page;
                count.recycleCached++;
                return true;
            }
            count.recycleCacheFull++;
        }
        boolean kept = ring.put(page);
        if (kept) {
            count.ring();
        } else {
            count.ringFull();
        }
        return kept;
    }

    long size() {
        return cached + ring.size();
    }
}

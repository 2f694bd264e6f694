package io.manafold.memory;

import io.manafold.api.net.PacketBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** All pages of a pool, found by the keys of their buffers. Changed under its lock, and read by whoever has a buffer. */
final class PoolPages {
    private final int keyShift;
    private PoolPage[] pages = new PoolPage[16];
    private volatile long live;
    /** No place before it is empty. */
    private int firstGap;

    /** @param perPage buffers of each page */
    PoolPages(int perPage) {
        keyShift = 32 - Integer.numberOfLeadingZeros(perPage - 1);
    }

    /** Which of its page's buffers one is. */
    int slot(PacketBuffer buffer) {
        return buffer.key() & (1 << keyShift) - 1;
    }

    /** The page that a buffer is of. */
    PoolPage of(PacketBuffer buffer) {
        return pages[buffer.key() >>> keyShift];
    }

    /** The page that really has a buffer, or {@code null}. */
    PoolPage having(PacketBuffer buffer) {
        PoolPage[] all = pages;
        int index = buffer.key() >>> keyShift;
        PoolPage page = index < all.length ? all[index] : null;
        return page == null || page.buffers[slot(buffer)] != buffer ? null : page;
    }

    /** @param maker makes a page of the key of its first buffer */
    synchronized PoolPage add(IntFunction<PoolPage> maker) {
        int index = firstGap;
        while (index < pages.length && pages[index] != null) {
            index++;
        }
        if (index == pages.length) {
            pages = Arrays.copyOf(pages, 2 * index);
        }
        live++;
        firstGap = index + 1;
        return pages[index] = maker.apply(index << keyShift);
    }

    synchronized void remove(PoolPage page) {
        int index = page.buffers[0].key() >>> keyShift;
        pages[index] = null;
        firstGap = Math.min(firstGap, index);
        live--;
    }

    long live() {
        return live;
    }

    /** A copy, with gaps. */
    synchronized PoolPage[] all() {
        return pages.clone();
    }

    /** Buffers that are out. */
    long outstanding() {
        long total = 0;
        for (PoolPage page : all()) {
            for (int slot = 0; page != null && slot < page.buffers.length; slot++) {
                total += page.isOut(slot) ? 1 : 0;
            }
        }
        return total;
    }

    /** Buffers that are out, by who has put his name on them. */
    Map<String, Long> held() {
        Map<String, Long> held = new TreeMap<>();
        for (PoolPage page : all()) {
            for (int slot = 0; page != null && slot < page.buffers.length; slot++) {
                String holder = page.buffers[slot].holder();
                if (holder != null && page.isOut(slot)) {
                    held.merge(holder, 1L, Long::sum);
                }
            }
        }
        return held;
    }
}

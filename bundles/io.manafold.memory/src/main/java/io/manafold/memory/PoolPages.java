package io.manafold.memory;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** All pages of a pool, wherever they are. */
final class PoolPages {
    private PoolPage[] pages = new PoolPage[16];
    private volatile long live;
    /** No place before it is empty. */
    private int firstGap;

    /** @param maker makes a page by its place */
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
        return pages[index] = maker.apply(index);
    }

    synchronized void remove(PoolPage page) {
        pages[page.index] = null;
        firstGap = Math.min(firstGap, page.index);
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

    /** Buffers that are out, by the names of their holders. */
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

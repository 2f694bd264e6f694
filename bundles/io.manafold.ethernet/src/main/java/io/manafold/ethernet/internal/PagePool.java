package io.manafold.ethernet.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PagePlan;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Stands in until the real one comes: locks, and nothing else to its credit. */
final class PagePool implements PacketHome {
    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final DmaArena arena;
    private final PagePlan plan;
    private final ArrayDeque<PacketBuffer> free = new ArrayDeque<>();
    private final List<DmaPiece> pages = new ArrayList<>();
    private final List<PacketBuffer> all = new ArrayList<>();
    private long out;
    private boolean closed;

    PagePool(String name, DmaArena arena, PagePlan plan, int ring, PageMapping mapping) {
        this.arena = arena;
        this.plan = plan;
    }

    synchronized PacketBuffer take() {
        if (closed) {
            return null;
        }
        if (free.isEmpty()) {
            DmaPiece page;
            try {
                page = arena.allocate(plan.allocation());
            } catch (Refusal full) {
                return null;
            }
            pages.add(page);
            for (int i = 0; i < plan.perPage(); i++) {
                PacketBuffer one = new PacketBuffer(this, ALL.asSlice(page.pointer() + (long) i * plan.slot(), plan.slot()),
                        page.dma() + (long) i * plan.slot(), all.size());
                all.add(one);
                free.add(one);
            }
        }
        PacketBuffer buffer = free.poll();
        buffer.place(plan.headroom(), 0);
        buffer.next(null);
        out++;
        return buffer;
    }

    @Override
    public synchronized void release(PacketBuffer buffer) {
        out--;
        buffer.holder(null);
        free.push(buffer);
        drain();
    }

    void owner(Thread thread) {
    }

    synchronized void close() {
        closed = true;
        drain();
    }

    private void drain() {
        if (closed && out == 0) {
            pages.forEach(arena::free);
            pages.clear();
            free.clear();
        }
    }

    synchronized boolean isDrained() {
        return closed && out == 0;
    }

    synchronized long pages() {
        return pages.size();
    }

    synchronized long free() {
        return free.size();
    }

    synchronized long outstanding() {
        return out;
    }

    synchronized Map<String, Long> held() {
        Map<String, Long> held = new TreeMap<>();
        for (PacketBuffer one : all) {
            if (one.holder() != null) {
                held.merge(one.holder(), 1L, Long::sum);
            }
        }
        return held;
    }

    Map<String, Long> statistics() {
        return Map.of();
    }

    PagePlan plan() {
        return plan;
    }

    DmaArena arena() {
        return arena;
    }
}

package io.manafold.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.refusal.Refusal;
import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Whether the kernel takes an area to put received bytes into that belongs to no card. */
final class Area {
    private static final int REGISTER = 32;
    private static final int ENTRIES = 64;
    private static final int NO_DEVICE = 2;
    private static final int OURS = 1;
    private static final int PAGES = 16;

    private Area() {
    }

    /** 0 or a negative error number. The area goes with the ring it was tried on. */
    static long tried() {
        try (Arena arena = Arena.ofShared(); Ring ring = Ring.open(RingSetup.of(4, 8).wider())) {
            ring.enable();
            MemorySegment memory = arena.allocate((long) RawMemory.PAGE * PAGES, RawMemory.PAGE);
            MemorySegment refill = arena.allocate(RawMemory.PAGE, RawMemory.PAGE);
            MemorySegment area = arena.allocate(48, 8);
            area.set(JAVA_LONG, 0, memory.address());
            area.set(JAVA_LONG, 8, memory.byteSize());
            MemorySegment region = arena.allocate(64, 8);
            region.set(JAVA_LONG, 0, refill.address());
            region.set(JAVA_LONG, 8, refill.byteSize());
            region.set(JAVA_INT, 16, OURS);
            MemorySegment asked = arena.allocate(96, 8);
            asked.set(JAVA_INT, 8, ENTRIES);
            asked.set(JAVA_INT, 12, NO_DEVICE);
            asked.set(JAVA_LONG, 16, area.address());
            asked.set(JAVA_LONG, 24, region.address());
            return ring.register(REGISTER, asked.address(), 1);
        } catch (Refusal refused) {
            return -refused.errno().number();
        }
    }
}

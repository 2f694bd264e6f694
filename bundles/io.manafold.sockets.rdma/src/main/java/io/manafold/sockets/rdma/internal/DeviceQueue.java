package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.streams.HeldRegion;
import java.util.Arrays;

/**
 * Completions of one device for endpoints of the same queues, and the device's keys of the memory that they send. For
 * one thread.
 */
final class DeviceQueue {
    static final int ENTRIES = 4096;

    private final Device device;
    private final CompletionQueue queue;
    private HeldRegion[] regions = new HeldRegion[8];
    private MemoryRegion[] keys = new MemoryRegion[8];
    private int room;

    DeviceQueue(Device device) {
        this.device = device;
        int entries = Math.min(ENTRIES, device.rdma().attributes().maxCompletions());
        queue = device.rdma().createCompletionQueue(entries);
        room = entries;
    }

    Device device() {
        return device;
    }

    CompletionQueue queue() {
        return queue;
    }

    /** Keeps room for so many completions at a time, if there is so much. */
    boolean reserve(int completions) {
        if (room < completions) {
            return false;
        }
        room -= completions;
        return true;
    }

    void giveBack(int completions) {
        room += completions;
    }

    /** The device's keys of a region; {@code null} if it does not know it. */
    MemoryRegion keys(HeldRegion region) {
        int index = region.key() & 0xfff;
        if (index >= regions.length) {
            int length = Integer.highestOneBit(index) * 2;
            regions = Arrays.copyOf(regions, length);
            keys = Arrays.copyOf(keys, length);
        }
        if (regions[index] != region) {
            regions[index] = region;
            keys[index] = device.region(region);
        }
        return keys[index];
    }
}

package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.streams.HeldRegion;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Completions of one device for endpoints of the same queues, and the device's keys of the memory that they send. For
 * one thread.
 */
final class DeviceQueue {
    static final int ENTRIES = 4096;
    /** So long after a device has refused memory it is not asked again. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Why the device does not reach a region, and when it said so. */
    private record Refused(String why, long nanos) {
    }

    private final Device device;
    private final CompletionQueue queue;
    private HeldRegion[] regions = new HeldRegion[8];
    private MemoryRegion[] keys = new MemoryRegion[8];
    private Refused[] refused = new Refused[8];
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
        int index = index(region);
        if (index >= regions.length) {
            int length = Integer.highestOneBit(index) * 2;
            regions = Arrays.copyOf(regions, length);
            keys = Arrays.copyOf(keys, length);
            refused = Arrays.copyOf(refused, length);
        }
        if (regions[index] != region) {
            regions[index] = region;
            keys[index] = null;
            refused[index] = null;
        }
        if (keys[index] == null) {
            // one that it had refused, or that was there before the device, may have been told to it since
            keys[index] = device.region(region);
        }
        return keys[index];
    }

    private static int index(HeldRegion region) {
        return region.key() & 0xfff;
    }

    /**
     * Has the device know a region that is to be sent. What it has refused it is asked for again, which takes the
     * serving thread its time, and so once in a second at most.
     *
     * @throws Refusal {@code EFAULT} if it does not know it after that
     */
    void reach(HeldRegion region) {
        if (keys(region) != null) {
            return;
        }
        int index = index(region);
        if (refused[index] == null || System.nanoTime() - refused[index].nanos() >= AGAIN_NANOS) {
            String why = "the region was closed meanwhile.";
            try {
                device.register(region);
            } catch (Refusal no) {
                why = no.getMessage();
            }
            if (keys(region) != null) {
                return;
            }
            refused[index] = new Refused(why, System.nanoTime());
        }
        throw new Refusal(Errno.EFAULT, "The memory of key 0x" + Integer.toHexString(region.key())
                + " cannot be sent over the device " + device.name() + ", which does not know it: "
                + refused[index].why() + " Send other memory, or this again in a second: the device is asked once more"
                + " then.");
    }
}

package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.Limits;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all clients of a function make things of: regions, keys, domains, doorbell pages, event queues. Control agent
 * only.
 */
final class FunctionObjects {
    /** Longest queues, so that page lists stay short. */
    static final int MOST_QUEUE_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(FunctionObjects.class);
    private static final long QUEUE_BYTES = 2048;

    private final FunctionParts hardware;
    private final Doorbells doorbells;
    private final Keys keys;
    private final Regions regions;
    private final Domains domains;
    private final DoorbellPages pages;
    private final EventQueues events;

    FunctionObjects(FunctionParts hardware, Doorbells doorbells) {
        this.hardware = hardware;
        this.doorbells = doorbells;
        ObjectLimits limits = hardware.settings().limits();
        keys = new Keys(hardware.budget(), limits);
        regions = new Regions(hardware.budget(), limits);
        domains = new Domains(keys, regions, hardware.budget(), limits);
        pages = new DoorbellPages(limits.most(ObjectLimit.DOORBELL_PAGES));
        events = new EventQueues(hardware, this, doorbells.event);
    }

    /** What a queue takes of our memory: what it is made of, and twice the list of its pages. */
    static long queueBytes(int bytes) {
        return QUEUE_BYTES + (long) ((bytes + QueueMemory.PAGE - 1) / QueueMemory.PAGE) * 2 * Long.BYTES;
    }

    Doorbells doorbells() {
        return doorbells;
    }

    Keys keys() {
        return keys;
    }

    Regions regions() {
        return regions;
    }

    Domains domains() {
        return domains;
    }

    DoorbellPages pages() {
        return pages;
    }

    EventQueues events() {
        return events;
    }

    /** The memory of a queue over a region; refused if the function does not reach it or may not write it. */
    QueueMemory queueMemory(Region region, int bytes) {
        long[] list = region.queuePages(bytes);
        for (int i = 0; i < list.length; i++) {
            if (hardware.memory().pointer(list[i], QueueMemory.PAGE, true) == 0) {
                throw CommandException.invalid("a queue lies in memory that the function can reach and write; page " + i
                        + " at 0x" + Long.toHexString(list[i]) + " does not", "map it before the queue is created");
            }
        }
        return new QueueMemory(hardware.memory(), list, bytes);
    }

    /** Refuses what is no size of a queue. */
    static void checkSize(String what, int bytes) {
        if (bytes < Limits.MIN_QUEUE || Integer.bitCount(bytes) != 1 || bytes > MOST_QUEUE_BYTES) {
            throw CommandException.invalid("the size of a " + what + " is a power of two from " + Limits.MIN_QUEUE
                    + " to " + MOST_QUEUE_BYTES + ", not " + Integer.toUnsignedLong(bytes),
                    "choose the next power of two");
        }
    }

    /** Refuses what is no size of a completion queue, which may have any number of entries. */
    static void checkCompletions(int bytes) {
        if (bytes < Limits.MIN_QUEUE || bytes % CompletionQueue.ENTRY != 0 || bytes > MOST_QUEUE_BYTES) {
            throw CommandException.invalid("the size of a completion queue is a multiple of " + CompletionQueue.ENTRY
                    + " from " + Limits.MIN_QUEUE + " to " + MOST_QUEUE_BYTES + ", not "
                    + Integer.toUnsignedLong(bytes), "choose the next multiple");
        }
    }

    /** Undoes something. What cannot be undone in time is told to the log, and the rest is undone all the same. */
    static void undo(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failed) {
            LOG.warn("{}: {}", what, failed.getMessage());
        }
    }

    /** What there is, by name. */
    void usage(Map<String, Long> into) {
        into.put("event_queues", (long) events.count());
        into.put("completion_queues", (long) doorbells.completion.count());
        into.put("send_queues", (long) doorbells.send.count());
        into.put("receive_queues", (long) doorbells.receive.count());
        into.put("regions", (long) regions.count());
        into.put("region_pages", regions.pages());
        into.put("protection_domains", (long) domains.count());
        into.put("memory_regions", (long) domains.registrations());
        into.put("memory_keys", (long) keys.count());
        into.put("doorbell_pages", (long) pages.count());
    }
}

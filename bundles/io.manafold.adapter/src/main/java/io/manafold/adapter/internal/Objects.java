package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.Limits;
import io.manafold.gdma.message.CreateQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a driver has made: regions, keys, queues. Control thread only. */
final class Objects {
    /** Longest queues, so that page lists stay short. */
    static final int MOST_QUEUE_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Objects.class);
    private static final long QUEUE_BYTES = 2048;

    private final Hardware hardware;
    private final Doorbells doorbells;
    private final Keys keys;
    private final Regions regions;
    private final Domains domains;
    private final DoorbellPages pages = new DoorbellPages();
    private final Map<Integer, Events> events = new HashMap<>();
    private final Map<Long, WorkObject> works = new LinkedHashMap<>();
    /** The same by their ports, of which none has more than a few. */
    private final Map<EthernetPort, Set<WorkObject>> ofPorts = new HashMap<>();
    /** How many completion queues tell an event queue. */
    private final Map<EventQueue, Integer> dependents = new HashMap<>();
    private long nextWork = 0x5001;
    private Registration registration;

    Objects(Hardware hardware, Doorbells doorbells) {
        this.hardware = hardware;
        this.doorbells = doorbells;
        keys = new Keys(hardware.budget());
        regions = new Regions(hardware.budget());
        domains = new Domains(keys, regions, hardware.budget());
    }

    /** What a queue takes of our memory: what it is made of, and twice the list of its pages. */
    static long queueBytes(int bytes) {
        return QUEUE_BYTES + (long) ((bytes + QueueMemory.PAGE - 1) / QueueMemory.PAGE) * 2 * Long.BYTES;
    }

    /** What the Ethernet device works with once its driver has taken it. */
    record Registration(int pd, int key) {
    }

    private record Events(EventQueue queue, Region region, long bytes) {
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

    boolean isRegistered() {
        return registration != null;
    }

    /** Takes the Ethernet device; the same answer every time until it is given back. */
    Registration register() {
        if (registration == null) {
            int pd = domains.create(true);
            registration = new Registration(pd, keys.add(pd, true, KeyedMemory.WHOLE));
        }
        return registration;
    }

    /** Gives the Ethernet device back, and with it all its queues. */
    int deregister() {
        int left = works.size() + events.size();
        endQueues();
        if (registration != null) {
            keys.remove(registration.key);
            domains.forget(registration.pd);
            registration = null;
        }
        return left;
    }

    /** The protection domain of the device, or −1. */
    int pd() {
        return registration == null ? Limits.NO_ID : registration.pd;
    }

    static QueueMemory memory(Hardware hardware, Region region, int bytes) {
        long[] list = region.queuePages(bytes);
        for (int i = 0; i < list.length; i++) {
            if (hardware.memory().pointer(list[i], QueueMemory.PAGE, true) == 0) {
                throw Refused.invalid("a queue lies in memory that the function can reach and write; page " + i
                        + " at 0x" + Long.toHexString(list[i]) + " does not", "map it before the queue is created");
            }
        }
        return new QueueMemory(hardware.memory(), list, bytes);
    }

    /** Refuses what is no size of a queue. */
    static void checkSize(String what, int bytes) {
        if (bytes < Limits.MIN_QUEUE || Integer.bitCount(bytes) != 1 || bytes > MOST_QUEUE_BYTES) {
            throw Refused.invalid("the size of a " + what + " is a power of two from " + Limits.MIN_QUEUE + " to "
                    + MOST_QUEUE_BYTES + ", not " + Integer.toUnsignedLong(bytes), "choose the next power of two");
        }
    }

    /** Refuses what is no size of a completion queue, which may have any number of entries. */
    static void checkCompletions(int bytes) {
        if (bytes < Limits.MIN_QUEUE || bytes % CompletionQueue.ENTRY != 0 || bytes > MOST_QUEUE_BYTES) {
            throw Refused.invalid("the size of a completion queue is a multiple of " + CompletionQueue.ENTRY + " from "
                    + Limits.MIN_QUEUE + " to " + MOST_QUEUE_BYTES + ", not " + Integer.toUnsignedLong(bytes),
                    "choose the next multiple");
        }
    }

    /** Makes an event queue and answers its number. */
    int createEvents(CreateQueue asked) {
        checkSize("event queue", asked.bytes());
        Region region = regions.get(asked.region());
        QueueMemory memory = memory(hardware, region, asked.bytes());
        hardware.budget().take("the event queue", queueBytes(asked.bytes()));
        int id = doorbells.event.take();
        if (id < 0) {
            hardware.budget().give(queueBytes(asked.bytes()));
            throw Refused.exhausted("event queues", doorbells.event.most());
        }
        EventQueue queue = new EventQueue(id, memory, hardware.vectors().vector(asked.vector()),
                hardware.rejections());
        regions.consume(region);
        events.put(id, new Events(queue, region, queueBytes(asked.bytes())));
        doorbells.event.put(id, new Doorbells.Door(asked.doorbellPage(), queue::doorbell));
        return id;
    }

    EventQueue events(int id) {
        Events found = events.get(id);
        if (found == null) {
            throw Refused.missing("the event queue", Integer.toUnsignedLong(id),
                    "use a number that create-queue has answered");
        }
        return found.queue;
    }

    /** How many queues still send their events there. */
    int dependents(EventQueue queue) {
        return dependents.getOrDefault(queue, 0);
    }

    void endEvents(int id) {
        EventQueue queue = events(id);
        doorbells.event.remove(id);
        queue.close();
        dependents.remove(queue);
        Events ended = events.remove(id);
        regions.release(ended.region);
        hardware.budget().give(ended.bytes);
        doorbells.event.free(id);
    }

    /**
     * Takes a number for a completion queue.
     *
     * @param bytes of our memory that it and its work queue take
     */
    int takeCompletion(long bytes) {
        hardware.budget().take("the pair of queues", bytes);
        int id = doorbells.completion.take();
        if (id < 0) {
            hardware.budget().give(bytes);
            throw Refused.exhausted("completion queues", doorbells.completion.most());
        }
        return id;
    }

    int takeWork(boolean send) {
        IdTable<Doorbells.Door> table = send ? doorbells.send : doorbells.receive;
        int id = table.take();
        if (id < 0) {
            throw Refused.exhausted(send ? "send queues" : "receive queues", table.most());
        }
        return id;
    }

    /** Gives numbers back that nothing was made of. */
    void giveBack(int completion, int work, boolean send, long bytes) {
        hardware.budget().give(bytes);
        if (completion >= 0) {
            doorbells.completion.free(completion);
        }
        if (work >= 0) {
            (send ? doorbells.send : doorbells.receive).free(work);
        }
    }

    /** Makes a pair of queues known and answers its handle. */
    long add(WorkObject work, int page) {
        regions.consume(work.workRegion());
        regions.consume(work.completionRegion());
        works.put(nextWork, work);
        ofPorts.computeIfAbsent(work.port(), port -> new HashSet<>()).add(work);
        CompletionQueue completions = work.completions();
        if (completions.events() != null) {
            dependents.merge(completions.events(), 1, Integer::sum);
        }
        doorbells.completion.put(completions.id(), new Doorbells.Door(page, completions::doorbell));
        if (work.isSend()) {
            doorbells.send.put(work.id(), new Doorbells.Door(page, (index, arm) -> work.send().doorbell(index)));
        } else {
            doorbells.receive.put(work.id(),
                    new Doorbells.Door(page, (index, arm) -> work.receive().doorbell(index)));
        }
        return nextWork++;
    }

    WorkObject work(long handle) {
        WorkObject work = works.get(handle);
        if (work == null) {
            throw Refused.missing("the work queue object", handle,
                    "use a handle that create-wq-object has answered");
        }
        return work;
    }

    void end(long handle) {
        WorkObject work = work(handle);
        works.remove(handle);
        close(work);
    }

    private void close(WorkObject work) {
        ofPorts.get(work.port()).remove(work);
        dependents.computeIfPresent(work.completions().events(), (queue, count) -> count - 1);
        IdTable<Doorbells.Door> table = work.isSend() ? doorbells.send : doorbells.receive;
        table.remove(work.id());
        doorbells.completion.remove(work.completions().id());
        undo(work.port().name(), work::close);
        table.free(work.id());
        doorbells.completion.free(work.completions().id());
        regions.release(work.workRegion());
        regions.release(work.completionRegion());
        hardware.budget().give(work.bytes());
    }

    /** Whether a port's queues belong to another protection domain. */
    boolean isUsedByOther(EthernetPort port, int pd) {
        return ofPorts.getOrDefault(port, Set.of()).stream().anyMatch(work -> work.pd() != pd);
    }

    /** Undoes something. What cannot be undone in time is told to the log, and the rest is undone all the same. */
    static void undo(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failed) {
            LOG.warn("{}: {}", what, failed.getMessage());
        }
    }

    /** Whether a port has a send queue. */
    boolean hasSenders(EthernetPort port) {
        return ofPorts.getOrDefault(port, Set.of()).stream().anyMatch(WorkObject::isSend);
    }

    private void endQueues() {
        hardware.ports().forEach(port -> undo(port.name(), port::quiesce));
        works.values().forEach(this::close);
        works.clear();
        for (Integer id : events.keySet().toArray(new Integer[0])) {
            endEvents(id);
        }
    }

    /** Ends all there is; on return no queue of a port or for events touches memory any more. */
    void clear() {
        endQueues();
        registration = null;
    }

    /** What there is, by name. */
    void usage(Map<String, Long> into) {
        into.put("event_queues", (long) events.size());
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

package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.message.CreateQueue;
import java.util.HashMap;
import java.util.Map;

/** The event queues of a function, each of which belongs to one device. Control agent only. */
final class EventQueues {
    private final FunctionParts hardware;
    private final FunctionObjects objects;
    private final IdTable<Doorbells.Door> doors;
    private final Map<Integer, Owned> queues = new HashMap<>();
    /** How many completion queues tell an event queue. */
    private final Map<EventQueue, Integer> dependents = new HashMap<>();

    EventQueues(FunctionParts hardware, FunctionObjects objects, IdTable<Doorbells.Door> doors) {
        this.hardware = hardware;
        this.objects = objects;
        this.doors = doors;
    }

    private record Owned(EventQueue queue, DeviceId device, Region region, long bytes) {
    }

    /** Makes an event queue of a device and answers its number. */
    int create(DeviceId device, CreateQueue asked) {
        FunctionObjects.checkSize("event queue", asked.bytes());
        Region region = objects.regions().get(asked.region());
        QueueMemory memory = objects.queueMemory(region, asked.bytes());
        long bytes = FunctionObjects.queueBytes(asked.bytes());
        hardware.budget().take("the event queue", bytes);
        int id = doors.take();
        if (id < 0) {
            hardware.budget().give(bytes);
            throw CommandException.exhausted("event queues", doors.most());
        }
        EventQueue queue = new EventQueue(id, memory, hardware.vectors().vector(asked.vector()), hardware.rejections());
        objects.regions().consume(region);
        queues.put(id, new Owned(queue, device, region, bytes));
        doors.put(id, new Doorbells.Door(asked.doorbellPage(), queue::doorbell));
        return id;
    }

    /** An event queue that a device may name: its own. */
    EventQueue get(int id, DeviceId device) {
        Owned found = queues.get(id);
        if (found == null || !found.device.equals(device)) {
            throw CommandException.missing("the event queue", Integer.toUnsignedLong(id),
                    "use a number that create-queue has answered to " + device);
        }
        return found.queue;
    }

    /** A completion queue more, or less, sends its events there. */
    void depend(EventQueue queue, int more) {
        if (queue != null && more > 0) {
            dependents.merge(queue, more, Integer::sum);
        } else if (queue != null) {
            // of one that has ended before nothing is remembered
            dependents.computeIfPresent(queue, (_, count) -> count + more == 0 ? null : count + more);
        }
    }

    /** How many queues still send their events there. */
    int dependents(EventQueue queue) {
        return dependents.getOrDefault(queue, 0);
    }

    void end(int id) {
        Owned ended = queues.remove(id);
        doors.remove(id);
        ended.queue.close();
        dependents.remove(ended.queue);
        objects.regions().release(ended.region);
        hardware.budget().give(ended.bytes);
        doors.free(id);
    }

    /** Ends those of a device; returns how many there were. */
    int endOf(DeviceId device) {
        int ended = 0;
        for (Integer id : queues.keySet().toArray(new Integer[0])) {
            if (queues.get(id).device.equals(device)) {
                end(id);
                ended++;
            }
        }
        return ended;
    }

    void end() {
        for (Integer id : queues.keySet().toArray(new Integer[0])) {
            end(id);
        }
    }

    int count() {
        return queues.size();
    }

    /** How many of them, or of those before, are told by completion queues. */
    int told() {
        return dependents.size();
    }
}

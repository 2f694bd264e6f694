package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.IdTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The pairs of a work queue and its completion queue that the Ethernet device has. Control agent only. */
final class WorkObjects {
    private final FunctionParts hardware;
    private final FunctionObjects objects;
    private final Doorbells doorbells;
    private final Map<Long, WorkObject> works = new LinkedHashMap<>();
    /** The same by their ports, of which none has more than a few. */
    private final Map<EthernetPort, Set<WorkObject>> ofPorts = new HashMap<>();
    private long next = 0x5001;

    WorkObjects(FunctionParts hardware, FunctionObjects objects) {
        this.hardware = hardware;
        this.objects = objects;
        this.doorbells = objects.doorbells();
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
            throw CommandException.exhausted("completion queues", doorbells.completion.most());
        }
        return id;
    }

    int takeWork(boolean send) {
        IdTable<Doorbells.Door> table = send ? doorbells.send : doorbells.receive;
        int id = table.take();
        if (id < 0) {
            throw CommandException.exhausted(send ? "send queues" : "receive queues", table.most());
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

    /**
     * Makes a pair of queues known and answers its handle.
     *
     * @param moderated whether the driver may say how events are held back
     */
    long add(WorkObject work, int page, boolean moderated) {
        objects.regions().consume(work.workRegion());
        objects.regions().consume(work.completionRegion());
        works.put(next, work);
        ofPorts.computeIfAbsent(work.port(), port -> new HashSet<>()).add(work);
        CompletionQueue completions = work.completions();
        objects.events().depend(completions.events(), 1);
        doorbells.completion.put(completions.id(), new Doorbells.Door(page, completions::doorbell,
                moderated ? completions::moderate : null));
        if (work.isSend()) {
            doorbells.send.put(work.id(), new Doorbells.Door(page, (index, arm) -> work.send().doorbell(index)));
        } else {
            doorbells.receive.put(work.id(),
                    new Doorbells.Door(page, (index, arm) -> work.receive().doorbell(index)));
        }
        return next++;
    }

    WorkObject work(long handle) {
        WorkObject work = works.get(handle);
        if (work == null) {
            throw CommandException.missing("the work queue object", handle,
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
        objects.events().depend(work.completions().events(), -1);
        IdTable<Doorbells.Door> table = work.isSend() ? doorbells.send : doorbells.receive;
        table.remove(work.id());
        doorbells.completion.remove(work.completions().id());
        FunctionObjects.undo(work.port().name(), work::close);
        table.free(work.id());
        doorbells.completion.free(work.completions().id());
        objects.regions().release(work.workRegion());
        objects.regions().release(work.completionRegion());
        hardware.budget().give(work.bytes());
    }

    /** Whether a port's queues belong to another protection domain. */
    boolean isUsedByOther(EthernetPort port, int pd) {
        return ofPorts.getOrDefault(port, Set.of()).stream().anyMatch(work -> work.pd() != pd);
    }

    /** Whether a port has a send queue. */
    boolean hasSenders(EthernetPort port) {
        return ofPorts.getOrDefault(port, Set.of()).stream().anyMatch(WorkObject::isSend);
    }

    /** Ends all of them; returns how many there were. */
    int end() {
        int ended = works.size();
        hardware.ports().forEach(port -> FunctionObjects.undo(port.name(), port::quiesce));
        works.values().forEach(this::close);
        works.clear();
        return ended;
    }
}

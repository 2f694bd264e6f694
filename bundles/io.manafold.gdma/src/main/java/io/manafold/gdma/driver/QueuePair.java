package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;

/** A work queue of a vPort with its completion queue: one object of the Ethernet device. */
public final class QueuePair {
    private final ClientSession client;
    private final QueueRights rights;
    private final int type;
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final long object;

    /**
     * Makes the two, over memory of the client.
     *
     * @param rights the same that the vPort's sends were given
     * @param type {@link QueueType#SEND} or {@link QueueType#RECEIVE}
     * @param workBytes of the requests, a power of two
     * @param completionBytes of the completions, of any length
     * @param eventQueue id of the queue that hears of completions
     */
    public QueuePair(ClientSession client, QueueRights rights, long vport, int type, int workBytes, int completionBytes,
            int eventQueue) {
        this.client = client;
        this.rights = rights;
        this.type = type;
        FunctionSession function = client.function();
        DmaArena memory = client.memory();
        DmaPiece workMemory = memory.allocate(workBytes);
        DmaPiece completionMemory = null;
        long workRegion = 0;
        long completionRegion = 0;
        try {
            completionMemory = memory.allocate(completionBytes);
            workRegion = function.createRegion(workMemory, workBytes);
            completionRegion = function.createRegion(completionMemory, completionBytes);
            CreateWqObject.Result made = client.call(new CreateWqObject(vport, type, workRegion, completionRegion,
                    workBytes, completionBytes, 0, eventQueue));
            work = new WorkQueue(workMemory, workBytes, type == QueueType.SEND ? Doorbell.SEND : Doorbell.RECEIVE,
                    rights.page(), made.workQueue());
            completions = new CompletionQueue(completionMemory, completionBytes, rights.page(), made.completionQueue());
            object = made.object();
            client.things().add(this, type == QueueType.SEND ? "send queues" : "receive queues", this::destroy);
        } catch (RuntimeException refused) {
            if (completionRegion != 0) {
                function.abandonRegion(completionRegion);
            }
            if (workRegion != 0) {
                function.abandonRegion(workRegion);
            }
            if (completionMemory != null) {
                memory.free(completionMemory);
            }
            memory.free(workMemory);
            throw refused;
        }
    }

    /** What they were made with. */
    public QueueRights rights() {
        return rights;
    }

    public WorkQueue work() {
        return work;
    }

    public CompletionQueue completions() {
        return completions;
    }

    /** The handle of the two. */
    public long object() {
        return object;
    }

    /** The next completion of the work queue; 0 if there is none, or one that is not its own. */
    public long next() {
        return completions.next(work.id(), type);
    }

    /** Ends the two and gives their memory back; a second time does nothing. */
    public void destroy() {
        if (!client.things().remove(this)) {
            return;
        }
        try {
            client.call(new DestroyWqObject(type, object));
        } finally {
            client.memory().free(work.memory());
            client.memory().free(completions.memory());
        }
    }
}

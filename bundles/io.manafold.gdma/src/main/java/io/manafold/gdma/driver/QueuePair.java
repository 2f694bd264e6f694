package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;

/** A work queue with its completion queue: one object of the device. */
public final class QueuePair {
    private final FunctionSession session;
    private final int type;
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final long object;

    /**
     * Makes the two, over memory of the session.
     *
     * @param type {@link QueueType#SEND} or {@link QueueType#RECEIVE}
     * @param eventQueue id of the queue that hears of completions
     */
    public QueuePair(FunctionSession session, long vport, int type, int workBytes, int completionBytes, int eventQueue) {
        this.session = session;
        this.type = type;
        DmaArena memory = session.memory();
        DmaPiece workMemory = memory.allocate(workBytes);
        DmaPiece completionMemory = null;
        long workRegion = 0;
        long completionRegion = 0;
        try {
            completionMemory = memory.allocate(completionBytes);
            workRegion = session.createRegion(workMemory, workBytes);
            completionRegion = session.createRegion(completionMemory, completionBytes);
            CreateWqObject.Result made = session.call(new CreateWqObject(vport, type, workRegion, completionRegion,
                    workBytes, completionBytes, 0, eventQueue));
            int page = session.registration().doorbellPage();
            work = new WorkQueue(workMemory, workBytes, type == QueueType.SEND ? Doorbell.SEND : Doorbell.RECEIVE,
                    session.registers());
            work.name(made.workQueue(), page);
            completions = new CompletionQueue(completionMemory, completionBytes, session.registers());
            completions.name(made.completionQueue(), page);
            object = made.object();
        } catch (RuntimeException refused) {
            if (completionRegion != 0) {
                session.abandonRegion(completionRegion);
            }
            if (workRegion != 0) {
                session.abandonRegion(workRegion);
            }
            if (completionMemory != null) {
                memory.free(completionMemory);
            }
            memory.free(workMemory);
            throw refused;
        }
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

    /** The next completion, checked to be of this queue; 0 if there is none. */
    long next() {
        long entry = completions.next();
        if (entry != 0) {
            int last = completions.last();
            if (CompletionEntry.workQueue(last) != work.id()
                    || CompletionEntry.isSendSide(last) != (type == QueueType.SEND)) {
                throw new Refusal(Errno.EPROTO, "The completion 0x" + Integer.toHexString(last)
                        + " is not of the " + QueueType.name(type) + " " + work.id() + "; reset the function.");
            }
        }
        return entry;
    }

    /** Ends the two and gives their memory back. */
    public void destroy() {
        try {
            session.call(new DestroyWqObject(type, object));
        } finally {
            session.memory().free(work.memory());
            session.memory().free(completions.memory());
        }
    }
}

package io.manafold.adapter.internal.rdma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Queue pairs whose doorbell was rung, on their way to the agent. Any thread adds, the agent takes all. */
final class ReadySet {
    private static final VarHandle FIRST;

    static {
        try {
            FIRST = MethodHandles.lookup().findVarHandle(ReadySet.class, "first", QueuePair.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private QueuePair first;

    /** Adds a queue pair unless it is in already; whether it was not. */
    boolean add(QueuePair pair) {
        if (!pair.markReady()) {
            return false;
        }
        QueuePair before;
        do {
            before = (QueuePair) FIRST.getVolatile(this);
            pair.nextReady = before;
        } while (!FIRST.compareAndSet(this, before, pair));
        return true;
    }

    boolean isEmpty() {
        return FIRST.getOpaque(this) == null;
    }

    /** Takes all; the others hang on {@link QueuePair#nextReady}. */
    QueuePair take() {
        return isEmpty() ? null : (QueuePair) FIRST.getAndSet(this, null);
    }
}

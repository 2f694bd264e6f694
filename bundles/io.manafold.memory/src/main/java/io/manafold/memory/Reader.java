package io.manafold.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A thread's word on whether it may hold pointers: between {@link #enter} and {@link #leave} it may, outside it holds
 * none. Belongs to one thread at a time. Entering and leaving allocate nothing and take no lock.
 */
public final class Reader implements AutoCloseable {
    private static final VarHandle CYCLE;

    static {
        try {
            CYCLE = MethodHandles.lookup().findVarHandle(Reader.class, "cycle", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    /** Odd inside a cycle. */
    private long cycle;

    Reader(String name) {
        this.name = name;
    }

    /** Whose word it is. */
    public String name() {
        return name;
    }

    /** From here on pointers may be made and used. */
    public void enter() {
        long now = (long) CYCLE.getOpaque(this);
        if ((now & 1) != 0) {
            throw new IllegalStateException("The reader " + name + " is inside already.");
        }
        // with a fence: a thread that does not see this in time must have changed its table before we look at it
        CYCLE.setVolatile(this, now + 1);
    }

    /** From here on no pointer made before is used. */
    public void leave() {
        long now = (long) CYCLE.getOpaque(this);
        if ((now & 1) != 0) {
            CYCLE.setRelease(this, now + 1);
        }
    }

    /** Whether the thread is between {@link #enter} and {@link #leave}. */
    public boolean inside() {
        return (current() & 1) != 0;
    }

    /** Forgets this reader; its thread makes no pointers any more. */
    @Override
    public void close() {
        Readers.forget(this);
        leave();
    }

    long current() {
        return (long) CYCLE.getVolatile(this);
    }
}

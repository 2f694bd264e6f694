package io.manafold.fabric.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any thread reads. */
final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long value;

    void add(long more) {
        VALUE.setOpaque(this, value + more);
    }

    long get() {
        return (long) VALUE.getOpaque(this);
    }
}

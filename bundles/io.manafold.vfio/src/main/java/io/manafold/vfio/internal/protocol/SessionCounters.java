package io.manafold.vfio.internal.protocol;

import io.manafold.api.vfio.ExportCosts;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a session costs. Any thread. */
public final class SessionCounters {
    private final LongAdder messages = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder interrupts = new LongAdder();

    void message() {
        messages.increment();
    }

    void call() {
        calls.increment();
    }

    void interrupt() {
        calls.increment();
        interrupts.increment();
    }

    /** @param stuck how often an interrupt had to wait for the guest */
    public ExportCosts soFar(long stuck) {
        return new ExportCosts(messages.sum(), calls.sum(), interrupts.sum(), stuck);
    }
}

package io.manafold.commands.platform.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Carries what happens from the thread on which it happens to the one that shows it, as long as a person reads. */
final class Follow<T> {
    /** How much is held for a reader who is slower than what happens. */
    private static final int HELD = 4096;

    private final BlockingQueue<T> held = new ArrayBlockingQueue<>(HELD);
    private final AtomicLong lost = new AtomicLong();

    /** Takes something in, at once; what there is no room for is counted. */
    void offer(T item) {
        if (!held.offer(item)) {
            lost.incrementAndGet();
        }
    }

    /** Shows everything until the reader has gone, the source has gone, or the thread is interrupted. */
    void show(Call call, BooleanSupplier sourceIsThere, Consumer<T> printer) throws InterruptedException {
        while (!call.out().checkError()) {
            T item = held.poll(1, TimeUnit.SECONDS);
            long missed = lost.getAndSet(0);
            if (missed > 0) {
                call.err().println("manafold: " + missed + " left out: they came faster than they were read");
            }
            if (item != null) {
                printer.accept(item);
            } else if (!sourceIsThere.getAsBoolean()) {
                throw new Refusal(Errno.ENODEV, "What was being followed has gone with its bundle.");
            }
        }
    }
}

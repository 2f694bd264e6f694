package io.manafold.qualify.internal;

import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Unit;
import java.util.List;
import java.util.Map;

/** What is measured, and with what. */
interface Subject extends AutoCloseable {
    Engine engine();

    /** Says what it is and how it is measured. */
    void describe(Map<String, String> setup);

    /** What is not measured from the start, each with the reason. */
    Map<String, String> leftOut();

    /** Until it gets no faster: what is run for the first time is compiled meanwhile. */
    void warmUp() throws InterruptedException;

    /** Measures everything once. */
    void round(Steps steps) throws InterruptedException;

    @Override
    default void close() {
        // most leave nothing behind
    }

    /** A measurement that gives one value or more. */
    @FunctionalInterface
    interface Step {
        List<Value> take() throws InterruptedException;
    }

    /** Takes steps, one after the other. */
    @FunctionalInterface
    interface Steps {
        /**
         * Takes the values of a step, with what the machine did in the meantime. One that was refused is not tried
         * again.
         */
        void take(String what, Step step) throws InterruptedException;
    }

    /** What a search says of frames of a size. */
    static List<Value> values(Bisection.Found found, int size, int burst, int queues) {
        return List.of(new Value("rate", size, burst, queues, Unit.PACKETS_PER_SECOND, found.rate()),
                new Value("full", size, burst, queues, Unit.PACKETS_PER_SECOND, found.full()),
                new Value("lost", size, burst, queues, Unit.PERCENT, 100 * found.lost()));
    }
}

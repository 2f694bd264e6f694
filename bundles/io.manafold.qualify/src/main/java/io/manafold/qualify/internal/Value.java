package io.manafold.qualify.internal;

import io.manafold.api.qualify.Unit;

/**
 * What a step has found of a measure.
 *
 * @param frame bytes, or 0; likewise {@code burst} and {@code queues}
 */
record Value(String name, int frame, int burst, int queues, Unit unit, double value) {
    Value(String name, int frame, Unit unit, double value) {
        this(name, frame, 0, 0, unit, value);
    }
}

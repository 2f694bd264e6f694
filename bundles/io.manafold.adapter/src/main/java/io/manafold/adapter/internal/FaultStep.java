package io.manafold.adapter.internal;

import io.manafold.api.adapter.Fault;

/**
 * One line of a script of faults.
 *
 * @param afterAnswers how many answers to its message are right before it begins, counted from where the step before
 *        begins; 0 for none
 * @param afterNanos how much time passes between the step before and this one; 0 for none
 * @param every out of how many answers to its message one goes wrong; 1 for each
 */
record FaultStep(Fault fault, int afterAnswers, long afterNanos, int every) {
    /** Whether it is about the answer to a message. */
    boolean isAbout(String message) {
        return isOfPort() || fault.message() == null || fault.message().equals(message);
    }

    boolean isOfPort() {
        return fault.effect() == Fault.Effect.WITHHOLD_COMPLETION;
    }
}

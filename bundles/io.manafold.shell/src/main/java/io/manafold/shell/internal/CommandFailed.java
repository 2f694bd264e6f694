package io.manafold.shell.internal;

/** Carries an outcome out of Gogo's own constructs, which know failure by exceptions only. */
final class CommandFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    CommandFailed(Outcome outcome) {
        super(outcome.message(), null, false, false);
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }
}

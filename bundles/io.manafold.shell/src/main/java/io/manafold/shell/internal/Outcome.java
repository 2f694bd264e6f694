package io.manafold.shell.internal;

import io.manafold.shell.Session;

/**
 * How a command ended.
 *
 * @param message what there is to say to the user, perhaps several lines; empty when all is well
 * @param json whether the message is a JSON object, for a program that asked for one
 */
record Outcome(int status, String message, boolean json) {
    static final Outcome DONE = new Outcome(Session.DONE, "");
    static final Outcome INTERRUPTED = new Outcome(Session.FAILED, "interrupted");

    Outcome(int status, String message) {
        this(status, message, false);
    }

    /** The words for the error stream. */
    String told() {
        return json ? message : "manafold: " + message;
    }
}

package io.manafold.shell.internal;

import io.manafold.shell.Session;

/**
 * How a command ended.
 *
 * @param message what there is to say to the user, perhaps several lines; empty when all is well
 */
record Outcome(int status, String message) {
    static final Outcome DONE = new Outcome(Session.DONE, "");
    static final Outcome INTERRUPTED = new Outcome(Session.FAILED, "interrupted");
}

package io.manafold.shell.internal;

import java.util.List;

/**
 * Commands joined by pipes.
 *
 * @param text all of it as it was typed
 * @param otherwise whether it runs only if the one before has failed
 */
record Statement(List<Stage> stages, String text, boolean otherwise) {
    /** Whether Gogo can have it as it was typed. */
    boolean isForeign() {
        return stages.stream().allMatch(Stage.Foreign.class::isInstance);
    }
}

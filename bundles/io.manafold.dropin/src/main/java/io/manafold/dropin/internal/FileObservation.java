package io.manafold.dropin.internal;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A JAR as it was seen in the folder.
 *
 * @param touched when anything about the file last changed, by the clock of its file system; a copy that keeps the
 *        modification time of its original still shows here
 */
record FileObservation(Path path, FileState state, Instant touched) {
}

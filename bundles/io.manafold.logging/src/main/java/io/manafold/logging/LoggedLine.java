package io.manafold.logging;

import java.time.Instant;

/**
 * What one call to a logger came to.
 *
 * @param level {@code ERROR}, {@code WARN}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 * @param logger the logger's name without its package
 * @param text one line without control characters; a logged throwable is named in it
 * @param trace the throwable's stack trace, for a file and never for a terminal; empty if there was none
 */
public record LoggedLine(Instant time, String level, String logger, String text, String trace) {
}

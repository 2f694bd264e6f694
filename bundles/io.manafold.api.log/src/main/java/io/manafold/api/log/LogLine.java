package io.manafold.api.log;

import java.time.Instant;

/**
 * One line of the log.
 *
 * @param level {@code ERROR}, {@code WARN}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 * @param logger who speaks, without the package
 */
public record LogLine(Instant time, String level, String logger, String text) {
}

package io.manafold.api.adapter;

import java.time.Instant;

/**
 * Something that an adapter has done wrong on purpose.
 *
 * @param message the name of the message whose answer it was about, or of the port
 * @param fault what was asked for
 */
public record FaultTrace(Instant time, String message, Fault fault) {
}

package io.manafold.api.adapter;

import java.time.Instant;

/**
 * A message of a driver on the hardware channel, and how it was answered.
 *
 * @param name as firmware and faults call it
 * @param status that of the answer as it was made; a fault may have kept it from the driver
 * @param outcome the status in a word, {@code success} if it is 0
 */
public record ChannelMessage(Instant time, String name, int status, String outcome) {
}

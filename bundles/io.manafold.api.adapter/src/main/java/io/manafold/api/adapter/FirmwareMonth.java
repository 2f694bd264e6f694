package io.manafold.api.adapter;

import java.util.List;

/**
 * What the firmware of a month has brought.
 *
 * @param month as {@code 2026-10}
 * @param messages of the hardware channel that are known from then on, by their codes
 * @param features what else there is from then on
 */
public record FirmwareMonth(String month, List<Message> messages, List<Feature> features) {
    public FirmwareMonth {
        messages = List.copyOf(messages);
        features = List.copyOf(features);
    }

    /**
     * A message.
     *
     * @param code of its head
     * @param name as faults and statistics have it
     */
    public record Message(int code, String name) {
    }

    /**
     * A feature.
     *
     * @param name a word with dashes
     * @param meaning what a driver sees of it, in a sentence
     */
    public record Feature(String name, String meaning) {
    }
}

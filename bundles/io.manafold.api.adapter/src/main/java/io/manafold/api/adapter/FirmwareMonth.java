package io.manafold.api.adapter;

import java.util.List;

/**
 * What the firmware of a month has brought.
 *
 * @param month as {@code 2026-10}
 * @param messages of the hardware channel that are known from then on, by their codes
 * @param features what else there is from then on
 * @param limits those that are another from then on; of the oldest month, all
 */
public record FirmwareMonth(String month, List<Message> messages, List<Feature> features, List<Limit> limits) {
    public FirmwareMonth {
        messages = List.copyOf(messages);
        features = List.copyOf(features);
        limits = List.copyOf(limits);
    }

    /** One that has changed no limit. */
    public FirmwareMonth(String month, List<Message> messages, List<Feature> features) {
        this(month, messages, features, List.of());
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

    /**
     * How much there can be of something at most.
     *
     * @param name a word with dashes
     * @param value from this month on
     * @param meaning what of, in words
     */
    public record Limit(String name, long value, String meaning) {
    }
}

package io.manafold.api.adapter;

/**
 * A parameter of congestion control.
 *
 * @param name as administrators of network adapters know it: {@code rpg_time_reset}
 * @param usual the value from the factory
 * @param unit {@code µs}, or empty
 * @param meaning a phrase
 */
public record RdmaParameter(String name, int value, int usual, int least, int most, String unit, String meaning) {
}

package io.manafold.api.net;

/** A counter by the name that {@code ethtool -S} gives it. */
public record Counter(String name, long value) {
}

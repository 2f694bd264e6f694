package io.manafold.api.traffic;

import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/** What became of traffic up to a moment. */
@ProviderType
public interface TrafficReport {
    /** Since the first packet was sent, until the last has arrived. */
    Duration time();

    /** Packets that the sending device has taken. */
    long sent();

    long sentBytes();

    /** Packets that have arrived whole, each counted once. */
    long received();

    long receivedBytes();

    /** Packets that did not arrive: while it is running those that later ones have overtaken, in the end all. */
    long lost();

    /** Packets that arrived after a later one of their flow. */
    long reordered();

    /** Packets that had arrived before. */
    long duplicated();

    /** Packets that were not what was sent. */
    long corrupted();

    /** The longest time between two arrivals; of a replaced driver, its gap. */
    Duration longestGap();

    /** How often a device went away from under it and came back. */
    long returns();
}

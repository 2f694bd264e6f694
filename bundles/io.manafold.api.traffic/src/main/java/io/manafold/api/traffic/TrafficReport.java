package io.manafold.api.traffic;

import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** What became of traffic up to a moment. */
@ProviderType
public interface TrafficReport {
    /** Since the first packet was sent, until the last has arrived. */
    Duration time();

    /** Packets that the sending device has taken; of a large send as many as it is cut into. */
    long sent();

    /** Large sends that the sending device has taken. */
    long largeSends();

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

    /** Packets whose transport checksum the receiving device vouches for. */
    long checksumsGood();

    /** Packets that were not what was sent. */
    long corrupted();

    /** The longest time between two arrivals; of a replaced driver, its gap. */
    Duration longestGap();

    /** How often a device went away from under it and came back. */
    long returns();

    /** From the first packet that was sent until the last so far. */
    Duration sending();

    /** How often the sending device had no room for what was due. */
    long full();

    /** By queue, those that had something. */
    List<TrafficShare> shares();

    /** Where packets were lost, as far as devices and links tell; together not more than {@link #lost}. */
    List<TrafficLoss> losses();
}

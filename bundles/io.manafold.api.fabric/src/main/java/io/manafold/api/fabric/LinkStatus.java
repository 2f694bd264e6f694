package io.manafold.api.fabric;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** A link at a moment. */
@ProviderType
public interface LinkStatus {
    String name();

    /** {@code switch}, {@code direct}, {@code tap}, {@code packet}. */
    String kind();

    /** Every port it is meant for, plugged in or not; last the host's interface, if it leads there. */
    List<PortStatus> ports();

    Impairments impairments();

    /** What is done to single packets, in the order of the rules. */
    List<RuleStatus> rules();

    /** How frames wait, if the link has a rate. */
    Optional<Queueing> queueing();

    /** The queue in front of every port, in the order of the ports; none without a rate. */
    List<QueueStatus> queues();

    /** Counters of the link by name: {@code frames}, {@code bytes}, {@code lost}, {@code duplicated} … */
    Map<String, Long> counters();

    /** Which station was last heard at which port: MAC address to port. */
    Map<String, String> stations();

    /** What is wrong with it, sentences. */
    List<String> problems();

    /**
     * One end of a link; frames are counted as seen by the port: transmitted into the link, received from it.
     *
     * @param mistakes how often a port was unplugged here because its software made a mistake
     */
    record PortStatus(String name, boolean plugged, long txFrames, long txBytes, long rxFrames, long rxBytes,
            long mistakes) {
    }

    /**
     * A rule at a moment.
     *
     * @param matched how many packets it was applied to
     */
    record RuleStatus(PacketRule rule, long matched) {
    }

    /**
     * The queue in front of a port.
     *
     * @param bytes how many wait now
     * @param highest how many have waited at most
     * @param dropped frames for which there was no room
     * @param marked packets that were marked as having met congestion
     * @param pauses pause frames that were sent to the port
     */
    record QueueStatus(String port, long bytes, long highest, long dropped, long marked, long pauses) {
    }
}

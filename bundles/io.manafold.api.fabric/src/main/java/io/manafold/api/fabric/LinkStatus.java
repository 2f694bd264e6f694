package io.manafold.api.fabric;

import java.util.List;
import java.util.Map;
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
}

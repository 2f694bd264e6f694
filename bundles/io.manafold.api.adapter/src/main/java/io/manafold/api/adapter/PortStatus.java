package io.manafold.api.adapter;

import io.manafold.api.net.MacAddress;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** A port at a moment. */
@ProviderType
public interface PortStatus {
    /** {@code one/1}. */
    String name();

    MacAddress mac();

    /** The link it is plugged into, or {@code null}. */
    String link();

    /** Whether its driver lets frames in. */
    boolean open();

    long speedBits();

    /** The bandwidth its driver has set, or 0. */
    long clampBits();

    /** {@code tx_packets}, {@code rx_packets}, {@code tx_bytes}, {@code rx_bytes}, then the rest by name. */
    Map<String, Long> counters();

    /** The queue pairs, each by counter name; {@code queue} is its number. */
    List<Map<String, Long>> queues();
}

package io.manafold.lab.internal;

import java.util.Map;
import java.util.Optional;

/** Who on the platform takes the configurations that labs make. */
interface Takers {
    /** Whether anything here is configured by this factory PID. */
    boolean serves(String factoryPid);

    /**
     * What keeps a configuration from being at work, if that can be known.
     *
     * @param properties what it holds
     */
    Optional<Obstacle> obstacle(String pid, Map<String, Object> properties);

    /**
     * A reason for not being at work.
     *
     * @param clause what it is, to follow a colon
     * @param lasting whether waiting does not help
     */
    record Obstacle(String clause, boolean lasting) {
    }
}

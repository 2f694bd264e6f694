package io.manafold.lab.internal;

import java.util.Map;

/** What on the platform takes the configurations that labs make. */
interface ConfigurationConsumers {
    /** Whether anything here is configured by this factory PID. */
    boolean serves(String factoryPid);

    /**
     * What keeps configurations from being at work, as far as that can be known; by PID.
     *
     * @param held what they hold, by PID
     */
    Map<String, Obstacle> obstacles(Map<String, Map<String, Object>> held);

    /**
     * A reason for not being at work.
     *
     * @param clause what it is, to follow a colon
     * @param lasting whether waiting does not help
     */
    record Obstacle(String clause, boolean lasting) {
    }
}

package io.manafold.commands.lab.internal;

import java.util.Optional;

/** What on the platform makes something of a configuration. */
interface ConfigurationConsumers {
    /** Whether anything here is configured by this factory PID. */
    boolean serves(String factoryPid);

    /** What keeps a configuration from being at work, if that can be known. */
    Optional<Obstacle> obstacle(String factoryPid, String pid);

    /** Whether something is made of a configuration, or was tried, and has not been let go since. */
    boolean holds(String factoryPid, String pid);

    /**
     * A reason for not being at work.
     *
     * @param clause what it is, to follow a colon
     * @param lasting whether waiting does not help
     */
    record Obstacle(String clause, boolean lasting) {
    }
}

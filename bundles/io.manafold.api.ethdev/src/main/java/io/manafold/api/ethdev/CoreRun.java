package io.manafold.api.ethdev;

import org.osgi.annotation.versioning.ProviderType;

/** Work that a core has been given. */
@ProviderType
public interface CoreRun {
    /** Turns that were taken so far. */
    long turns();

    /** Turns in which there was nothing to do. */
    long emptyTurns();

    /** What has ended the work before it was stopped, or {@code null}. */
    Throwable failure();

    /**
     * Ends the work: when this returns, the core is in no turn any more. A second time does nothing.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ETIMEDOUT} if a turn on the thread of a port's agent does not end:
     *     no other follows it, and what it has it keeps
     */
    void stop();
}

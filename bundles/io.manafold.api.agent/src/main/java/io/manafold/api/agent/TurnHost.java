package io.manafold.api.agent;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The agent that moves the frames of a port, as far as it lets others take turns on its thread. A service of the
 * adapter that has the port, with the properties {@code address} (of the function) and {@code port} (from 1).
 */
@ProviderType
public interface TurnHost {
    /**
     * Has work take a turn after each of the port's own, on whatever thread the port's agent is at the time; one turn
     * ends before the next begins, and sees what that did. Work that blocks stops all ports of the agent. An
     * agent that does not answer within some seconds is a refusal, {@code ETIMEDOUT}.
     *
     * @return ends that: when its {@code close} returns, the work is in no turn. Not to be closed within a turn
     */
    AutoCloseable join(DutyCycle work);
}

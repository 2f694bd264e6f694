package io.manafold.api.fabric;

import org.osgi.annotation.versioning.ProviderType;

/** The link's side of a plug: what the port sends through. */
@ProviderType
public interface Wire extends AutoCloseable {
    /**
     * Sends frames; only on the link's agent, in the duty cycle or in a command. Those the link cannot take are dropped
     * and counted there, so is what is sent from within {@link Plug#receive}.
     */
    void send(Frames frames);

    /** Tells the agent that its duty cycle has something to do. Any thread; nearly free if the agent is at work. */
    void wake();

    /**
     * Has something run on the agent before its next cycle, in the order of the calls. Any thread but the agent's;
     * after {@link #close} it runs on the calling thread, since the agent then calls nothing of the plug any more.
     */
    void execute(Runnable command);

    /** The link's rate in bit/s, which the times of its pause frames count in; 0 if frames never wait for others. */
    default long rate() {
        return 0;
    }

    /**
     * Whether the link has unplugged it by itself, because its plug made a mistake; {@link #close} is still due then.
     */
    default boolean isThrownOut() {
        return false;
    }

    /**
     * Unplugs. When it returns the agent calls the plug no more, and commands handed over before have run; on the agent
     * itself those still run before the next cycle. Never waits longer than some seconds for an agent that is stuck.
     */
    @Override
    void close();
}

package io.manafold.shell;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A word that people can type. Register it as a service and it is there in every session, in the help and in
 * completion. One object serves all sessions at once, so it keeps no state of a call.
 */
@ConsumerType
public interface Command {
    /**
     * A property of the service: what the command is called, as its syntax says. With it the shell knows the command by
     * name and asks for the object when it is first used; without it, when the service arrives.
     */
    String NAME = "io.manafold.command";

    /** What it is called and takes. Asked for once. */
    Syntax syntax();

    /**
     * Carries out one call, on the session's thread or on one of a pipe. Blocking is fine if it ends on interruption.
     *
     * @throws UsageError if the words do not make sense; status 2
     * @throws io.manafold.api.refusal.Refusal if they do and it cannot be done; status 1
     * @throws InterruptedException if the user has had enough; status 1
     * @throws Exception anything else; status 1, a sentence for the user and the stack trace in the log
     */
    void run(Call call) throws Exception;
}

package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.Status;

/** A device answered a command with a status that is no success. */
public final class CommandRefused extends Refusal {
    private static final long serialVersionUID = 1L;

    private final Command command;
    private final int status;

    public CommandRefused(Command command, int status) {
        super(status == Status.UNSUPPORTED ? Errno.EOPNOTSUPP : Errno.EPROTO, "The device answered " + command
                + " with " + Status.name(status) + (status == Status.UNSUPPORTED
                ? ": it does not know the command." : "; what it was asked for is not as the contract wants it."));
        this.command = command;
        this.status = status;
    }

    public Command command() {
        return command;
    }

    /** A value of {@link Status}. */
    public int status() {
        return status;
    }
}

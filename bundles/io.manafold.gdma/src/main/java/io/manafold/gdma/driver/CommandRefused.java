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
                + " with " + Status.name(status) + why(status));
        this.command = command;
        this.status = status;
    }

    /** The errno is the same for all but one status, as with Linux's driver; the sentence is not. */
    private static String why(int status) {
        return switch (status) {
            case Status.UNSUPPORTED -> ": it does not know the command.";
            case Status.NO_RESOURCES -> ": there is no more of what was asked for. Do with fewer, or have some that "
                    + "are there destroyed first.";
            case Status.NOT_FOUND, Status.NOT_SUPPORTED, Status.BUSY, Status.DENIED, Status.INTERNAL_ERROR -> ". "
                    + Status.meaning(status);
            default -> "; what it was asked for is not as the contract wants it.";
        };
    }

    public Command command() {
        return command;
    }

    /** A value of {@link Status}. */
    public int status() {
        return status;
    }
}

package io.manafold.adapter.internal;

import io.manafold.gdma.Status;

/** A command that is not carried out: the status for its answer, and the reason for people. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String right;

    /**
     * @param rule the rule that was broken
     * @param right what would have been right
     */
    CommandException(int status, String rule, String right) {
        super(rule, null, false, false);
        this.status = status;
        this.right = right;
    }

    static CommandException invalid(String rule, String right) {
        return new CommandException(Status.INVALID_PARAMETER, rule, right);
    }

    static CommandException missing(String what, long number, String right) {
        return new CommandException(Status.NOT_FOUND, what + " 0x" + Long.toHexString(number) + " does not exist",
                right);
    }

    static CommandException exhausted(String what, long most) {
        return new CommandException(Status.NO_RESOURCES, "there are at most " + most + " " + what,
                "destroy some that are not used any more");
    }

    static CommandException beyondBudget(String what, long bytes, long taken, long most) {
        return new CommandException(Status.NO_RESOURCES,
                "what drivers have all adapters make takes half of the platform's "
                + "memory at most; this adapter has " + taken + " of the " + most
                + " bytes that it could have now, and " + what + " takes " + bytes,
                "destroy what is not used any more");
    }

    int status() {
        return status;
    }

    String right() {
        return right;
    }
}

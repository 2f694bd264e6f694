package io.manafold.api.refusal;

/**
 * What was asked is done and in force, but could not be written down: a crash or a restart would lose it. The platform
 * goes on trying to write it. A caller with several changes to make goes on with the others, and passes this on at its
 * end.
 */
public final class NotKept extends Refusal {
    private static final long serialVersionUID = 1L;

    /** @param why what cannot be written, and why: a clause without a full stop */
    public NotKept(String why, Throwable cause) {
        super(Errno.EIO, "done, but it will not outlive the platform: " + why + "; it is tried again every 10 s, and "
                + "'events' tells when it is kept", cause);
    }
}

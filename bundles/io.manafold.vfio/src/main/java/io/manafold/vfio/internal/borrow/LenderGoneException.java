package io.manafold.vfio.internal.borrow;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** The lender is not there any more, or not to be trusted any more; the clause says why. Carries no stack trace. */
final class LenderGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    LenderGoneException(Errno errno, String clause) {
        super(clause, null, false, false);
        this.errno = errno;
    }

    Errno errno() {
        return errno;
    }

    /** For those who are not told by the bus. */
    Refusal refusal(String what) {
        return new Refusal(errno, what + ": " + getMessage());
    }
}

package io.manafold.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.junit.jupiter.api.Assumptions;

/** Whether tests may have rings at all. */
final class Rings {
    private Rings() {
    }

    /** Leaves tests out, and says why, where an administrator forbids rings or the kernel has none. */
    static void areAllowed() {
        try {
            Ring.open(RingSetup.of(1, 1)).close();
        } catch (Refusal refused) {
            Assumptions.assumeFalse(refused.errno() == Errno.EPERM || refused.errno() == Errno.EOPNOTSUPP, refused.getMessage());
            throw refused;
        }
    }
}

package io.manafold.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.junit.jupiter.api.Assumptions;

/** Whether tests may have rings at all. */
public final class Rings {
    private Rings() {
    }

    /** Leaves tests out, and says why, where an administrator forbids rings or the kernel has none. */
    public static void areAllowed() {
        try {
            Ring.open(RingSetup.of(1, 1)).close();
        } catch (Refusal refused) {
            Assumptions.assumeFalse(refused.errno() == Errno.EPERM || refused.errno() == Errno.EOPNOTSUPP,
                    refused.getMessage());
            throw refused;
        }
    }

    /** Leaves a test out where this kernel cannot do what it is about. */
    public static void can(Operation operation) {
        Probe.Answer answer = Probe.run().get(operation.ordinal());
        Assumptions.assumeTrue(answer.available(), answer.why());
    }
}

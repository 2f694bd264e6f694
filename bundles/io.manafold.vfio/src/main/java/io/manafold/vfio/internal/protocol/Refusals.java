package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** From what was thrown to the number that goes over the wire. */
final class Refusals {
    private Refusals() {
    }

    static int errno(Throwable thrown) {
        return (thrown instanceof Refusal refusal ? refusal.errno() : Errno.EIO).number();
    }
}

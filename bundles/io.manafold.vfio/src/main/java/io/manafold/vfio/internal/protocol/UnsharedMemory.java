package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** The machine's memory is none that another process can share: its function will do nothing. */
final class UnsharedMemory extends Refusal {
    private static final long serialVersionUID = 1L;

    UnsharedMemory(String sentence) {
        super(Errno.EINVAL, sentence);
    }
}

package io.manafold.memory;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.linux.SystemCallException;
import java.util.concurrent.CompletionStage;

/** What this package asks of the kernel, and how the kernel's answers are told. */
final class Kernel {
    static final int EINVAL = 22;

    private Kernel() {
    }

    static Refusal refusal(String what, SystemCallException failed) {
        Errno errno = Errno.EIO;
        for (Errno candidate : Errno.values()) {
            if (candidate.number() == failed.errno()) {
                errno = candidate;
            }
        }
        return new Refusal(errno, what + ": the kernel answers to " + failed.getMessage() + ".", failed);
    }

    /**
     * Takes memory away at once by laying zeroes over it, and gives its addresses back when no agent can hold one any
     * more: then the stage completes.
     */
    static CompletionStage<Void> retire(long[] addresses, long[] lengths) {
        for (int i = 0; i < addresses.length; i++) {
            try {
                Linux.overlay(addresses[i], lengths[i]);
            } catch (SystemCallException full) {
                // then an agent inside touches the old memory a little longer
            }
        }
        return Readers.passed().thenRun(() -> {
            for (int i = 0; i < addresses.length; i++) {
                release(addresses[i], lengths[i]);
            }
        });
    }

    /** Lets the kernel read a byte of each page, which answers an error where we would meet one. */
    static boolean readableByWriting(long address, long length) {
        try (Memfd nowhere = Memfd.create("probe", 0)) {
            long end = address + length;
            long at = address;
            while (at < end) {
                if (Linux.write(nowhere.descriptor().number(), at, 1) != 1) {
                    return false;
                }
                at = (at & -RawMemory.PAGE) + RawMemory.PAGE;
            }
            return true;
        } catch (SystemCallException failed) {
            return false;
        }
    }

    private static void release(long address, long length) {
        try {
            Linux.unmap(address, length);
        } catch (SystemCallException full) {
            // the addresses stay taken, harmlessly: no agent knows them any more
        }
    }
}

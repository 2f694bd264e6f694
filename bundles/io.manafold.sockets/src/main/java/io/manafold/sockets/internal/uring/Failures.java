package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;

/** Errors of the kernel in words. */
final class Failures {
    private Failures() {
    }

    static Refusal refusal(String what, SystemCallException failed) {
        return new Refusal(errno(failed.errno()), what + ": the kernel answers to " + failed.getMessage() + ".",
                failed);
    }

    static Errno errno(int number) {
        Errno errno = Errno.of(number);
        return errno == null ? Errno.EIO : errno;
    }

    static String name(int number) {
        Errno errno = Errno.of(number);
        return errno == null ? "error " + number : errno + " (" + number + ")";
    }
}

package io.manafold.vfio.internal.borrow;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** Error numbers from the other side, which may be any. */
final class Errors {
    private Errors() {
    }

    static Refusal refusal(int number, String sentence) {
        for (Errno errno : Errno.values()) {
            if (errno.number() == number && errno != Errno.EPROBE_DEFER) {
                return new Refusal(errno, sentence + " with " + errno);
            }
        }
        return new Refusal(Errno.EIO, sentence + " with error " + Integer.toUnsignedString(number));
    }
}

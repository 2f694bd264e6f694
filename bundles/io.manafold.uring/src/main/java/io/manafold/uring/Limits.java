package io.manafold.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the kernel refuses to a plain user, in words; and how long it is asked again for memory that it gives back late.
 */
final class Limits {
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EBUSY = 16;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int ETIME = 62;

    /** Rings that were closed keep their memory locked for up to 23 ms. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** A question to the kernel that is asked again. */
    interface Call {
        long answer();
    }

    private Limits() {
    }

    /** Asks until memory can be locked, or for as long as it may still be on its way back. */
    static long patiently(Call call) {
        long begin = System.nanoTime();
        long answer = call.answer();
        while (answer == -ENOMEM && System.nanoTime() - begin < PATIENCE_NANOS) {
            LockSupport.parkNanos(STEP_NANOS);
            answer = call.answer();
        }
        return answer;
    }

    static Refusal refusal(String what, long answer) {
        return refusal(what, answer, true);
    }

    /** @param waited whether memory was asked for {@link #patiently} */
    static Refusal refusal(String what, long answer, boolean waited) {
        int number = (int) -answer;
        return switch (number) {
            case EPERM -> new Refusal(Errno.EPERM, what + ": io_uring is forbidden here (EPERM)" + disabled()
                    + "; let the sysctl kernel.io_uring_disabled be 0, and let the filter of the container or service"
                    + " allow the system calls io_uring_setup, io_uring_enter and io_uring_register.");
            case ENOSYS -> new Refusal(Errno.EOPNOTSUPP, what + ": this kernel has no io_uring (ENOSYS).");
            case ENOMEM -> new Refusal(Errno.ENOMEM, what + ": this user may lock " + lockable()
                    + " of memory (ulimit -l), and what was asked for did not fit in"
                    + (waited ? " within 100 ms" : ", nor did what was asked for a moment ago") + " (ENOMEM); "
                    + "raise that limit, or register less.");
            default -> new Refusal(errno(number), what + ": the kernel answers " + name(number) + ".");
        };
    }

    /** An error number for people. */
    static String name(int number) {
        Errno errno = errno(number);
        return errno.number() == number ? errno + " (" + number + ")" : "error " + number;
    }

    private static Errno errno(int number) {
        for (Errno candidate : Errno.values()) {
            if (candidate.number() == number) {
                return candidate;
            }
        }
        return Errno.EIO;
    }

    private static String disabled() {
        try {
            String value = Files.readString(Path.of("/proc/sys/kernel/io_uring_disabled")).strip();
            return value.equals("0") ? ", by a filter of system calls" : ", by the sysctl kernel.io_uring_disabled = "
                    + value;
        } catch (IOException unknown) {
            return "";
        }
    }

    /** In words, as it is now: the limit may be changed from outside. */
    private static String lockable() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max locked memory")) {
                    String soft = line.substring("Max locked memory".length()).strip().split("\\s+")[0];
                    return soft.equals("unlimited") ? "all" : Long.parseLong(soft) / 1024 + " KiB";
                }
            }
        } catch (IOException | NumberFormatException unknown) {
            // then the sentence goes without the number
        }
        return "a limited amount";
    }
}

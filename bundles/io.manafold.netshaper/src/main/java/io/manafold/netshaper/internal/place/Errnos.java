package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Errno;

/** Error numbers of the kernel or platform that answers, as ours and in words. */
final class Errnos {
    private Errnos() {
    }

    static Errno of(int number) {
        for (Errno errno : Errno.values()) {
            if (errno.number() == number) {
                return errno;
            }
        }
        return Errno.EIO;
    }

    static String meaning(int number) {
        return switch (of(number)) {
            case EPERM -> "that takes an administrator of the machine";
            case ENOENT -> "there is no such shaper, device or queue";
            case EINVAL -> "something in the request is missing or wrong";
            case ERANGE -> "a number is out of bounds";
            case EOPNOTSUPP -> "the device or its driver cannot do that";
            case ENODEV -> "there is no such device";
            case ENOMEM, ENOSPC -> "there is no room for another";
            case EBUSY -> "the device is busy";
            case ETIMEDOUT -> "the device did not answer";
            case EPROTO -> "the device answered with an error of its own";
            default -> "error " + number;
        };
    }
}

package io.manafold.linux;

/** The words for error numbers of the kernel that calls of this package can meet. */
final class ErrorNames {
    private ErrorNames() {
    }

    static String of(int number) {
        return switch (number) {
            case 1 -> "EPERM, operation not permitted";
            case 2 -> "ENOENT, no such file or directory";
            case 4 -> "EINTR, interrupted";
            case 5 -> "EIO, input/output error";
            case 6 -> "ENXIO, no such device or address";
            case 9 -> "EBADF, bad file descriptor";
            case 11 -> "EAGAIN, would block";
            case 12 -> "ENOMEM, out of memory";
            case 13 -> "EACCES, permission denied";
            case 14 -> "EFAULT, bad address";
            case 16 -> "EBUSY, device or resource busy";
            case 17 -> "EEXIST, file exists";
            case 19 -> "ENODEV, no such device";
            case 20 -> "ENOTDIR, not a directory";
            case 22 -> "EINVAL, invalid argument";
            case 23 -> "ENFILE, too many open files in the system";
            case 24 -> "EMFILE, too many open files";
            case 26 -> "ETXTBSY, file busy";
            case 27 -> "EFBIG, file too large";
            case 28 -> "ENOSPC, no space left";
            case 30 -> "EROFS, read-only file system";
            case 32 -> "EPIPE, the other end is closed";
            case 36 -> "ENAMETOOLONG, name too long";
            case 38 -> "ENOSYS, not known to this kernel";
            case 62 -> "ETIME, timer expired";
            case 71 -> "EPROTO, protocol error";
            case 75 -> "EOVERFLOW, value too large";
            case 77 -> "EBADFD, descriptor in bad state";
            case 88 -> "ENOTSOCK, not a socket";
            case 90 -> "EMSGSIZE, message too long";
            case 91 -> "EPROTOTYPE, wrong kind of socket";
            case 95 -> "EOPNOTSUPP, not supported";
            case 97 -> "EAFNOSUPPORT, address family not supported";
            case 98 -> "EADDRINUSE, address in use";
            case 99 -> "EADDRNOTAVAIL, no such address here";
            case 100 -> "ENETDOWN, network is down";
            case 101 -> "ENETUNREACH, no way to that network";
            case 103 -> "ECONNABORTED, connection aborted";
            case 104 -> "ECONNRESET, connection reset by the other end";
            case 105 -> "ENOBUFS, no buffer space";
            case 107 -> "ENOTCONN, not connected";
            case 110 -> "ETIMEDOUT, timed out";
            case 111 -> "ECONNREFUSED, no program listens";
            case 113 -> "EHOSTUNREACH, no way to that host";
            case 125 -> "ECANCELED, cancelled";
            default -> "error " + number;
        };
    }
}

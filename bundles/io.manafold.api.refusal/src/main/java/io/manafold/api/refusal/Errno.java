package io.manafold.api.refusal;

/** Error numbers as Linux counts them, so that a refusal here carries the number that the real stack gives. */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    ESRCH(3),
    EINTR(4),
    EIO(5),
    ENXIO(6),
    EBADF(9),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    EINVAL(22),
    ENFILE(23),
    EMFILE(24),
    ENOSPC(28),
    EROFS(30),
    EPIPE(32),
    ERANGE(34),
    ENAMETOOLONG(36),
    ENOSYS(38),
    ELOOP(40),
    EPROTO(71),
    EOVERFLOW(75),
    EDESTADDRREQ(89),
    EMSGSIZE(90),
    EOPNOTSUPP(95),
    EAFNOSUPPORT(97),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ENETDOWN(100),
    ENETUNREACH(101),
    ECONNABORTED(103),
    ECONNRESET(104),
    ENOBUFS(105),
    EISCONN(106),
    ENOTCONN(107),
    ETIMEDOUT(110),
    ECONNREFUSED(111),
    EHOSTUNREACH(113),
    EALREADY(114),
    EINPROGRESS(115),
    ECANCELED(125),
    /** A probe that wants to be asked again when something new has arrived; never seen by a user of the real stack. */
    EPROBE_DEFER(517);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /** The positive number, 19 for {@code ENODEV}. */
    public int number() {
        return number;
    }

    /** The one with this positive number; {@code null} if it is none of these. */
    public static Errno of(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno;
            }
        }
        return null;
    }
}

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
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    EINVAL(22),
    ENOSPC(28),
    EROFS(30),
    ERANGE(34),
    ENAMETOOLONG(36),
    ELOOP(40),
    EPROTO(71),
    EDESTADDRREQ(89),
    EMSGSIZE(90),
    EOPNOTSUPP(95),
    EAFNOSUPPORT(97),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ENETDOWN(100),
    ENETUNREACH(101),
    ECONNRESET(104),
    ENOBUFS(105),
    EISCONN(106),
    ETIMEDOUT(110),
    ECONNREFUSED(111),
    EHOSTUNREACH(113),
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
}

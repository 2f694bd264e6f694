package io.manafold.api.refusal;

/** Error numbers as Linux counts them, so that a refusal here carries the number that the real stack gives. */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    ENXIO(6),
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
    EOPNOTSUPP(95),
    ETIMEDOUT(110),
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

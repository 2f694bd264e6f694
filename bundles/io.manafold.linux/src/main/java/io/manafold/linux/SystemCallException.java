package io.manafold.linux;

import java.io.IOException;

/** A system call that failed: which one, and the kernel's reason. */
public final class SystemCallException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /**
     * @param call the call's name, if useful with what it was about
     * @param errno the kernel's positive number
     */
    public SystemCallException(String call, int errno) {
        super(call + ": " + ErrorNames.of(errno));
        this.call = call;
        this.errno = errno;
    }

    /** Which call. */
    public String call() {
        return call;
    }

    /** The positive error number, 12 for {@code ENOMEM}. */
    public int errno() {
        return errno;
    }
}

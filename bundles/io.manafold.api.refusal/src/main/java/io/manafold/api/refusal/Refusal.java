package io.manafold.api.refusal;

import java.util.Objects;

/**
 * A request that was understood and is not granted. The message is one or more whole sentences for people: what was
 * refused, where, by which rule, and what to do. A refusal is an answer, not an accident: it carries no stack trace.
 */
public class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    public Refusal(Errno errno, String sentence) {
        this(errno, sentence, null);
    }

    public Refusal(Errno errno, String sentence, Throwable cause) {
        super(Objects.requireNonNull(sentence), cause, false, false);
        this.errno = Objects.requireNonNull(errno);
    }

    public final Errno errno() {
        return errno;
    }
}

package io.manafold.vfio.internal.protocol;

/** Nothing more is to be had from the other side; the sentence says why. Carries no stack trace. */
public final class SessionEndedException extends Exception {
    private static final long serialVersionUID = 1L;

    public SessionEndedException(String sentence) {
        super(sentence, null, false, false);
    }
}

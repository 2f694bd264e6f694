package io.manafold.launcher.internal.words;

/** A command line that cannot be understood; the message is a sentence that says why. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String sentence) {
        super(sentence, null, false, false);
    }
}

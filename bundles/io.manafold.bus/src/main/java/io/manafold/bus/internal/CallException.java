package io.manafold.bus.internal;

import io.manafold.api.refusal.Refusal;

/**
 * What a call threw, told again in words alone. An exception of another bundle is that bundle's code: asked for its
 * message or its trace it may wait for ever or throw, and it holds the bundle's class loader. It is asked once, on the
 * call's thread and in the call's time, and what the loop and the log are given is this.
 */
final class CallException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int DEEPEST_CAUSE = 8;
    private static final int MOST_SUPPRESSED = 8;

    private CallException(String words, Throwable cause) {
        super(words, cause);
    }

    /**
     * Whatever the exception's own code does meanwhile, this comes to an answer unless that code never returns.
     *
     * @return a {@link Deferral}, a {@link Refusal} with the errno of the one that was thrown, or an exception of this
     *         class, with causes of this class
     */
    static Throwable plain(Throwable thrown) {
        return switch (thrown) {
            case Deferral ours -> ours;
            case Refusal refusal -> new Refusal(refusal.errno(), sentence(refusal), cause(refusal, 0));
            default -> copy(thrown, 0);
        };
    }

    private static CallException copy(Throwable thrown, int depth) {
        CallException copy = new CallException(words(thrown), cause(thrown, depth));
        copy.setStackTrace(new StackTraceElement[0]);
        try {
            copy.setStackTrace(thrown.getStackTrace());
        } catch (Throwable mute) {
            // then it has none
        }
        Throwable[] suppressed = thrown.getSuppressed();
        for (int i = 0; i < Math.min(suppressed.length, MOST_SUPPRESSED) && depth < DEEPEST_CAUSE; i++) {
            copy.addSuppressed(copy(suppressed[i], DEEPEST_CAUSE));
        }
        return copy;
    }

    private static CallException cause(Throwable thrown, int depth) {
        if (depth == DEEPEST_CAUSE) {
            return null;
        }
        try {
            Throwable cause = thrown.getCause();
            return cause == null ? null : copy(cause, depth + 1);
        } catch (Throwable mute) {
            return null;
        }
    }

    private static String words(Throwable thrown) {
        try {
            return Reasons.of(thrown);
        } catch (Throwable second) {
            return wordless(thrown, second);
        }
    }

    private static String sentence(Refusal refusal) {
        try {
            return String.valueOf(refusal.getMessage());
        } catch (Throwable second) {
            return wordless(refusal, second);
        }
    }

    private static String wordless(Throwable thrown, Throwable second) {
        return thrown.getClass().getName() + ", which threw " + second.getClass().getName()
                + " when it was asked for its message";
    }

    /** The words begin with the name of the class that was thrown. */
    @Override
    public String toString() {
        return getMessage();
    }
}

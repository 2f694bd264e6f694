package io.manafold.dropin.internal;

/** A file or bundle that is not taken, with the reason as the end of a sentence that begins with the file's name. */
final class Declined extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    private Declined(String reason, boolean passing) {
        super(reason, null, false, false);
        this.passing = passing;
    }

    /** The file is at fault: nothing changes until it does. */
    static Declined forGood(String reason) {
        return new Declined(reason, false);
    }

    /** The machine is at fault (disk full, file not readable): worth another try without the file having changed. */
    static Declined forNow(String reason) {
        return new Declined(reason, true);
    }

    boolean isPassing() {
        return passing;
    }
}

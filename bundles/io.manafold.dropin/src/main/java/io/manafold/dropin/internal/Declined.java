package io.manafold.dropin.internal;

/** A file or bundle that is not taken, with the reason as the end of a sentence that begins with the file's name. */
final class Declined extends Exception {
    private static final long serialVersionUID = 1L;

    private final Retry retry;

    private Declined(String reason, Retry retry) {
        super(reason, null, false, false);
        this.retry = retry;
    }

    /** The file is at fault: nothing changes until it does. */
    static Declined forGood(String reason) {
        return new Declined(reason, Retry.WITH_THE_FILE);
    }

    /** The machine is at fault (disk full, file not readable): worth another try without the file having changed. */
    static Declined forNow(String reason) {
        return new Declined(reason, Retry.LATER);
    }

    /** The bundle is at fault, or only slow: it is neither done nor refused yet. */
    static Declined unfinished() {
        return new Declined("it takes its time", Retry.AT_THE_NEXT_LOOK);
    }

    boolean isPassing() {
        return retry == Retry.LATER;
    }

    boolean isUnfinished() {
        return retry == Retry.AT_THE_NEXT_LOOK;
    }

    private enum Retry {
        WITH_THE_FILE, LATER, AT_THE_NEXT_LOOK
    }
}

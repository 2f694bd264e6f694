package io.manafold.gdma;

/** States of a queue pair, by {@link #ordinal} as commands number them. */
public enum QpState {
    RESET, INIT, READY_TO_RECEIVE, READY_TO_SEND, SENDS_DRAINED, SENDS_FAILED, ERROR;

    private static final QpState[] ALL = values();

    /** The state of a number, or {@code null}. */
    public static QpState of(int number) {
        return number < 0 || number >= ALL.length ? null : ALL[number];
    }

    /** The short name that drivers' tools print: {@code RTS}. */
    public String label() {
        return switch (this) {
            case RESET -> "RESET";
            case INIT -> "INIT";
            case READY_TO_RECEIVE -> "RTR";
            case READY_TO_SEND -> "RTS";
            case SENDS_DRAINED -> "SQD";
            case SENDS_FAILED -> "SQE";
            case ERROR -> "ERR";
        };
    }
}

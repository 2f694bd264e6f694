package io.manafold.api.rdma;

/** How work has ended, with the numbers and words of verbs. */
public enum CompletionStatus {
    SUCCESS(0, "success"),
    LOCAL_LENGTH(1, "local length error"),
    LOCAL_QP_OPERATION(2, "local QP operation error"),
    LOCAL_PROTECTION(4, "local protection error"),
    FLUSHED(5, "Work Request Flushed Error"),
    LOCAL_ACCESS(8, "local access error"),
    REMOTE_INVALID_REQUEST(9, "remote invalid request error"),
    REMOTE_ACCESS(10, "remote access error"),
    REMOTE_OPERATION(11, "remote operation error"),
    RETRIES_EXCEEDED(12, "transport retry counter exceeded"),
    RNR_RETRIES_EXCEEDED(13, "RNR retry counter exceeded"),
    FATAL(19, "fatal error"),
    GENERAL(21, "general error");

    private final int number;
    private final String label;

    CompletionStatus(int number, String label) {
        this.number = number;
        this.label = label;
    }

    public int number() {
        return number;
    }

    /** In words. */
    public String label() {
        return label;
    }

    /** The status of a number; {@link #GENERAL} for one that is not known. */
    public static CompletionStatus of(int number) {
        for (CompletionStatus status : values()) {
            if (status.number == number) {
                return status;
            }
        }
        return GENERAL;
    }
}

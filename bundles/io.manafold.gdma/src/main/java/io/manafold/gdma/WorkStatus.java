package io.manafold.gdma;

/**
 * How a request of RDMA ends, with the numbers and words that applications know. What applications use has the same, in
 * a bundle that a driver of Ethernet does without.
 */
public enum WorkStatus {
    SUCCESS(0, "success"),
    LOCAL_LENGTH(1, "local length error"),
    LOCAL_OPERATION(2, "local QP operation error"),
    LOCAL_PROTECTION(4, "local protection error"),
    FLUSHED(5, "Work Request Flushed Error"),
    LOCAL_ACCESS(8, "local access error"),
    REMOTE_REQUEST(9, "remote invalid request error"),
    REMOTE_ACCESS(10, "remote access error"),
    REMOTE_OPERATION(11, "remote operation error"),
    RETRIES_EXCEEDED(12, "transport retry counter exceeded"),
    RNR_RETRIES_EXCEEDED(13, "RNR retry counter exceeded"),
    FATAL(19, "fatal error"),
    GENERAL(21, "general error");

    private final int number;
    private final String label;

    WorkStatus(int number, String label) {
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
}

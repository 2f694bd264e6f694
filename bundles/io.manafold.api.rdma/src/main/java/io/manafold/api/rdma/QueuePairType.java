package io.manafold.api.rdma;

/** Kinds of queue pairs. */
public enum QueuePairType {
    /** Reliable connections. */
    RC("reliable connections"),
    UC("unreliable connections"),
    UD("datagrams"),
    RAW_PACKET("raw packets");

    private final String label;

    QueuePairType(String label) {
        this.label = label;
    }

    /** In words. */
    public String label() {
        return label;
    }
}

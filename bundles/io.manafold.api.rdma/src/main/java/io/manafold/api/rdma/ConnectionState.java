package io.manafold.api.rdma;

/** How far a connection is; the labels are those of {@code rdma resource}. */
public enum ConnectionState {
    LISTEN("LISTEN"),
    /** It is asked where the peer is. */
    RESOLVING("ADDR_QUERY"),
    /** One end has asked, the other has not agreed yet. */
    CONNECTING("CONNECT"),
    ESTABLISHED("CONNECT"),
    DISCONNECTING("DISCONNECT"),
    /** It has ended, or never was. */
    ENDED("IDLE");

    private final String label;

    ConnectionState(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}

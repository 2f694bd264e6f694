package io.manafold.gdma.message;

import java.util.Locale;

/** Counters of the whole RDMA device, with the names that people know. */
public enum RdmaDeviceCounter {
    SENT_CNPS, RECEIVED_ECNS, RECEIVED_CNP_COUNT, QP_CONGESTED_EVENTS, QP_RECOVERED_EVENTS, RATE_INC_EVENTS;

    /** {@code sent_cnps}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.manafold.gdma.message;

import java.util.Locale;

/** Counters of a function's RDMA traffic, in the order in which {@link QueryVfCounters} is answered. */
public enum RdmaCounter {
    REQUESTER_TIMEOUT,
    REQUESTER_OOS_NAK,
    REQUESTER_RNR_NAK,
    RESPONDER_RNR_NAK,
    RESPONDER_OOS,
    RESPONDER_DUP_REQUEST,
    REQUESTER_IMPLICIT_NAK,
    REQUESTER_READRESP_PSN_MISMATCH,
    NAK_INV_REQ,
    NAK_ACCESS_ERROR,
    NAK_OPP_ERROR,
    NAK_INV_READ,
    RESPONDER_LOCAL_LEN_ERROR,
    REQUESTOR_LOCAL_PROT_ERROR,
    RESPONDER_REM_ACCESS_ERROR,
    RESPONDER_LOCAL_QP_ERROR,
    RESPONDER_MALFORMED_WQE,
    GENERAL_HW_ERROR,
    REQUESTER_RNR_NAK_RETRIES_EXCEEDED,
    REQUESTER_RETRIES_EXCEEDED,
    TOTAL_FATAL_ERROR,
    RECEIVED_CNPS,
    NUM_QPS_CONGESTED,
    RATE_INC_EVENTS,
    NUM_QPS_RECOVERED,
    CURRENT_RATE,
    DUP_RX_REQUESTS,
    TX_BYTES,
    RX_BYTES,
    RX_SEND_REQUESTS,
    RX_WRITE_REQUESTS,
    RX_READ_REQUESTS,
    TX_PACKETS,
    RX_PACKETS;

    /** {@code requester_timeout}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Where it is in the answer. */
    public int offset() {
        return 0x20 + 8 * ordinal();
    }
}

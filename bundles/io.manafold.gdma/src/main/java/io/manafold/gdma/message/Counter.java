package io.manafold.gdma.message;

/** Counters of a device, in the order of the answer to {@link QueryStatistics}, with the names that people know. */
public enum Counter {
    RX_DISCARDS_NO_WQE("hc_rx_discards_no_wqe", 0),
    RX_ERR_VPORT_DISABLED("hc_rx_err_vport_disabled", 1),
    RX_BYTES("hc_rx_bytes", 2),
    RX_UCAST_PKTS("hc_rx_ucast_pkts", 3),
    RX_UCAST_BYTES("hc_rx_ucast_bytes", 4),
    RX_BCAST_PKTS("hc_rx_bcast_pkts", 7),
    RX_BCAST_BYTES("hc_rx_bcast_bytes", 8),
    RX_MCAST_PKTS("hc_rx_mcast_pkts", 5),
    RX_MCAST_BYTES("hc_rx_mcast_bytes", 6),
    TX_ERR_GF_DISABLED("hc_tx_err_gf_disabled", 9),
    TX_ERR_VPORT_DISABLED("hc_tx_err_vport_disabled", 10),
    TX_ERR_INVAL_VPORTOFFSET_PKT("hc_tx_err_inval_vportoffset_pkt", 11),
    TX_ERR_VLAN_ENFORCEMENT("hc_tx_err_vlan_enforcement", 12),
    TX_ERR_ETH_TYPE_ENFORCEMENT("hc_tx_err_eth_type_enforcement", 13),
    TX_ERR_SA_ENFORCEMENT("hc_tx_err_sa_enforcement", 14),
    TX_ERR_SQPDID_ENFORCEMENT("hc_tx_err_sqpdid_enforcement", 15),
    TX_ERR_CQPDID_ENFORCEMENT("hc_tx_err_cqpdid_enforcement", 16),
    TX_ERR_MTU_VIOLATION("hc_tx_err_mtu_violation", 17),
    TX_ERR_INVAL_OOB("hc_tx_err_inval_oob", 18),
    TX_BYTES("hc_tx_bytes", 19),
    TX_UCAST_PKTS("hc_tx_ucast_pkts", 20),
    TX_UCAST_BYTES("hc_tx_ucast_bytes", 21),
    TX_BCAST_PKTS("hc_tx_bcast_pkts", 24),
    TX_BCAST_BYTES("hc_tx_bcast_bytes", 25),
    TX_MCAST_PKTS("hc_tx_mcast_pkts", 22),
    TX_MCAST_BYTES("hc_tx_mcast_bytes", 23),
    TX_ERR_GDMA("hc_tx_err_gdma", 26);

    /** Every counter asked for. */
    public static final long ALL = 0x07ff_ffff;

    private final String label;
    private final int bit;

    Counter(String label, int bit) {
        this.label = label;
        this.bit = bit;
    }

    /** {@code hc_rx_bytes}. */
    public String label() {
        return label;
    }

    /** Its bit in the mask of a request; masks have another order than answers. */
    public long mask() {
        return 1L << bit;
    }

    /** Where it is in the answer. */
    public int offset() {
        return 0x28 + 8 * ordinal();
    }
}

package io.manafold.gdma;

/** Commands of the hardware channel, with the names that people read and the lengths that messages have. */
public enum Command {
    VERIFY_VERSION(1, "verify-version", 640, 72),
    QUERY_MAX_RESOURCES(2, "query-max-resources", 40, 72),
    LIST_DEVICES(3, "list-devices", 40, 296),
    REGISTER_DEVICE(4, "register-device", 40, 44),
    DEREGISTER_DEVICE(5, "deregister-device", 40, 32),
    GENERATE_TEST_EVENT(10, "generate-test-event", 44, 32),
    CREATE_QUEUE(12, "create-queue", 96, 36),
    DISABLE_QUEUE(13, "disable-queue", 52, 32),
    ALLOCATE_RESOURCE_RANGE(22, "allocate-resource-range", 56, 36),
    DESTROY_RESOURCE_RANGE(24, "destroy-resource-range", 52, 32),
    CREATE_DMA_REGION(25, "create-dma-region", 64, 40),
    ADD_DMA_REGION_PAGES(26, "add-dma-region-pages", 56, 32),
    DESTROY_DMA_REGION(27, "destroy-dma-region", 48, 32),
    CREATE_PD(29, "create-pd", 48, 48),
    DESTROY_PD(30, "destroy-pd", 48, 32),
    CREATE_MR(31, "create-mr", 88, 48, 2, 1),
    DESTROY_MR(32, "destroy-mr", 48, 32),
    QUERY_CHANNEL_TIMEOUT(84, "query-channel-timeout", 48, 40),
    ALLOCATE_DEVICE_MEMORY(96, "allocate-device-memory", 56, 40),
    DESTROY_DEVICE_MEMORY(97, "destroy-device-memory", 48, 32),

    QUERY_DEVICE_CONFIG(0x20001, "query-device-config", 88, 80, 1, 3),
    QUERY_STATISTICS(0x20002, "query-statistics", 48, 256, 1, 2),
    CONFIGURE_VPORT_TX(0x20003, "configure-vport-tx", 56, 36),
    CREATE_WQ_OBJECT(0x20004, "create-wq-object", 88, 56, 3, 2),
    DESTROY_WQ_OBJECT(0x20005, "destroy-wq-object", 56, 32),
    FENCE_RQ(0x20006, "fence-rq", 48, 32),
    CONFIGURE_VPORT_RX(0x20007, "configure-vport-rx", 120, 40, 5, 2),
    QUERY_VPORT_CONFIG(0x20008, "query-vport-config", 44, 64),
    QUERY_LINK_CONFIG(0x2000a, "query-link-config", 48, 48, 1, 2),
    SET_BANDWIDTH_CLAMP(0x2000b, "set-bandwidth-clamp", 56, 40),
    QUERY_PHY_STATISTICS(0x2000c, "query-phy-statistics", 48, 440),
    REGISTER_FILTER(0x28000, "register-filter", 72, 40),
    DEREGISTER_FILTER(0x28001, "deregister-filter", 48, 32),
    REGISTER_HW_PORT(0x28003, "register-hw-port", 48, 40),
    DEREGISTER_HW_PORT(0x28004, "deregister-hw-port", 48, 32),

    QUERY_SHAPER_LIMITS(0x2f001, "query-shaper-limits", 56, 72),
    SET_SHAPER(0x2f002, "set-shaper", 104, 32),
    DELETE_SHAPER(0x2f003, "delete-shaper", 56, 32),
    GROUP_SHAPERS(0x2f004, "group-shapers", 112, 32),
    QUERY_SHAPER_STATISTICS(0x2f005, "query-shaper-statistics", 56, 3120),
    NAME_SHAPER_QUEUES(0x2f006, "name-shaper-queues", 56, 32),
    QUERY_PORT_STATISTICS(0x2f101, "query-port-statistics", 56, 256),

    QUERY_RDMA_CAPABILITIES(0x30001, "query-rdma-capabilities", 40, 112, 1, 4),
    CREATE_RDMA_ADAPTER(0x30002, "create-rdma-adapter", 56, 40, 2, 1),
    DESTROY_RDMA_ADAPTER(0x30003, "destroy-rdma-adapter", 48, 32),
    CONFIGURE_RDMA_GID(0x30004, "configure-rdma-gid", 72, 32),
    CONFIGURE_RDMA_MAC(0x30005, "configure-rdma-mac", 64, 32),
    CREATE_UD_QP(0x30006, "create-ud-qp", 112, 48),
    DESTROY_UD_QP(0x30007, "destroy-ud-qp", 56, 32),
    CREATE_RDMA_CQ(0x30008, "create-rdma-cq", 64, 48),
    DESTROY_RDMA_CQ(0x30009, "destroy-rdma-cq", 56, 32),
    CREATE_RC_QP(0x3000a, "create-rc-qp", 160, 64),
    DESTROY_RC_QP(0x3000b, "destroy-rc-qp", 56, 32),
    SET_QP_STATE(0x3000d, "set-qp-state", 184, 32, 3, 1),
    QUERY_VF_COUNTERS(0x30022, "query-vf-counters", 48, 304, 1, 2),
    QUERY_RDMA_COUNTERS(0x30023, "query-rdma-counters", 48, 64);

    private static final int FIRST_SHAPER = 0x2f001;
    private static final int LAST_SHAPER = 0x2f0ff;
    private static final int LAST_PRIVATE = 0x2ffff;

    private static final Command[] ALL = values();

    private final int code;
    private final String label;
    private final int requestSize;
    private final int responseSize;
    private final int requestVersion;
    private final int responseVersion;

    Command(int code, String label, int requestSize, int responseSize) {
        this(code, label, requestSize, responseSize, 1, 1);
    }

    Command(int code, String label, int requestSize, int responseSize, int requestVersion, int responseVersion) {
        this.code = code;
        this.label = label;
        this.requestSize = requestSize;
        this.responseSize = responseSize;
        this.requestVersion = requestVersion;
        this.responseVersion = responseVersion;
    }

    public int code() {
        return code;
    }

    /** {@code configure-vport-tx}. */
    public String label() {
        return label;
    }

    /** The shortest request in bytes, head included; lists make it longer. */
    public int requestSize() {
        return requestSize;
    }

    /** The whole response in bytes, head included. */
    public int responseSize() {
        return responseSize;
    }

    public int requestVersion() {
        return requestVersion;
    }

    /** The version of the response that a driver expects. */
    public int responseVersion() {
        return responseVersion;
    }

    /**
     * Whether it ends something. A driver that ends what it has must come to the end of it, whatever else is wanted of
     * its thread.
     */
    public boolean takesAway() {
        return switch (this) {
            case DEREGISTER_DEVICE, DISABLE_QUEUE, DESTROY_RESOURCE_RANGE, DESTROY_DMA_REGION, DESTROY_PD, DESTROY_MR,
                 DESTROY_DEVICE_MEMORY, DESTROY_WQ_OBJECT, FENCE_RQ, CONFIGURE_VPORT_RX, DEREGISTER_FILTER,
                 DEREGISTER_HW_PORT, DELETE_SHAPER, DESTROY_RDMA_ADAPTER, DESTROY_UD_QP, DESTROY_RDMA_CQ,
                 DESTROY_RC_QP -> true;
            default -> false;
        };
    }

    /** Whether it is for the Ethernet device. */
    public boolean isEthernet() {
        return code >>> 16 == 2;
    }

    /**
     * Whether it is of the private range for trees of shapers, which a device announces by
     * {@link Feature#SHAPER_TREES}.
     */
    public boolean isShaper() {
        return code >= FIRST_SHAPER && code <= LAST_SHAPER;
    }

    /** Whether it is of this project's own range, which no firmware of the real adapter has. */
    public boolean isPrivate() {
        return code >= FIRST_SHAPER && code <= LAST_PRIVATE;
    }

    /**
     * Whether it is for the RDMA device, which its head then names. Protection domains, memory regions, lists of pages
     * and doorbell pages are the function's: drivers send those commands with {@link DeviceId#NONE}.
     */
    public boolean isRdma() {
        return code >>> 16 == 3;
    }

    /** The command of a code, or {@code null}. */
    public static Command of(int code) {
        for (Command command : ALL) {
            if (command.code == code) {
                return command;
            }
        }
        return null;
    }

    /** The command of a name, or {@code null}. */
    public static Command named(String label) {
        for (Command command : ALL) {
            if (command.label.equals(label)) {
                return command;
            }
        }
        return null;
    }

    /** A code in words; an unknown one as a number. */
    public static String label(int code) {
        Command command = of(code);
        return command == null ? "command 0x" + Integer.toHexString(code) : command.label;
    }

    @Override
    public String toString() {
        return label;
    }
}

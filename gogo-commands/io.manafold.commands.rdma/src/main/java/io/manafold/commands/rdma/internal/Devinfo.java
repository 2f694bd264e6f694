package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Fields;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The attributes of a device, as {@code ibv_devinfo} shows them. What no device of this kind has is shown as none. */
final class Devinfo {
    private static final int DEVICE_COLUMN = 40;
    private static final int PORT_COLUMN = 48;
    private static final int WIDE_COLUMN = 64;
    /** Pages from 4 KiB to 2 MiB. */
    private static final int PAGE_SIZES = 0x3f_f000;
    private static final int RNR_NAK_GENERATION = 1 << 12;
    /** Addresses are those of IP, and connections are managed at the first port. */
    private static final int IP_BASED_GIDS = 1 << 26;
    private static final int CONNECTION_MANAGEMENT = 1 << 16;
    private static final int ACK_DELAY = 16;
    private static final int SMALLEST_MTU = 256;

    private final List<Attributes> parts = new ArrayList<>();
    private final Fields fields;

    private Devinfo(RdmaDevice device, int only, boolean verbose) {
        DeviceAttributes can = device.attributes();
        Attributes all = device(device.name(), can);
        fields = all.fields();
        parts.add(all);
        if (verbose) {
            limits(all, can);
        }
        List<Fields> ports = new ArrayList<>();
        for (int port = 1; port <= can.ports(); port++) {
            if (only == 0 || port == only) {
                Attributes one = port(device, port, verbose);
                ports.add(one.fields());
                parts.add(one);
            }
        }
        fields.and("ports", ports);
    }

    /** @param only the only port that is shown, 0 for all */
    static Devinfo of(RdmaDevice device, int only, boolean verbose) {
        return new Devinfo(device, only, verbose);
    }

    Fields fields() {
        return fields;
    }

    void print(PrintStream out) {
        parts.forEach(part -> part.print(out));
    }

    private static Attributes device(String name, DeviceAttributes can) {
        Attributes all = new Attributes(1, DEVICE_COLUMN);
        all.append(all.at(0, 0).add("hca_id", name));
        return all.add("transport", "InfiniBand (0)", "InfiniBand").add("node_guid", Words.guid(can.guid()))
                .add("sys_image_guid", Words.guid(0)).add("vendor_id", "0x%04x".formatted(can.vendor()))
                .add("vendor_part_id", can.part()).add("hw_ver", "0x0").add("phys_port_cnt", can.ports());
    }

    private static void limits(Attributes all, DeviceAttributes can) {
        all.add("max_mr_size", "0xffffffffffffffff").add("page_size_cap", "0x" + Integer.toHexString(PAGE_SIZES))
                .add("max_qp", can.maxQueuePairs()).add("max_qp_wr", can.maxRequests())
                .add("device_cap_flags", "0x%08x".formatted(RNR_NAK_GENERATION));
        all.append(all.at(5, 0).line("RC_RNR_NAK_GEN"));
        all.add("max_sge", Math.min(can.maxSendPieces(), can.maxReceivePieces()))
                .add("max_sge_rd", can.maxReceivePieces()).add("max_cq", can.maxCompletionQueues())
                .add("max_cqe", can.maxCompletions()).add("max_mr", can.maxRegions()).add("max_pd", can.maxDomains())
                .add("max_qp_rd_atom", can.maxInboundReads()).add("max_ee_rd_atom", 0)
                .add("max_res_rd_atom", can.maxInboundReads() * can.maxQueuePairs())
                .add("max_qp_init_rd_atom", can.maxOutboundReads()).add("max_ee_init_rd_atom", 0)
                .add("atomic_cap", "ATOMIC_NONE (0)", "ATOMIC_NONE");
        for (String none : List.of("max_ee", "max_rdd", "max_mw", "max_raw_ipv6_qp", "max_raw_ethy_qp", "max_mcast_grp",
                "max_mcast_qp_attach", "max_total_mcast_qp_attach")) {
            all.add(none, 0);
        }
        all.add("max_ah", Integer.MAX_VALUE).add("max_fmr", 0).add("max_srq", 0).add("max_pkeys", 1)
                .add("local_ca_ack_delay", ACK_DELAY);
        unsupported(all, can);
        all.add("num_comp_vectors", 1);
    }

    private static void unsupported(Attributes all, DeviceAttributes can) {
        all.line("general_odp_caps:");
        Attributes flag = all.at(5, 0).line("NO SUPPORT");
        for (String transport : List.of("rc", "uc", "ud", "xrc")) {
            all.line(transport + "_odp_caps:").append(flag);
        }
        all.line("completion_timestamp_mask not supported").line("core clock not supported");
        if (can.part() != Devices.WITH_CONNECTIONS) {
            all.line("raw packet caps:").append(all.at(5, 0).line("IP csum offload"));
        }
        all.add("device_cap_flags_ex", "0x" + Integer.toHexString(RNR_NAK_GENERATION)).line("tso_caps:");
        all.append(all.at(2, PORT_COLUMN).add("max_tso", 0)).line("rss_caps:");
        all.append(all.at(2, WIDE_COLUMN).add("max_rwq_indirection_tables", 0).add("max_rwq_indirection_table_size", 0)
                .add("rx_hash_function", "0x0").add("rx_hash_fields_mask", "0x0"));
        all.add("max_wq_type_rq", 0).line("packet_pacing_caps:");
        all.append(all.at(2, DEVICE_COLUMN).add("qp_rate_limit_min", "0kbps", 0).add("qp_rate_limit_max", "0kbps", 0));
        all.line("tag matching not supported");
    }

    private static Attributes port(RdmaDevice device, int number, boolean verbose) {
        PortAttributes port = device.port(number);
        // a network device whose packets are smaller still has the smallest path MTU that there is
        int active = Math.max(SMALLEST_MTU, port.activeMtu());
        Attributes all = new Attributes(3, PORT_COLUMN);
        all.append(all.at(2, 0).add("port", number));
        all.add("state", port.isActive() ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)", port.isActive() ? "PORT_ACTIVE"
                : "PORT_DOWN").add("max_mtu", mtu(port.maxMtu()), port.maxMtu())
                .add("active_mtu", mtu(active), active).add("sm_lid", 0).add("port_lid", 0)
                .add("port_lmc", "0x00").add("link_layer", "Ethernet");
        if (verbose) {
            PortSpeed speed = PortSpeed.of(port.speed());
            int flags = device.attributes().part() != Devices.WITH_CONNECTIONS ? 0
                    : IP_BASED_GIDS | (number == 1 ? CONNECTION_MANAGEMENT : 0);
            all.add("max_msg_sz", "0x" + Integer.toHexString(device.attributes().maxMessage()))
                    .add("port_cap_flags", "0x%08x".formatted(flags)).add("port_cap_flags2", "0x0000")
                    .add("max_vl_num", "invalid value (0)", 0).add("bad_pkey_cntr", "0x0").add("qkey_viol_cntr", "0x0")
                    .add("sm_sl", 0).add("pkey_tbl_len", 1).add("gid_tbl_len", port.gids()).add("subnet_timeout", 0)
                    .add("init_type_reply", 0).add("active_width", speed.width()).add("active_speed", speed.lane())
                    .add("phys_state", port.isActive() ? "LINK_UP (5)" : "DISABLED (3)",
                            port.isActive() ? "LINK_UP" : "DISABLED");
            gids(all, device.gids(number));
        }
        return all.append(all.at(0, 0).line(""));
    }

    private static void gids(Attributes all, List<Gid> gids) {
        for (int i = 0; i < gids.size(); i++) {
            if (!Words.isNone(gids.get(i))) {
                all.line("GID[%3d]".formatted(i), Words.gid(gids.get(i)) + ", RoCE v2");
            }
        }
        all.fields().and("gids", gids.stream().map(Words::gid).toList());
    }

    /** A path MTU with its code. */
    private static String mtu(int bytes) {
        return bytes + " (" + (Integer.numberOfTrailingZeros(bytes / SMALLEST_MTU) + 1) + ")";
    }
}

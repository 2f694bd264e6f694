package io.manafold.ethernet.internal.port;

import io.manafold.api.net.Feature;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.PortConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The offloads of a port under the names of {@code ethtool -k}, in its order. */
final class Features {
    private static final String SEND_CHECKSUMS = "tx-checksumming";
    private static final String GATHER = "scatter-gather";
    private static final String SEGMENTATION = "tcp-segmentation-offload";

    /** Names that stand for several others. */
    private static final Map<String, List<String>> GROUPS = Map.of(
            SEND_CHECKSUMS, List.of(PortConfig.SEND_CHECKSUM_4, PortConfig.SEND_CHECKSUM_6),
            GATHER, List.of(PortConfig.SCATTER_GATHER),
            SEGMENTATION, List.of(PortConfig.SEGMENTATION_4, PortConfig.SEGMENTATION_6));

    /**
     * What {@code ethtool -k} lists, from top to bottom, as kernel 7.2 knows them; what is neither a group nor
     * switchable is fixed.
     */
    private static final List<String> ORDER = List.of(PortConfig.RECEIVE_CHECKSUM, SEND_CHECKSUMS,
            PortConfig.SEND_CHECKSUM_4, "tx-checksum-ip-generic", PortConfig.SEND_CHECKSUM_6, "tx-checksum-fcoe-crc",
            "tx-checksum-sctp", GATHER, PortConfig.SCATTER_GATHER, "tx-scatter-gather-fraglist", SEGMENTATION,
            PortConfig.SEGMENTATION_4, "tx-tcp-ecn-segmentation", "tx-tcp-mangleid-segmentation",
            PortConfig.SEGMENTATION_6, "tx-tcp-accecn-segmentation", "generic-segmentation-offload",
            "generic-receive-offload", "large-receive-offload", "rx-vlan-offload", "tx-vlan-offload",
            "ntuple-filters", PortConfig.RECEIVE_HASH, "highdma", "rx-vlan-filter", "vlan-challenged",
            "tx-gso-robust", "tx-fcoe-segmentation", "tx-gre-segmentation", "tx-gre-csum-segmentation",
            "tx-ipxip4-segmentation", "tx-ipxip6-segmentation", "tx-udp_tnl-segmentation",
            "tx-udp_tnl-csum-segmentation", "tx-gso-partial", "tx-tunnel-remcsum-segmentation",
            "tx-sctp-segmentation", "tx-esp-segmentation", "tx-udp-segmentation", "tx-gso-list", "tx-nocache-copy",
            "loopback", "rx-fcs", "rx-all", "tx-vlan-stag-hw-insert", "rx-vlan-stag-hw-parse", "rx-vlan-stag-filter",
            "l2-fwd-offload", "hw-tc-offload", "esp-hw-offload", "esp-tx-csum-hw-offload",
            "rx-udp_tunnel-port-offload", "tls-hw-tx-offload", "tls-hw-rx-offload", "rx-gro-hw", "rx-gro-list",
            "macsec-hw-offload", "rx-udp-gro-forwarding", "hsr-tag-ins-offload", "hsr-tag-rm-offload",
            "hsr-fwd-offload", "hsr-dup-offload");

    private static final List<String> ALWAYS_ON = List.of("rx-vlan-offload", "tx-vlan-offload");

    private Features() {
    }

    static List<Feature> of(PortConfig config) {
        List<Feature> features = new ArrayList<>();
        for (String name : ORDER) {
            List<String> members = GROUPS.get(name);
            boolean fixed = members == null && !PortConfig.FEATURES.contains(name);
            boolean on = fixed ? ALWAYS_ON.contains(name)
                    : members == null ? config.has(name) : members.stream().anyMatch(config::has);
            features.add(new Feature(name, on, fixed));
        }
        return features;
    }

    /** With an offload or a group of them switched, and without those that need one that is off now. */
    static PortConfig change(String device, PortConfig old, String name, boolean on) {
        if (!ORDER.contains(name)) {
            throw new Refusal(Errno.EINVAL, device + " knows no feature '" + name + "'. 'ethtool -k " + device
                    + "' lists those it knows.");
        }
        PortConfig changed = old;
        if (GROUPS.containsKey(name)) {
            for (String member : GROUPS.get(name)) {
                changed = changed.withFeature(member, on);
            }
        } else if (PortConfig.FEATURES.contains(name)) {
            changed = changed.withFeature(name, on);
        } else if (on != ALWAYS_ON.contains(name)) {
            throw new Refusal(Errno.EOPNOTSUPP, "The feature " + name + " of " + device + " is fixed "
                    + (on ? "off" : "on") + ".");
        }
        return settle(changed);
    }

    /** Segments are cut from pieces and checksummed, so they need both. */
    private static PortConfig settle(PortConfig config) {
        boolean gathers = config.has(PortConfig.SCATTER_GATHER);
        PortConfig settled = config;
        if (!gathers || !config.has(PortConfig.SEND_CHECKSUM_4)) {
            settled = settled.withFeature(PortConfig.SEGMENTATION_4, false);
        }
        if (!gathers || !config.has(PortConfig.SEND_CHECKSUM_6)) {
            settled = settled.withFeature(PortConfig.SEGMENTATION_6, false);
        }
        return settled;
    }
}

package io.manafold.ethernet.internal.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.Feature;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.PrivateFlags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PortRulesTest {
    private static final ReceiveHook PASS = (packet, redirection) -> ReceiveHook.Verdict.PASS;

    private final PortRules rules = new PortRules("mana0", 9000, 16, 64, 8, true);
    private final PortConfig usual = PortConfig.usual(4, new byte[40]);

    private static void assertRefused(Errno errno, String part, ThrowingCallable wish) {
        assertThatThrownBy(wish).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.errno()).isEqualTo(errno);
            assertThat(refusal).hasMessageContaining(part).hasMessageContaining("mana0");
        });
    }

    @Test
    void mtu() {
        assertThat(rules.mtu(usual, 68).mtu()).isEqualTo(68);
        assertThat(rules.mtu(usual, 9000).mtu()).isEqualTo(9000);
        assertRefused(Errno.EINVAL, "67", () -> rules.mtu(usual, 67));
        assertRefused(Errno.EINVAL, "9001", () -> rules.mtu(usual, 9001));
    }

    @Test
    void aHookLowersTheLargestMtu() {
        PortConfig paged = usual.withPages(ReceivePolicy.FRAGMENT, 4096);
        PortConfig hooked = rules.hook(paged, PASS);
        assertThat(rules.maxMtu(hooked)).isEqualTo(3506);
        assertThat(rules.maxMtu(hooked.withPages(ReceivePolicy.FRAGMENT, 16384))).isEqualTo(9000);
        assertThat(rules.maxMtu(hooked.withPages(ReceivePolicy.LEAN, 4096))).isEqualTo(9000);
        assertThat(rules.maxMtu(PrivateFlags.change("mana0", hooked.withPages(ReceivePolicy.LEAN, 4096),
                PrivateFlags.FULL_PAGE, true))).isEqualTo(3506);
        assertThat(rules.mtu(hooked, 3506).mtu()).isEqualTo(3506);
        assertRefused(Errno.EINVAL, "3506", () -> rules.mtu(hooked, 3507));
        assertRefused(Errno.EOPNOTSUPP, "3506", () -> rules.hook(rules.mtu(paged, 3507), PASS));
        assertThat(rules.hook(rules.mtu(usual, 9000), null).hook()).isNull();
    }

    @Test
    void rings() {
        List<String> notices = new ArrayList<>();
        PortConfig same = rules.rings(usual, 128, 16384, notices);
        assertThat(same.receiveEntries()).isEqualTo(128);
        assertThat(same.transmitEntries()).isEqualTo(16384);
        assertThat(notices).isEmpty();
        PortConfig raised = rules.rings(usual, 1000, 129, notices);
        assertThat(raised.receiveEntries()).isEqualTo(1024);
        assertThat(raised.transmitEntries()).isEqualTo(256);
        assertThat(notices).hasSize(2).anySatisfy(notice -> assertThat(notice).contains("1024", "1000"))
                .anySatisfy(notice -> assertThat(notice).contains("256", "129"));
        assertRefused(Errno.EINVAL, "minimum of 128", () -> rules.rings(usual, 127, 256, notices));
        assertRefused(Errno.EINVAL, "minimum of 128", () -> rules.rings(usual, 128, 0, notices));
        assertRefused(Errno.EINVAL, "maximum of 8192", () -> rules.rings(usual, 8193, 256, notices));
        assertRefused(Errno.EINVAL, "maximum of 16384", () -> rules.rings(usual, 256, 16385, notices));
        assertRefused(Errno.EINVAL, "minimum", () -> rules.rings(usual, Integer.MIN_VALUE, 256, notices));
    }

    @Test
    void channels() {
        assertThat(rules.channels(usual, 16).channels()).isEqualTo(16);
        assertRefused(Errno.EINVAL, "1 to 16", () -> rules.channels(usual, 0));
        assertRefused(Errno.EINVAL, "1 to 16", () -> rules.channels(usual, 17));
        PortConfig spread = rules.spreading(usual, null, new int[64]);
        assertThat(rules.channels(spread, 4).table()).isNotNull();
        assertThat(rules.channels(spread, 5).table()).isNull();
    }

    @Test
    void spreading() {
        int[] table = new int[64];
        table[3] = 3;
        assertThat(rules.spreading(usual, null, table).table()).isEqualTo(table).isNotSameAs(table);
        table[63] = 4;
        assertRefused(Errno.EINVAL, "Entry 63", () -> rules.spreading(usual, null, table));
        table[63] = -1;
        assertRefused(Errno.EINVAL, "Entry 63", () -> rules.spreading(usual, null, table));
        assertRefused(Errno.EINVAL, "64", () -> rules.spreading(usual, null, new int[128]));
        assertRefused(Errno.EINVAL, "40", () -> rules.spreading(usual, new byte[39], null));
        assertRefused(Errno.EOPNOTSUPP, "up", () -> rules.spreading(usual.withUp(false), new byte[40], null));
    }

    @Test
    void moderation() {
        Moderation most = new Moderation(false, 1023, 255);
        PortConfig set = rules.moderation(usual, most, Moderation.ADAPTIVE);
        assertThat(set.moderation()).isEqualTo(new PortConfig.Moderations(most, Moderation.ADAPTIVE));
        assertRefused(Errno.EINVAL, "1024", () -> rules.moderation(usual, new Moderation(true, 1024, 0), most));
        assertRefused(Errno.EINVAL, "256", () -> rules.moderation(usual, most, new Moderation(false, 0, 256)));
        PortRules older = new PortRules("mana0", 9000, 16, 64, 4, false);
        assertRefused(Errno.EOPNOTSUPP, "firmware", () -> older.moderation(usual, Moderation.OFF, Moderation.ADAPTIVE));
        assertThat(older.moderation(usual, Moderation.OFF, Moderation.OFF)).isEqualTo(usual);
    }

    @Test
    void coalescing() {
        PortRules older = new PortRules("mana0", 9000, 16, 64, 4, false);
        assertThat(rules.coalescing(usual, 4).frames()).isEqualTo(4);
        assertThat(rules.coalescing(usual, 8).frames()).isEqualTo(8);
        assertThat(older.coalescing(usual, 4).frames()).isEqualTo(4);
        for (int frames : new int[] {0, 2, 3, 5, 9, -1}) {
            assertRefused(Errno.EINVAL, "" + frames, () -> rules.coalescing(usual, frames));
        }
        assertRefused(Errno.EINVAL, "before 2026-08", () -> older.coalescing(usual, 8));
    }

    @Test
    void pages() {
        assertThat(rules.pages(usual, ReceivePolicy.PAGE, 65536).page()).isEqualTo(65536);
        PortConfig large = rules.hook(rules.mtu(usual.withPages(ReceivePolicy.PAGE, 16384), 9000), PASS);
        assertRefused(Errno.EOPNOTSUPP, "3506", () -> rules.pages(large, ReceivePolicy.PAGE, 4096));
    }

    @Test
    void features() {
        assertThat(Features.of(usual)).extracting(Feature::name).doesNotHaveDuplicates()
                .containsSubsequence("rx-checksumming", "tx-checksumming", "scatter-gather",
                        "tcp-segmentation-offload", "rx-vlan-offload", "receive-hashing");
        assertThat(Features.of(usual)).hasSizeGreaterThan(60).last().isEqualTo(
                new Feature("hsr-dup-offload", false, true));
        assertRefused(Errno.EOPNOTSUPP, "loopback", () -> Features.change("mana0", usual, "loopback", true));
        PortConfig without = Features.change("mana0", usual, "scatter-gather", false);
        assertThat(without.has(PortConfig.SEGMENTATION_4)).isFalse();
        assertThat(without.has(PortConfig.SEND_CHECKSUM_4)).isTrue();
        PortConfig six = Features.change("mana0", usual, "tx-checksum-ipv6", false);
        assertThat(six.has(PortConfig.SEGMENTATION_6)).isFalse();
        assertThat(six.has(PortConfig.SEGMENTATION_4)).isTrue();
        assertThat(Features.change("mana0", usual, "rx-vlan-offload", true)).isEqualTo(usual);
        assertRefused(Errno.EOPNOTSUPP, "fixed", () -> Features.change("mana0", usual, "rx-vlan-offload", false));
        assertRefused(Errno.EINVAL, "warp", () -> Features.change("mana0", usual, "warp", true));
        assertRefused(Errno.EINVAL, "warp", () -> PrivateFlags.change("mana0", usual, "warp", true));
    }

    @Test
    void whatWasSetIsWrittenAndRead() {
        byte[] key = new byte[40];
        key[39] = -1;
        int[] table = new int[64];
        table[1] = 2;
        PortConfig set = rules.spreading(rules.channels(rules.rings(rules.mtu(
                rules.pages(usual, ReceivePolicy.FRAGMENT, 65536), 4000), 2048, 512, new ArrayList<>()), 3), key,
                table);
        set = rules.coalescing(set, 4);
        set = rules.moderation(set, new Moderation(false, 12, 34), Moderation.ADAPTIVE);
        set = PrivateFlags.change("mana0", Features.change("mana0", set, "tx-checksumming", false), "poll", true)
                .withUp(false);
        Map<String, String> kept = KeptConfig.after(Map.of(), usual, set);
        Map<String, String> failures = new TreeMap<>();
        PortConfig again = KeptConfig.take(kept, rules, usual, failures);
        assertThat(failures).isEmpty();
        assertThat(again).usingRecursiveComparison().isEqualTo(set);
        assertThat(kept.values()).allMatch(word -> word.matches("[\\p{Graph}]+"));
    }

    @Test
    void onlyWhatWasSetIsKept() {
        assertThat(KeptConfig.after(Map.of(), usual, usual.withMtu(1400))).isEqualTo(Map.of("mtu", "1400"));
        assertThat(KeptConfig.after(Map.of("mtu", "1400"), usual.withMtu(1400), usual))
                .isEqualTo(Map.of("mtu", "1500"));
        PortConfig spread = rules.spreading(usual, null, new int[64]);
        Map<String, String> kept = KeptConfig.after(Map.of(), usual, spread);
        kept = KeptConfig.after(kept, spread, rules.channels(spread, 2));
        assertThat(KeptConfig.take(kept, rules, usual, new TreeMap<>()).table()).isNull();
    }

    @Test
    void whatCannotBeTakenUpIsSaidAndLeftOut() {
        Map<String, String> hostile = new HashMap<>(Map.of("mtu", "99999", "rings", "1024", "channels", "x",
                "key", "zz", "table", "1,2", "frames", "9", "off", "warp", "flags", "x,y",
                "moderation", "fixed/1024/0,adaptive/0/0"));
        hostile.put("pages", "lean");
        hostile.put("mapping", "sideways");
        hostile.put("nonsense", "1");
        Map<String, String> failures = new TreeMap<>();
        PortConfig config = KeptConfig.take(hostile, rules, usual, failures);
        assertThat(config).usingRecursiveComparison().isEqualTo(usual);
        assertThat(failures).containsOnlyKeys("mtu", "rings", "channels", "key", "table", "frames", "off", "flags",
                "pages", "mapping", "moderation");
        assertThat(failures.get("mapping")).contains("sideways");
    }

    @Test
    void namesOfCountersAreThoseOfTheRealDriver() {
        assertThat(Labels.PORT).hasSize(6);
        assertThat(Labels.HOST).hasSize(27).startsWith("hc_rx_discards_no_wqe", "hc_rx_err_vport_disabled",
                "hc_rx_bytes", "hc_rx_ucast_pkts", "hc_rx_ucast_bytes", "hc_rx_bcast_pkts", "hc_rx_bcast_bytes",
                "hc_rx_mcast_pkts").endsWith("hc_tx_err_gdma");
        assertThat(Labels.PHYSICAL).hasSize(50).startsWith("hc_rx_pkt_drop_phy", "hc_tx_pkt_drop_phy",
                "hc_tc0_rx_pkt_phy", "hc_tc0_tx_pkt_phy").endsWith("hc_tc7_tx_pause_phy");
        assertThat(Labels.RECEIVE).hasSize(13).endsWith("coalesced_cqe_7", "coalesced_cqe_8");
        assertThat(Labels.SEND).hasSize(11);
    }
}

package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.RssHash;
import io.manafold.memory.PacketPool;
import java.util.HexFormat;

/** Queues, hashes and pools as they are shown. */
final class QueueText {
    private static final String STARS = "*".repeat(21);

    private QueueText() {
    }

    static String hash(EthDev port, boolean key) {
        RssHash hash = port.rss();
        if (hash == null || hash.fields() == 0) {
            return "RSS disabled\n";
        }
        StringBuilder text = new StringBuilder("RSS functions:\n ");
        field(text, hash, RssHash.IPV4, "ipv4");
        field(text, hash, RssHash.IPV4_TCP, "ipv4-tcp");
        field(text, hash, RssHash.IPV4_UDP, "ipv4-udp");
        field(text, hash, RssHash.IPV6, "ipv6");
        field(text, hash, RssHash.IPV6_TCP, "ipv6-tcp");
        field(text, hash, RssHash.IPV6_UDP, "ipv6-udp");
        text.append('\n');
        return key ? text.append("RSS key:\n").append(HexFormat.of().withUpperCase().formatHex(hash.key())).append('\n').toString()
                : text.toString();
    }

    private static void field(StringBuilder text, RssHash hash, long bit, String name) {
        text.append((hash.fields() & bit) != 0 ? " " + name : "");
    }

    static String redirection(EthDev port, String size) {
        int[] table = port.redirection();
        int wanted = Words.number("The size of the table", size, 1, 65_536);
        if (wanted != table.length) {
            throw Words.wrong("The table of port " + port.number() + " has " + table.length + " entries, not " + wanted + ".");
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < table.length; i++) {
            text.append("RSS RETA configuration: hash index=%d, queue=%d\n".formatted(i, table[i]));
        }
        return text.toString();
    }

    static String offloads(EthDev port, boolean receive, boolean capabilities) {
        EthDevPlan plan = port.plan();
        long there = receive ? port.info().receiveOffloads() : port.info().sendOffloads();
        long set = plan == null ? 0 : receive ? plan.receiveOffloads() : plan.sendOffloads();
        return "%s Offloading %s of port %d :\n  Per Queue : 0x0\n  Per Port  : 0x%x\n".formatted(receive ? "Rx" : "Tx",
                capabilities ? "Capabilities" : "Configuration", port.number(), capabilities ? there : set);
    }

    static String queue(EthDev port, boolean receive, String number, Settings settings, PacketPool pool) {
        int most = Math.max(1, receive ? settings.receiveQueues : settings.sendQueues);
        int queue = Words.number("A queue of port " + port.number(), number, 0, most - 1);
        int descriptors = receive ? settings.receiveDescriptors : settings.sendDescriptors;
        return "\n%s Infos for port %-2d, %s queue %-2d %s\n".formatted(STARS, port.number(), receive ? "RX" : "TX", queue, STARS)
                + (receive ? "Mempool: " + pool.name() + "\n" : "")
                + "%s prefetch threshold: 0\n%1$s host threshold: 0\n%1$s writeback threshold: 0\n".formatted(receive ? "RX" : "TX")
                + "%s free threshold: 0\n%1$s deferred start: off\n".formatted(receive ? "RX" : "TX")
                + "Number of %sDs: %d\n".formatted(receive ? "RX" : "TX", descriptors == 0 ? 256 : descriptors);
    }

    static String pool(PacketPool pool) {
        return "mempool <%s>\n  size=%d\n  populated_size=%d\n  elt_size=%d\n  cache_size=%d\n  available_count=%d\n  in_use_count=%d\n"
                .formatted(pool.name(), pool.packets(), pool.packets(), pool.room() + PacketPool.HEADROOM, pool.cacheSize(),
                        pool.available(), pool.packets() - pool.available());
    }
}

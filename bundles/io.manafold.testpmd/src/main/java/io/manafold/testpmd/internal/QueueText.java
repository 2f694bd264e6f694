package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.RssHash;
import io.manafold.memory.PacketPool;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Queues, hashes and pools as they are shown. */
final class QueueText {
    private static final String STARS = "*".repeat(21);

    private static final Map<Long, String> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put(RssHash.IPV4, "ipv4");
        FIELDS.put(RssHash.IPV4_TCP, "ipv4-tcp");
        FIELDS.put(RssHash.IPV4_UDP, "ipv4-udp");
        FIELDS.put(RssHash.IPV6, "ipv6");
        FIELDS.put(RssHash.IPV6_TCP, "ipv6-tcp");
        FIELDS.put(RssHash.IPV6_UDP, "ipv6-udp");
    }

    private QueueText() {
    }

    static String hash(EthDev port, boolean key) {
        if (port.plan() == null || port.plan().rss() == null || port.rss().fields() == 0) {
            return "RSS disabled\n";
        }
        RssHash hash = port.rss();
        String text = "RSS functions:\n" + fields(hash.fields()) + "\n";
        return key ? text + "RSS key:\n" + HexFormat.of().withUpperCase().formatHex(hash.key()) + "\n" : text;
    }

    /** The names of fields that are hashed. */
    static String fields(long bits) {
        StringBuilder text = new StringBuilder();
        FIELDS.forEach((bit, name) -> text.append((bits & bit) != 0 ? "  " + name : ""));
        return text.toString();
    }

    /** Fields by their name. */
    static long fields(String name) {
        return FIELDS.entrySet().stream().filter(entry -> entry.getValue().equals(name)).map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> Words.wrong("'" + Words.shown(name) + "' is nothing that is hashed; it is one of "
                        + String.join(", ", FIELDS.values()) + "."));
    }

    /** @param masks of the buckets that are shown, 64 in each; empty for all */
    static String redirection(EthDev port, String size, String masks) {
        int[] table = port.redirection();
        int wanted = Words.number("Invalid redirection table size: the size", size, 1, table.length);
        long[] shown = masks(masks, (wanted + Long.SIZE - 1) / Long.SIZE);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < wanted; i++) {
            if ((shown[i / Long.SIZE] >>> i % Long.SIZE & 1) != 0) {
                text.append("RSS RETA configuration: hash index=%d, queue=%d\n".formatted(i, table[i]));
            }
        }
        return text.toString();
    }

    private static long[] masks(String text, int count) {
        long[] masks = new long[count];
        if (text.isEmpty()) {
            Arrays.fill(masks, -1);
            return masks;
        }
        if (!text.startsWith("(") || !text.endsWith(")")) {
            throw Words.wrong("Masks of buckets are written in brackets, as in (0xffffffffffffffff), not '"
                    + Words.shown(text) + "'.");
        }
        String[] parts = text.substring(1, text.length() - 1).split(",", -1);
        if (parts.length != count) {
            throw Words.wrong("Each 64 buckets have a mask, so that there are " + count + " in the brackets, not "
                    + parts.length + ".");
        }
        for (int i = 0; i < count; i++) {
            masks[i] = Words.mask("A mask of buckets", parts[i]);
        }
        return masks;
    }

    static String queue(EthDev port, boolean receive, String word, Settings settings, PacketPool pool) {
        int most = Math.max(1, receive ? settings.receiveQueues : settings.sendQueues);
        int queue = Words.number("A queue of port " + port.number(), word, 0, most - 1);
        String way = receive ? "RX" : "TX";
        String number = "Number of %sDs: %d\n".formatted(way, settings.descriptors(receive));
        String state = "%cx queue state: %s\n".formatted(way.charAt(0), port.isStarted() ? "started" : "stopped");
        String text = "\n%s Infos for port %-2d, %s queue %-2d %s\n".formatted(STARS, port.number(), way, queue, STARS)
                + (receive ? "Mempool: " + pool.name() + "\n" : "")
                + "%s prefetch threshold: 0\n%1$s host threshold: 0\n%1$s writeback threshold: 0\n".formatted(way);
        return receive
                ? text + "RX free threshold: 0\nRX drop packets: off\nRX deferred start: off\n"
                + "RX scattered packets: off\n" + state + number
                : text + "TX RS threshold: 0\nTX free threshold: 0\nTX deferred start: off\n" + number + state;
    }

    static String pool(PacketPool pool) {
        return ("mempool <%s>\n  size=%d\n  populated_size=%d\n  elt_size=%d\n  cache_size=%d\n"
                + "  available_count=%d\n  in_use_count=%d\n")
                .formatted(pool.name(), pool.packets(), pool.packets(), pool.room() + PacketPool.HEADROOM,
                pool.cacheSize(), pool.available(), pool.packets() - pool.available());
    }
}

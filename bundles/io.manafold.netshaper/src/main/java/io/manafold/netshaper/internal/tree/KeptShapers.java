package io.manafold.netshaper.internal.tree;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.api.shaper.ShaperScope;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shapers as words to keep, and back: {@code queue.3} is {@code netdev.0/bps/0/1000000000/0/0/3}. */
final class KeptShapers {
    private static final Pattern HANDLE = Pattern.compile("(netdev|queue|node)\\.(0|[1-9][0-9]{0,7})");
    private static final Pattern VALUES = Pattern.compile(
            "(-|[a-z]+\\.[0-9]+)/(bps|pps)/([0-9]{1,20})/([0-9]{1,20})/([0-9]{1,20})/([0-9]{1,10})/([0-9]{1,10})");

    private KeptShapers() {
    }

    static Map<String, String> words(Collection<Shaper> shapers) {
        Map<String, String> words = new TreeMap<>();
        shapers.forEach(shaper -> words.put(word(shaper.handle()), values(shaper)));
        return words;
    }

    static String values(Shaper shaper) {
        return String.join("/", shaper.parent() == null ? "-" : word(shaper.parent()), shaper.metric().word(),
                Long.toUnsignedString(shaper.bwMin()), Long.toUnsignedString(shaper.bwMax()),
                Long.toUnsignedString(shaper.burst()), Integer.toUnsignedString(shaper.priority()),
                Integer.toUnsignedString(shaper.weight()));
    }

    /** @param unreadable is told words that make no sense */
    static Collection<Shaper> read(Map<String, String> words, Consumer<String> unreadable) {
        Map<ShaperHandle, Shaper> shapers = new TreeMap<>();
        words.forEach((handle, values) -> {
            try {
                Shaper shaper = shaper(handleOf(handle), values);
                shapers.put(shaper.handle(), shaper);
            } catch (IllegalArgumentException wrong) {
                unreadable.accept(handle + " " + values);
            }
        });
        return List.copyOf(shapers.values());
    }

    static String word(ShaperHandle handle) {
        return handle.scope().word() + "." + handle.id();
    }

    /** The handle of that word, if it is one. */
    static Optional<ShaperHandle> handle(String word) {
        try {
            return Optional.of(handleOf(word));
        } catch (IllegalArgumentException wrong) {
            return Optional.empty();
        }
    }

    private static ShaperHandle handleOf(String word) {
        Matcher parts = HANDLE.matcher(word);
        if (!parts.matches()) {
            throw new IllegalArgumentException(word);
        }
        ShaperScope scope = ShaperScope.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
        int id = Integer.parseInt(parts.group(2));
        if (scope == ShaperScope.NETDEV && id != 0 || id > ShaperHandles.MOST_ID) {
            throw new IllegalArgumentException(word);
        }
        return new ShaperHandle(scope, id);
    }

    private static Shaper shaper(ShaperHandle handle, String values) {
        Matcher parts = VALUES.matcher(values);
        boolean root = handle.scope() == ShaperScope.NETDEV;
        if (!parts.matches() || root != parts.group(1).equals("-")) {
            throw new IllegalArgumentException(values);
        }
        ShaperHandle parent = root ? null : handleOf(parts.group(1));
        if (parent != null && (parent.scope() == ShaperScope.QUEUE || parent.equals(handle))) {
            throw new IllegalArgumentException(values);
        }
        return new Shaper(handle, parent, parts.group(2).equals("pps") ? ShaperMetric.PPS : ShaperMetric.BPS,
                Long.parseUnsignedLong(parts.group(3)), Long.parseUnsignedLong(parts.group(4)),
                Long.parseUnsignedLong(parts.group(5)), Integer.parseUnsignedInt(parts.group(6)),
                Integer.parseUnsignedInt(parts.group(7)));
    }
}

package io.manafold.ethernet.internal;

import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was set on a port, as words to keep, and back. Only what somebody has set is kept: what nobody has follows the
 * device's plan. A hook is not kept, as it is code of somebody who may be gone.
 */
final class KeptConfig {
    static final String MTU = "mtu";
    static final String KEY = "key";
    static final String UP = "up";

    private static final String NOTHING = "none";

    /** One thing that is kept: how it is written, and how it is taken up again. */
    private record Word(String name, Function<PortConfig, String> write,
            BiFunction<PortRules, PortConfig, Function<String, PortConfig>> read) {
    }

    /** In the order of taking up: a table names queues that must be there. */
    private static final Word[] WORDS = {
        new Word("pages", config -> config.policy().word() + "/" + config.page(), (rules, old) -> text -> {
            String[] parts = text.split("/", 2);
            return rules.pages(old, named(ReceivePolicy.values(), ReceivePolicy::word, parts[0]),
                    Integer.parseInt(parts[1]));
        }),
        new Word("mapping", config -> config.mapping().word(), (rules, old) -> text ->
                old.withMapping(named(ReceiveMapping.values(), ReceiveMapping::word, text))),
        new Word(MTU, config -> "" + config.mtu(), (rules, old) -> text -> rules.mtu(old, Integer.parseInt(text))),
        new Word("rings", config -> config.receiveEntries() + "/" + config.transmitEntries(), (rules, old) -> text -> {
            String[] parts = text.split("/", 2);
            return rules.rings(old, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), new ArrayList<>());
        }),
        new Word("channels", config -> "" + config.channels(),
                (rules, old) -> text -> rules.channels(old, Integer.parseInt(text))),
        new Word(KEY, KeptConfig::key,
                (rules, old) -> text -> rules.spreading(old.withUp(true), HexFormat.of().parseHex(text), null)
                        .withUp(old.up())),
        new Word("table", config -> config.table() == null ? NOTHING
                : Arrays.stream(config.table()).mapToObj(Integer::toString).collect(Collectors.joining(",")),
                (rules, old) -> text -> text.equals(NOTHING) ? old : rules.spreading(old.withUp(true), null,
                        Stream.of(text.split(",")).mapToInt(Integer::parseInt).toArray()).withUp(old.up())),
        new Word("frames", config -> "" + config.frames(),
                (rules, old) -> text -> rules.coalescing(old, Integer.parseInt(text))),
        new Word("off", config -> list(PortConfig.FEATURES.stream().filter(name -> !config.has(name))),
                (rules, old) -> text -> {
                    PortConfig now = old;
                    for (String name : names(text)) {
                        now = Features.change(rules.device(), now, name, false);
                    }
                    return now;
                }),
        new Word("flags", config -> list(config.flags().stream()), (rules, old) -> text -> {
            PortConfig now = old;
            for (String name : names(text)) {
                now = PrivateFlags.change(rules.device(), now, name, true);
            }
            return now;
        }),
        new Word(UP, config -> "" + config.up(), (rules, old) -> text -> old.withUp(Boolean.parseBoolean(text)))};

    private KeptConfig() {
    }

    /** What was kept before, and what has been set since. */
    static Map<String, String> after(Map<String, String> before, PortConfig old, PortConfig now) {
        Map<String, String> after = new TreeMap<>(before);
        for (Word word : WORDS) {
            String text = word.write.apply(now);
            if (!text.equals(word.write.apply(old))) {
                after.put(word.name, text);
            }
        }
        return after;
    }

    /** @param failures are told the word that cannot be taken up any more, and why; it stays as it was */
    static PortConfig take(Map<String, String> kept, PortRules rules, PortConfig preset,
            BiConsumer<String, String> failures) {
        PortConfig config = preset;
        for (Word word : WORDS) {
            String text = kept.get(word.name);
            if (text != null) {
                try {
                    config = word.read.apply(rules, config).apply(text);
                } catch (Refusal | IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
                    failures.accept(word.name, Objects.requireNonNullElse(wrong.getMessage(), "it is unreadable"));
                }
            }
        }
        return config;
    }

    static String key(PortConfig config) {
        return HexFormat.of().formatHex(config.key());
    }

    private static <T> T named(T[] all, Function<T, String> name, String word) {
        return Stream.of(all).filter(one -> name.apply(one).equals(word)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no '" + word + "'"));
    }

    private static String list(Stream<String> names) {
        Set<String> sorted = names.collect(Collectors.toCollection(TreeSet::new));
        return sorted.isEmpty() ? NOTHING : String.join(",", sorted);
    }

    private static String[] names(String text) {
        return text.equals(NOTHING) ? new String[0] : text.split(",");
    }
}

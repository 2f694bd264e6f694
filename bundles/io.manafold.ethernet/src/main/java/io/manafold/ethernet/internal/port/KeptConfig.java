package io.manafold.ethernet.internal.port;

import io.manafold.api.net.Moderation;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.ByteBounds;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.PrivateFlags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was set on a port, as words to keep, and back. Only what an administrator has set is kept: the rest follows the
 * device's plan. A hook is not kept, as it is code of a bundle that may be gone. Each word is a case below and not an
 * object with functions: all of them are needed anew whenever a driver's classes are, while its devices are away.
 */
public final class KeptConfig {
    public static final String MTU = "mtu";
    public static final String KEY = "key";
    public static final String UP = "up";

    private static final String NOTHING = "none";

    /** In the order of taking up: a table names queues that must be there. */
    private static final String[] WORDS = {"pages", "mapping", MTU, "rings", "channels", KEY, "table", "frames", "off",
        "flags", "bytes", "modes", "moderation", UP};

    private KeptConfig() {
    }

    /** All words, in the order of taking up. */
    public static List<String> words() {
        return List.of(WORDS);
    }

    /** What was kept before, and what has been set since. */
    static Map<String, String> after(Map<String, String> before, PortConfig old, PortConfig now) {
        Map<String, String> after = new TreeMap<>(before);
        for (String word : WORDS) {
            String text = write(word, now);
            if (!text.equals(write(word, old))) {
                after.put(word, text);
            }
        }
        return after;
    }

    private static String write(String word, PortConfig config) {
        return switch (word) {
            case "pages" -> config.policy().word() + "/" + config.page();
            case "mapping" -> config.mapping().word();
            case MTU -> Integer.toString(config.mtu());
            case "rings" -> config.receiveEntries() + "/" + config.transmitEntries();
            case "channels" -> Integer.toString(config.channels());
            case KEY -> key(config);
            case "table" -> config.table() == null ? NOTHING
                    : Arrays.stream(config.table()).mapToObj(Integer::toString).collect(Collectors.joining(","));
            case "frames" -> Integer.toString(config.frames());
            case "off" -> list(PortConfig.FEATURES.stream().filter(name -> !config.has(name)));
            case "flags" -> list(config.flags().stream());
            case "modes" -> list(config.modes().stream());
            case "bytes" -> list(config.bounds().entrySet().stream().map(KeptConfig::bounds));
            case "moderation" -> text(config.moderation().receive()) + "," + text(config.moderation().transmit());
            case UP -> Boolean.toString(config.up());
            default -> throw new IllegalArgumentException(word);
        };
    }

    /** @param failures gets the words that cannot be taken up any more, and why; they stay as they were */
    public static PortConfig take(Map<String, String> kept, PortRules rules, PortConfig preset,
            Map<String, String> failures) {
        PortConfig config = preset;
        for (String word : WORDS) {
            String text = kept.get(word);
            if (text != null) {
                try {
                    config = read(word, text, rules, config);
                } catch (Refusal | IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
                    failures.put(word, Objects.requireNonNullElse(wrong.getMessage(), "it is unreadable"));
                }
            }
        }
        return config;
    }

    private static PortConfig read(String word, String text, PortRules rules, PortConfig old) {
        return switch (word) {
            case "pages" -> {
                String[] parts = text.split("/", 2);
                yield rules.pages(old, named(ReceivePolicy.values(), ReceivePolicy::word, parts[0]),
                        Integer.parseInt(parts[1]));
            }
            case "mapping" -> old.withMapping(named(ReceiveMapping.values(), ReceiveMapping::word, text));
            case MTU -> rules.mtu(old, Integer.parseInt(text));
            case "rings" -> {
                String[] parts = text.split("/", 2);
                yield rules.rings(old, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), new ArrayList<>());
            }
            case "channels" -> rules.channels(old, Integer.parseInt(text));
            case KEY -> rules.spreading(old.withUp(true), HexFormat.of().parseHex(text), null).withUp(old.up());
            case "table" -> text.equals(NOTHING) ? old : rules.spreading(old.withUp(true), null,
                    Stream.of(text.split(",")).mapToInt(Integer::parseInt).toArray()).withUp(old.up());
            case "frames" -> rules.coalescing(old, Integer.parseInt(text));
            case "off" -> {
                PortConfig now = old;
                for (String name : names(text)) {
                    now = Features.change(rules.device(), now, name, false);
                }
                yield now;
            }
            case "flags" -> {
                PortConfig now = old;
                for (String name : names(text)) {
                    now = PrivateFlags.change(rules.device(), now, name, true);
                }
                yield now;
            }
            case "bytes" -> {
                PortConfig now = old;
                for (String one : names(text)) {
                    String[] parts = one.split("/", 4);
                    now = rules.bounds(now, Integer.parseInt(parts[0]), new ByteBounds(Integer.parseInt(parts[1]),
                            Integer.parseInt(parts[2]), Integer.parseInt(parts[3])));
                }
                yield now;
            }
            case "modes" -> {
                PortConfig now = old;
                for (String name : names(text)) {
                    now = now.withMode(named(new String[] {PortConfig.PROMISCUOUS, PortConfig.ALL_MULTICAST},
                            Function.identity(), name), true);
                }
                yield now;
            }
            case "moderation" -> {
                String[] both = text.split(",", 2);
                yield rules.moderation(old, moderation(both[0]), moderation(both[1]));
            }
            case UP -> old.withUp(Boolean.parseBoolean(text));
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static String text(Moderation one) {
        return (one.adaptive() ? "adaptive" : "fixed") + "/" + one.micros() + "/" + one.frames();
    }

    private static Moderation moderation(String text) {
        String[] parts = text.split("/", 3);
        return new Moderation(named(new String[] {"adaptive", "fixed"}, Function.identity(), parts[0])
                .equals("adaptive"), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    private static String bounds(Map.Entry<Integer, ByteBounds> one) {
        ByteBounds bounds = one.getValue();
        return one.getKey() + "/" + bounds.least() + "/" + bounds.most() + "/" + bounds.holdMillis();
    }

    public static String key(PortConfig config) {
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

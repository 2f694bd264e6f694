package io.manafold.testpmd.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The program's half of the words, read: options by their whole names, which may have been abbreviated. */
final class ProgramOptions {
    private static final String FLAGS = "interactive auto-start tx-first txonly-multi-flow rss-ip rss-udp disable-rss "
            + "enable-rss enable-rx-cksum enable-hw-vlan-strip disable-device-start disable-link-check no-numa "
            + "no-lsc-interrupt no-rmv-interrupt hot-plug record-core-cycles record-burst-stats ";
    private static final String VALUES = "forward-mode stats-period nb-cores nb-ports portmask portlist coremask txq "
            + "rxq txd rxd burst mbcache mbuf-size total-num-mbufs max-pkt-len txpkts rxpkts rxoffs rxhdrs "
            + "port-topology eth-peer eth-peers-configfile tx-ip tx-udp txonly-flows txonly-nb-flows flowgen-flows "
            + "flowgen-clones rx-offloads tx-offloads num-procs proc-id "
            + "cmdline-file cmdline-file-noecho noisy-tx-sw-buffer-size noisy-tx-sw-buffer-flushtime noisy-lkup-memory "
            + "noisy-lkup-num-writes noisy-lkup-num-reads noisy-lkup-num-reads-writes noisy-forward-mode "
            + "print-event mask-event display-xstats latencystats bitrate-stats socket-num port-numa-config "
            + "ring-numa-config mp-alloc ";
    /** What is so here with them and without them, and why. */
    private static final Map<String, String> IDLE = Map.of(
            "numa", "memory is one node here.",
            "no-flush-rx", "queues are never emptied before packets are forwarded.",
            "mlockall", "memory of packets is registered with devices, and no other memory is locked.",
            "no-mlockall", "no memory is locked.");
    private static final Map<String, String> REFUSED = Map.of(
            "enable-scatter", "a received packet is in one segment of its pool; --mbuf-size has it take longer ones.",
            "enable-lro", "no device here puts received packets together; leave it out.");
    private static final List<String> ALL = Stream.of(Stream.of((FLAGS + VALUES).split(" ")),
            IDLE.keySet().stream().sorted(), REFUSED.keySet().stream().sorted()).flatMap(names -> names).toList();

    private final Map<String, List<String>> given = new LinkedHashMap<>();
    private final List<Given> inOrder = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** An option with its value, empty if it takes none. */
    record Given(String name, String value) {
    }

    ProgramOptions(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            String name = name(equals < 0 ? word : word.substring(0, equals));
            if (REFUSED.containsKey(name)) {
                throw new Refusal(Errno.EINVAL, "--" + name + " is not carried out here: " + REFUSED.get(name));
            }
            boolean takes = isOf(VALUES, name);
            String value = "";
            if (takes && equals >= 0) {
                value = word.substring(equals + 1);
            } else if (takes) {
                if (++i == words.size()) {
                    throw new Refusal(Errno.EINVAL, "--" + name + " needs a value behind it.");
                }
                value = words.get(i);
            } else if (equals >= 0) {
                throw new Refusal(Errno.EINVAL, "--" + name + " takes no value, so '" + Words.shown(word)
                        + "' makes no sense.");
            }
            given.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            inOrder.add(new Given(name, value));
            if (IDLE.containsKey(name)) {
                notes.add("--" + name + " changes nothing here: " + IDLE.get(name));
            }
        }
    }

    private static boolean isOf(String list, String name) {
        return (" " + list).contains(" " + name + " ");
    }

    private static String name(String word) {
        switch (word) {
            case "-i":
                return "interactive";
            case "-a":
                return "auto-start";
            default:
                break;
        }
        if (!word.startsWith("--") || word.length() < 3) {
            throw new Refusal(Errno.EINVAL, "'" + Words.shown(word)
                    + "' is no option of testpmd: options of the program begin with two dashes, those of the "
                    + "environment come before '--'.");
        }
        String name = word.substring(2);
        if (ALL.contains(name)) {
            return name;
        }
        List<String> fit = ALL.stream().filter(one -> one.startsWith(name)).toList();
        if (fit.size() == 1) {
            return fit.getFirst();
        }
        throw new Refusal(Errno.EINVAL, fit.isEmpty() ? "testpmd has no option '" + Words.shown(word) + "'."
                : "'" + word + "' may be any of --" + String.join(", --", fit) + "; write more of it.");
    }

    static List<String> names() {
        return ALL.stream().map(name -> "--" + name).toList();
    }

    /** A line for each. */
    static String usage() {
        StringBuilder text = new StringBuilder("  -i, -a\n      As --interactive and --auto-start\n");
        for (String name : ALL) {
            boolean takes = isOf(VALUES, name);
            text.append("  --").append(name).append(takes ? "=VALUE" : "")
                    .append(IDLE.containsKey(name) ? "  (changes nothing here)" : "")
                    .append(REFUSED.containsKey(name) ? "  (refused)" : "").append('\n');
        }
        return text.toString();
    }

    List<String> notes() {
        return notes;
    }

    /** A sentence about an option of which a part means nothing here. */
    void note(String sentence) {
        notes.add(sentence);
    }

    boolean has(String name) {
        return given.containsKey(name);
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(given.get(name)).map(List::getLast);
    }

    List<String> values(String name) {
        return given.getOrDefault(name, List.of());
    }

    /** Those of some names, of which each changes what those before it have said. */
    List<Given> inOrder(String... names) {
        return inOrder.stream().filter(one -> List.of(names).contains(one.name)).toList();
    }

    int number(String name, int usual, int least, int most) {
        return value(name).map(text -> Words.number("--" + name, text, least, most)).orElse(usual);
    }
}

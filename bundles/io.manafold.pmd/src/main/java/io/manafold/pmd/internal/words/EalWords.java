package io.manafold.pmd.internal.words;

import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/** Reads the words before {@code --}. */
public final class EalWords {
    private static final Pattern PREFIX = Pattern.compile("(?![.]{1,2}$)[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST = 4096;

    private final List<String> words;
    private final int processors;
    private final Map<PciAddress, DeviceArgument> allowed = new LinkedHashMap<>();
    private final Set<PciAddress> blocked = new LinkedHashSet<>();
    private final Map<String, SyntheticArgument> allowedSynthetic = new LinkedHashMap<>();
    private final Set<String> blockedSynthetic = new LinkedHashSet<>();
    private final List<LogLevels.Entry> levels = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private SortedMap<Integer, TreeSet<Integer>> cores;
    private String mainCore;
    private String prefix = "rte";
    private boolean hasFunctions = true;
    private boolean probesAll = true;
    private boolean probesSynthetic = true;
    private boolean alone;
    private boolean strict;
    private boolean bound;
    private boolean dryRun;
    private boolean check;
    private boolean telemetry;
    private boolean runToCompletion;
    private EalOptions.Role role = EalOptions.Role.PRIMARY;
    private int at;

    private EalWords(List<String> words, int processors) {
        this.words = words;
        this.processors = processors;
    }

    /**
     * Reads them.
     *
     * @param processors that this machine has
     * @throws Refusal {@code EINVAL} for a word that is none or does not go with another
     */
    public static EalOptions parse(List<String> words, int processors) {
        return new EalWords(List.copyOf(words), processors).all();
    }

    private EalOptions all() {
        while (at < words.size() && !words.get(at).equals("--")) {
            next();
        }
        int consumed = Math.min(words.size(), at + 1);
        if (!allowed.isEmpty() && !blocked.isEmpty()) {
            throw wrong("Functions are either allowed or blocked: leave out -b where -a or --vdev is.");
        }
        if (!allowedSynthetic.isEmpty() && !blockedSynthetic.isEmpty()) {
            throw wrong("Synthetic devices are either allowed or blocked: leave out -b where -a is.");
        }
        if (!hasFunctions && !allowed.isEmpty()) {
            notes.add("--no-pci: no function is probed, " + allowed.keySet().iterator().next()
                    + ", which -a or --vdev names, among them.");
            allowed.clear();
        }
        if (alone && role == EalOptions.Role.SECONDARY) {
            throw wrong("--in-memory shares nothing with other environments, so it does not go with "
                    + "--proc-type=secondary.");
        }
        if (alone && telemetry) {
            notes.add("--telemetry is without effect beside --in-memory, which has no files and no socket among them.");
        }
        if (cores == null) {
            cores = new TreeMap<>();
            for (int i = 0; i < Math.min(processors, CoreList.MOST); i++) {
                cores.put(i, new TreeSet<>(Set.of(i)));
            }
        }
        beyond();
        return new EalOptions(cores, bound, main(), allowed, blocked, hasFunctions, probesAll, prefix,
                alone, dryRun, check,
                runToCompletion, telemetry, new LogLevels(levels), role, consumed, notes,
                new SyntheticOptions(allowedSynthetic, blockedSynthetic, probesSynthetic));
    }

    private void next() {
        String text = words.get(at++);
        if (text.length() > LONGEST) {
            throw wrong("A word of " + text.length() + " characters is none that is known here.");
        }
        String name = text;
        String value = null;
        int equals = text.indexOf('=');
        if (text.startsWith("--") && equals > 0) {
            name = text.substring(0, equals);
            value = text.substring(equals + 1);
        } else if (text.length() > 2 && text.charAt(0) == '-' && text.charAt(1) != '-') {
            name = text.substring(0, 2);
            value = text.substring(2);
        }
        EalWord word = EalWord.of(name);
        if (word == null) {
            throw wrong("'" + name + "' is no word of an environment. Words of the application come behind --, as in "
                    + "-l 0-1 -a 7870:00:00.0 -- -i.");
        }
        if (word.hasValue() && value == null) {
            if (at == words.size() || words.get(at).equals("--")) {
                throw wrong(name + " is followed by a value, which is missing.");
            }
            value = words.get(at++);
        } else if (!word.mayHaveValue() && value != null) {
            throw wrong(name + " takes no value, and '" + value + "' is given.");
        }
        take(word, name, value);
    }

    private void take(EalWord word, String name, String value) {
        switch (word) {
            case CORES -> {
                cores = CoreList.parse(name, value);
                bound = value.indexOf('@') >= 0;
            }
            case CORE_MASK -> {
                cores = CoreList.mask(name, value);
                bound = false;
                notes.add("-c is deprecated; use -l with a list of cores.");
            }
            case SERVICE_MASK -> {
                CoreList.mask(name, value);
                notes.add(name + " is without effect: there are no service cores here.");
            }
            case MAIN_CORE -> mainCore = value;
            case ALLOW, VDEV -> allow(name, value);
            case BLOCK -> {
                if (SyntheticArgument.isMeant(value)) {
                    blockedSynthetic.add(SyntheticArgument.parse(name, value).instance());
                } else {
                    blocked.add(DeviceArgument.address(name, value));
                }
            }
            case OLD_ALLOW -> throw wrong(name + " is no longer a word of an environment; use -a " + value
                    + " in its place.");
            case OLD_BLOCK -> throw wrong(name + " is no longer a word of an environment; use -b " + value
                    + " in its place.");
            case NO_PCI -> hasFunctions = false;
            case NO_PROBING, PROBING -> {
                probesAll = word == EalWord.PROBING;
                probesSynthetic = probesAll;
            }
            case PREFIX -> prefix = prefix(name, value);
            case ROLE -> role(value);
            case IN_MEMORY -> alone = true;
            case NO_HUGE -> notes.add("--no-huge: packets lie in ordinary memory here, with it and without it.");
            case LOG_LEVEL -> levels.add(level(name, value));
            case TELEMETRY -> telemetry = true;
            case NO_TELEMETRY -> telemetry = false;
            case MEGABYTES, NUMBER -> {
                number(name, value);
                notes.add(name + " is without effect: memory is taken as pools are made.");
            }
            case ADDRESSES -> {
                if (!value.equals("va") && !value.equals("pa")) {
                    throw wrong(name + " takes va or pa, not '" + value + "'.");
                }
                if (value.equals("pa")) {
                    notes.add("--iova-mode=pa is without effect: memory is registered, and addresses are virtual.");
                }
            }
            case STRICT_CORES -> strict = true;
            case DRY_RUN -> dryRun = true;
            case CHECK -> {
                check = true;
                notes.add("--check: each packet is looked at as it changes hands, which is slow.");
            }
            case RUN_TO_COMPLETION -> {
                runToCompletion = true;
                notes.add("--run-to-completion: forwarding cores take turns with the links of their ports, on the "
                        + "threads of those.");
            }
            case VERSION -> notes.add("RTE Version: 'Manafold" + version() + "'");
            case HELP -> throw wrong(name + " is for programs to answer: testpmd does.");
            case HUGE_UNLINK -> {
                if (value != null && !List.of("existing", "always", "never").contains(value)) {
                    throw wrong(name + " takes existing, always or never, not '" + value + "'.");
                }
                notes.add(name + " is without effect here.");
            }
            case IDLE, IDLE_VALUE, SYSLOG -> notes.add(name + " is without effect here.");
        }
    }

    private static String version() {
        Bundle own = FrameworkUtil.getBundle(EalWords.class);
        return own == null ? "" : " " + own.getVersion();
    }

    private void allow(String name, String value) {
        if (value.startsWith("net_vdev_netvsc") || value.startsWith("net_failsafe")) {
            throw wrong(name + " " + value + " is not taken: a port in front of a tap and a virtual function is slow, "
                    + "and not meant for MANA. Use net_netvsc: 'ip link set' takes the pair's device down, and its "
                    + "port is probed by itself, or by -a and its UUID.");
        }
        if (SyntheticArgument.isMeant(value)) {
            SyntheticArgument device = SyntheticArgument.parse(name, value);
            allowedSynthetic.put(device.instance(), device);
            if (!device.arguments().isEmpty()) {
                notes.add("What follows " + device.instance() + " is without effect: its frames are always copied.");
            }
        } else {
            DeviceArgument device = DeviceArgument.parse(name, value);
            allowed.put(device.address(), device);
        }
    }

    private static String prefix(String name, String value) {
        if (!PREFIX.matcher(value).matches()) {
            throw wrong(name + " takes up to 64 letters, digits, points and dashes, other than one or two points "
                    + "alone, not '" + value + "'.");
        }
        return value;
    }

    private void role(String value) {
        switch (value) {
            case "primary" -> role = EalOptions.Role.PRIMARY;
            case "auto" -> role = EalOptions.Role.EITHER;
            case "secondary" -> role = EalOptions.Role.SECONDARY;
            default -> throw wrong("--proc-type takes primary, secondary or auto, not '" + value + "'.");
        }
    }

    private LogLevels.Entry level(String name, String value) {
        return LogLevels.parse(value).orElseThrow(() -> wrong(name + " takes a level from 1 to 8 or its name, as in"
                + " pmd.net.mana.driver:debug, and '" + value + "' has none."));
    }

    private static int number(String name, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // it is refused below
        }
        throw wrong(name + " takes a number above 0, not '" + value + "'.");
    }

    private int main() {
        if (mainCore == null) {
            return cores.firstKey();
        }
        for (int core : cores.keySet()) {
            if (mainCore.equals(Integer.toString(core))) {
                return core;
            }
        }
        throw wrong("--main-lcore " + mainCore + " is not one of the cores " + cores.keySet() + ".");
    }

    /** Cores that this machine does not have. */
    private void beyond() {
        List<Integer> beyond = cores.values().stream().flatMap(Set::stream).filter(processor -> processor >= processors)
                .distinct()
                .sorted().toList();
        if (beyond.isEmpty()) {
            return;
        }
        if (strict) {
            throw wrong("This machine has " + processors + " processors, and no " + beyond
                    + "; leave out --strict-cores to have threads share those that there are.");
        }
        bound = false;
        notes.add("This machine has " + processors + " processors: the cores " + cores.keySet()
                + " are threads that share them.");
    }

    private static Refusal wrong(String sentence) {
        return Typed.wrong(sentence);
    }
}

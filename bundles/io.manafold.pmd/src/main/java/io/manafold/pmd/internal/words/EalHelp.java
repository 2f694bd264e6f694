package io.manafold.pmd.internal.words;

import java.util.stream.Collectors;

/** The words before {@code --}, for people. */
public final class EalHelp {
    private static final String NONE = "Without effect here, as memory is ordinary and devices are registered";

    private EalHelp() {
    }

    /** A line for each kind of word. */
    public static String text() {
        StringBuilder text = new StringBuilder("Words of the environment, before --:\n");
        for (EalWord word : EalWord.values()) {
            text.append("  ").append(word.texts().stream().map(one -> one + (word.hasValue() ? " VALUE"
                    : word.mayHaveValue() ? "[=VALUE]" : ""))
                    .collect(Collectors.joining(", "))).append("\n      ").append(of(word)).append('\n');
        }
        return text.toString();
    }

    private static String of(EalWord word) {
        return switch (word) {
            case CORES -> "Cores, as in 1-3 or 1,4-6; the lowest carries out lines, the others forward";
            case CORE_MASK -> "Cores as a mask, which is deprecated";
            case SERVICE_MASK -> "Without effect: there are no service cores here";
            case MAIN_CORE -> "Which core carries out lines";
            case ALLOW -> "A function that is probed, as in 7870:00:00.0,mac=00:0d:3a:00:00:01; no others are then";
            case BLOCK -> "A function that is not probed";
            case VDEV -> "As -a";
            case OLD_ALLOW, OLD_BLOCK -> "Refused: -a and -b are the words for it";
            case NO_PROBING -> "Probes what is named alone";
            case PROBING -> "Probes all but what is blocked, which is usual";
            case NO_PCI -> "Probes no functions, and pairs alone";
            case PREFIX -> "The name of this environment, by which secondaries find it";
            case ROLE -> "primary, secondary, or auto: a secondary if there is a primary";
            case IN_MEMORY -> "Has no files, so no secondaries and no telemetry";
            case NO_HUGE -> "Ordinary memory, which is what there is";
            case LOG_LEVEL -> "What is logged, as in pmd.net.mana.*:debug";
            case TELEMETRY -> "Answers questions at a socket";
            case NO_TELEMETRY -> "Does not, which is usual";
            case MEGABYTES, NUMBER -> "Without effect: memory is taken as pools are made";
            case ADDRESSES -> "va; pa is without effect";
            case STRICT_CORES -> "Refuses cores that this machine does not have";
            case DRY_RUN -> "Shows the ports that would be taken, and takes none";
            case CHECK -> "Looks at each packet as it changes hands, which is slow";
            case RUN_TO_COMPLETION -> "Forwarding cores take turns with the links of their ports";
            case IDLE_VALUE, IDLE, HUGE_UNLINK, SYSLOG -> NONE;
            case VERSION -> "Tells the version";
            case HELP -> "Shows this";
        };
    }
}

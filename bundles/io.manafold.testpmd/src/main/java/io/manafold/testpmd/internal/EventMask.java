package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDevEvent;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which events of ports are told: all, until options leave some out. What is done about an event does not change. */
final class EventMask {
    /** Those that users know and no device here has. */
    private static final List<String> NEVER = List.of("unknown", "vf_mbox", "ipsec", "macsec", "intr_reset",
            "dev_released", "flow_aged", "rx_avail_thresh");
    private static final String PROBED = "dev_probed";

    private final Set<EthDevEvent.Kind> told = EnumSet.allOf(EthDevEvent.Kind.class);

    /** Changes what is told of an event of that name, or of all. */
    void set(String option, String name, boolean on) {
        String wanted = name.toLowerCase(Locale.ROOT);
        Set<EthDevEvent.Kind> meant = Stream.of(EthDevEvent.Kind.values()).filter(kind -> wanted.equals("all")
                || wanted.equals(kind.label()) || kind == EthDevEvent.Kind.NEW && wanted.equals(PROBED))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(EthDevEvent.Kind.class)));
        if (meant.isEmpty() && !NEVER.contains(wanted)) {
            throw Words.wrong(option + " knows no event '" + Words.shown(name) + "': it is all, or one of "
                    + Stream.of(EthDevEvent.Kind.values()).map(EthDevEvent.Kind::label)
                    .collect(Collectors.joining(", ")) + ".");
        }
        if (on) {
            told.addAll(meant);
        } else {
            told.removeAll(meant);
        }
    }

    boolean has(EthDevEvent.Kind kind) {
        return told.contains(kind);
    }
}

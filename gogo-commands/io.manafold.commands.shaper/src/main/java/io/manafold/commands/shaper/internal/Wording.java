package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperCall.Kind;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.shell.Fields;
import java.util.Locale;
import java.util.stream.Collectors;

/** Shapers in words, and in JSON by the family's names. What is not set is left out. */
final class Wording {
    private Wording() {
    }

    /** {@code bw-max 1Gbit weight 3}; empty without values. */
    static String values(Shaper shaper) {
        boolean packets = shaper.metric() == ShaperMetric.PPS;
        StringBuilder text = new StringBuilder();
        add(text, "bw-min", shaper.bwMin() == 0 ? "" : Rate.shown(shaper.bwMin(), packets));
        add(text, "bw-max", shaper.bwMax() == 0 ? "" : Rate.shown(shaper.bwMax(), packets));
        add(text, "burst", shaper.burst() == 0 ? "" : Long.toUnsignedString(shaper.burst()));
        add(text, "priority", shaper.priority() == 0 ? "" : Integer.toUnsignedString(shaper.priority()));
        add(text, "weight", shaper.weight() == 0 ? "" : Integer.toUnsignedString(shaper.weight()));
        return text.toString();
    }

    private static void add(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(text.isEmpty() ? "" : " ").append(name).append(' ').append(value);
        }
    }

    private static String named(Shaper shaper) {
        String values = values(shaper);
        return values.isEmpty() ? shaper.handle().toString() : shaper.handle() + " " + values;
    }

    /** {@code group node 0 bw-max 5Gbit below netdev: queue 0 weight 3, queue 1}. */
    static String line(ShaperCall call) {
        String line = word(call) + " " + named(call.shaper());
        return call.kind() != Kind.GROUP ? line : line + (call.shaper().parent() == null ? "" : " below "
                + call.shaper().parent()) + ": " + (call.leaves().isEmpty() ? "nothing"
                        : call.leaves().stream().map(Wording::named).collect(Collectors.joining(", ")));
    }

    private static String word(ShaperCall call) {
        return call.kind().name().toLowerCase(Locale.ROOT);
    }

    static Fields fields(ShaperCall call) {
        Fields fields = Fields.of("call", word(call));
        if (call.kind() == Kind.DELETE) {
            return fields.and("handle", handle(call.shaper().handle()));
        }
        fields(call.shaper()).values().forEach(fields::and);
        return call.kind() == Kind.SET ? fields
                : fields.and("leaves", call.leaves().stream().map(Wording::fields).toList());
    }

    static Fields fields(Shaper shaper) {
        Fields fields = new Fields();
        if (shaper.parent() != null) {
            fields.and("parent", handle(shaper.parent()));
        }
        fields.and("handle", handle(shaper.handle()));
        if (shaper.bwMin() != 0 || shaper.bwMax() != 0 || shaper.burst() != 0) {
            fields.and("metric", shaper.metric().word());
        }
        add(fields, "bw-min", shaper.bwMin());
        add(fields, "bw-max", shaper.bwMax());
        add(fields, "burst", shaper.burst());
        add(fields, "priority", Integer.toUnsignedLong(shaper.priority()));
        add(fields, "weight", Integer.toUnsignedLong(shaper.weight()));
        return fields;
    }

    private static void add(Fields fields, String name, long value) {
        if (value != 0) {
            fields.and(name, value);
        }
    }

    static Fields handle(ShaperHandle handle) {
        Fields fields = Fields.of("scope", handle.scope().word());
        return handle.scope() == ShaperScope.NETDEV ? fields : fields.and("id", handle.id());
    }
}

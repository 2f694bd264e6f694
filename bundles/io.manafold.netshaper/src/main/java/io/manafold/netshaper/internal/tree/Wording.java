package io.manafold.netshaper.internal.tree;

import io.manafold.api.shaper.Shaper;

/** Shapers in words, for plans and for the log. */
final class Wording {
    private Wording() {
    }

    static String values(Shaper shaper) {
        StringBuilder text = new StringBuilder(shaper.handle().toString());
        if (shaper.bwMin() != 0 || shaper.bwMax() != 0 || shaper.burst() != 0) {
            text.append(' ').append(shaper.metric().word());
        }
        value(text, "bw-min", shaper.bwMin());
        value(text, "bw-max", shaper.bwMax());
        value(text, "burst", shaper.burst());
        value(text, "priority", Integer.toUnsignedLong(shaper.priority()));
        value(text, "weight", Integer.toUnsignedLong(shaper.weight()));
        return text.toString();
    }

    static String below(Shaper shaper) {
        return shaper.parent() == null ? "" : " below " + shaper.parent();
    }

    private static void value(StringBuilder text, String name, long value) {
        if (value != 0) {
            text.append(' ').append(name).append(' ').append(Long.toUnsignedString(value));
        }
    }
}

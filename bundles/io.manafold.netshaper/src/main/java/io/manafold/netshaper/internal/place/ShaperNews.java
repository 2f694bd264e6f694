package io.manafold.netshaper.internal.place;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperMetric;

/** What has become of a shaper, for the platform's events. */
final class ShaperNews {
    private ShaperNews() {
    }

    static String sentence(ShaperEvent event) {
        String shaper = event.device() + ": the shaper " + event.handle();
        return event.now() == null ? shaper + " is gone" + why(event) : shaper + " is set" + values(event.now());
    }

    private static String why(ShaperEvent event) {
        return switch (event.cause()) {
            case EMPTIED -> ", for nothing was below it any more";
            case QUEUE_GONE -> ", for its queue went";
            default -> "";
        };
    }

    private static String values(Shaper now) {
        String unit = now.metric() == ShaperMetric.PPS ? "pps" : "bit/s";
        StringBuilder values = new StringBuilder();
        add(values, "bw-min", now.bwMin(), " " + unit);
        add(values, "bw-max", now.bwMax(), " " + unit);
        add(values, "burst", now.burst(), "");
        add(values, "priority", now.priority(), "");
        add(values, "weight", now.weight(), "");
        return values.isEmpty() ? ", without limits of its own" : values.toString();
    }

    private static void add(StringBuilder values, String name, long value, String unit) {
        if (value != 0) {
            values.append(values.isEmpty() ? ": " : ", ").append(name).append(' ').append(Long.toUnsignedString(value))
                    .append(unit);
        }
    }
}

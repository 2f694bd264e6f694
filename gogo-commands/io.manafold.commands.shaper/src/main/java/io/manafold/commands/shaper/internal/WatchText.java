package io.manafold.commands.shaper.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * What was seen of shapers as lines: one unit for a whole column, named below its title, and behind the columns a plot
 * of the last rates as wide as the line.
 */
final class WatchText {
    /** How wide a plot is where lines may have any length. */
    static final int PLOTTED = 24;
    /** No plot is wider. */
    static final int WIDEST = 512;
    private static final int NARROWEST = 8;
    private static final int GAP = 2;
    private static final String NOTHING = "–";
    private static final String STEPS = " ▁▂▃▄▅▆▇█";
    private static final List<String> TITLES = List.of("SHAPER", "TARGET", "MEASURED", "USED", "HELD", "QUEUED",
            "DROPPED");
    private static final String[] BITS = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
    private static final String[] PACKETS = {"pps", "kpps", "Mpps"};
    private static final long KILO = 1000;

    private WatchText() {
    }

    /** @param columns of a line; 0 for any number */
    static String of(List<Watched> all, int columns) {
        StringBuilder text = new StringBuilder();
        List<Watched> bits = all.stream().filter(one -> !one.packets()).toList();
        List<Watched> packets = all.stream().filter(Watched::packets).toList();
        if (!bits.isEmpty() || packets.isEmpty()) {
            table(text, bits, BITS, columns);
        }
        if (!packets.isEmpty()) {
            text.append(text.isEmpty() ? "" : "\n");
            table(text, packets, PACKETS, columns);
        }
        return text.toString();
    }

    private static void table(StringBuilder text, List<Watched> all, String[] units, int columns) {
        int unit = unit(all, units.length);
        List<List<String>> rows = new ArrayList<>();
        rows.add(TITLES);
        rows.add(List.of("", units[unit], units[unit], "%", "%", "32 B", "frames"));
        all.forEach(one -> rows.add(cells(one, unit)));
        int[] widths = new int[TITLES.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        int used = 0;
        for (int width : widths) {
            used += width + GAP;
        }
        int plot = columns == 0 ? PLOTTED : Math.clamp(columns - used, NARROWEST, WIDEST);
        for (int i = 0; i < rows.size(); i++) {
            line(text, rows.get(i), widths, i < 2 ? "" : plot(all.get(i - 2), plot));
        }
    }

    /** The largest unit in which the highest target, or without one the highest rate, is no fraction. */
    private static int unit(List<Watched> all, int units) {
        long most = 0;
        for (Watched one : all) {
            if (one.target() != null) {
                most = Math.max(most, one.target());
            }
        }
        for (Watched one : most > 0 ? List.<Watched>of() : all) {
            for (long rate : one.history()) {
                most = Math.max(most, rate);
            }
        }
        int unit = 0;
        while (unit < units - 1 && most >= KILO) {
            most /= KILO;
            unit++;
        }
        return unit;
    }

    private static List<String> cells(Watched one, int unit) {
        Watched.Reading reading = one.reading();
        boolean limited = one.target() != null && one.target() > 0;
        return List.of(one.handle().toString(), one.target() == null ? NOTHING : amount(one.target(), unit),
                reading == null ? NOTHING : amount(reading.rate(), unit),
                reading == null || !limited ? NOTHING : String.valueOf(Math.round(100.0 * reading.rate()
                        / one.target())),
                reading == null || reading.held() == null ? NOTHING : String.valueOf(Math.round(reading.held() * 100)),
                reading == null || reading.queued() == null ? NOTHING : String.valueOf(reading.queued()),
                reading == null ? NOTHING : String.valueOf(reading.dropped()));
    }

    private static String amount(long rate, int unit) {
        return unit == 0 ? String.valueOf(rate) : String.format(Locale.ROOT, "%.2f", rate / Math.pow(KILO, unit));
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths, String plot) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String blank = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? cells.get(i) + blank : blank + cells.get(i)).append(" ".repeat(GAP));
        }
        text.append(line.append(plot).toString().stripTrailing()).append('\n');
    }

    /** Each rate as high as it is of the target, or of the highest if there is none; the latest at the right end. */
    private static String plot(Watched one, int width) {
        Collection<Long> history = one.history();
        double top = one.target() != null && one.target() > 0 ? one.target()
                : history.stream().mapToLong(Long::longValue).max().orElse(0);
        StringBuilder plot = new StringBuilder();
        history.stream().skip(Math.max(0, history.size() - width)).forEach(rate -> plot.append(STEPS.charAt(top <= 0 ? 0
                : (int) Math.ceil(Math.min(rate / top, 1) * (STEPS.length() - 1)))));
        return plot.toString();
    }
}

package io.manafold.qualify.internal;

import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.Quartiles;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A report as a page of HTML that loads nothing and runs nothing. */
final class ReportPage {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 64em; margin: 2em auto; padding: 0 1em;
              color: #222; background: #fff }
            h1 { font-size: 1.5em; margin-bottom: .2em } h2 { font-size: 1.1em; margin: 1.8em 0 .4em }
            table { border-collapse: collapse; width: 100% }
            th, td { text-align: right; padding: .25em .6em; border-bottom: 1px solid #ddd; white-space: nowrap }
            th { font-weight: 600; color: #555; border-bottom: 2px solid #bbb }
            th:first-child, td:first-child { text-align: left } td.wide { text-align: left; white-space: normal }
            .unfinished { background: #a86200; color: #fff; padding: .4em .8em; border-radius: .3em }
            .marked { color: #a86200 } p.note { color: #555; margin: .3em 0 }
            svg { vertical-align: middle } svg .box { fill: #c9dcf5 } svg .all { stroke: #ccc }
            svg .slice { stroke: #1a4f96; stroke-width: 1.5 } svg .disturbed { stroke: #d98200; stroke-width: 1.5 }
            """;
    private static final int WIDTH = 160;
    private static final int HEIGHT = 14;

    private ReportPage() {
    }

    static String of(QualificationReport report) {
        StringBuilder page = new StringBuilder(16_384);
        page.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <title>Qualification</title>
                <style>
                """).append(STYLE).append("</style>\n</head>\n<body>\n<h1>Qualification</h1>\n");
        page.append("<p class=\"note\">").append(escaped(report.made().toString())).append("</p>\n");
        if (!report.finished()) {
            page.append("<p class=\"unfinished\">Unfinished: it was ended before all was measured.</p>\n");
        }
        rates(page, report);
        others(page, report);
        facts(page, "Machine", report.machine());
        facts(page, "Setup", report.setup());
        if (!report.leftOut().isEmpty()) {
            page.append("<h2>Left out</h2>\n<table>\n");
            report.leftOut().forEach(one -> fact(page, one.what(), one.reason()));
            page.append("</table>\n");
        }
        disturbances(page, report.measures());
        return page.append("</body>\n</html>\n").toString();
    }

    private static void rates(StringBuilder page, QualificationReport report) {
        List<Measure> rates = report.measures().stream().filter(one -> one.name().equals("rate")).toList();
        if (rates.isEmpty()) {
            return;
        }
        page.append("<h2>Highest rate without loss</h2>\n<table>\n").append(head("frame", "engine", "burst", "queues",
                "median", "quartiles", "on the wire", "200 Gbit/s need", "such cores", "slices", "marked"));
        for (Measure one : rates) {
            double wire = one.needed() == 0 ? 0 : one.quartiles().median() / one.needed() * 200e9;
            page.append("<tr>").append(cell(one.frame() == 0 ? one.name() : one.frame() + " bytes"))
                    .append(cell(one.engine().word())).append(count(one.burst())).append(count(one.queues()))
                    .append(values(one)).append(cell(Unit.BITS_PER_SECOND.text(wire)))
                    .append(cell(Unit.PACKETS_PER_SECOND.text(one.needed()))).append(cell(cores(one)))
                    .append(picture(one)).append(marked(one)).append("</tr>\n");
        }
        page.append("</table>\n<p class=\"note\">Frames count with their checksum; on the wire 20 bytes are around "
                + "each. Such cores: how many cores like those that were busy would carry 200 Gbit/s, if all scaled."
                + "</p>\n");
    }

    private static void others(StringBuilder page, QualificationReport report) {
        page.append("<h2>Full speed, losses, streams, round trips, allocations</h2>\n<table>\n").append(head("measure",
                "median", "quartiles", "slices", "marked"));
        // no line for each size at which nothing was lost
        report.measures().stream().filter(one -> !one.name().equals("rate") && !(one.name().equals("lost")
                && one.quartiles().upper() == 0)).forEach(one ->
                page.append("<tr>").append(cell(one.key())).append(values(one)).append(picture(one))
                .append(marked(one)).append("</tr>\n"));
        page.append("</table>\n");
    }

    private static String values(Measure measure) {
        Quartiles quartiles = measure.quartiles();
        return cell(measure.unit().text(quartiles.median())) + cell(measure.unit().text(quartiles.lower()) + " \u2013 "
                + measure.unit().text(quartiles.upper()));
    }

    /** Nothing where it is not the subject of a measure. */
    private static String count(int number) {
        return cell(number == 0 ? "" : String.valueOf(number));
    }

    private static String cores(Measure measure) {
        double needed = measure.coresNeeded();
        return needed == 0 ? "\u2013" : String.format(Locale.ROOT, needed < 10 ? "%.1f" : "%.0f", needed);
    }

    /** Each slice as a stroke, from 0 to the largest, over the box between the quartiles. */
    private static String picture(Measure measure) {
        double most = measure.slices().stream().mapToDouble(Slice::value).max().orElse(0);
        Quartiles quartiles = measure.quartiles();
        StringBuilder picture = new StringBuilder();
        picture.append("<td><svg width=\"").append(WIDTH + 2).append("\" height=\"").append(HEIGHT)
                .append("\" role=\"img\"><line class=\"all\" x1=\"1\" y1=\"7\" x2=\"161\" y2=\"7\"/>");
        double left = x(quartiles.lower(), most);
        picture.append(String.format(Locale.ROOT, "<rect class=\"box\" x=\"%.1f\" y=\"2\" width=\"%.1f\" "
                + "height=\"10\"/>", left, Math.max(1, x(quartiles.upper(), most) - left)));
        for (Slice slice : measure.slices()) {
            double x = x(slice.value(), most);
            picture.append(String.format(Locale.ROOT, "<line class=\"%s\" x1=\"%.1f\" y1=\"1\" x2=\"%.1f\" "
                    + "y2=\"13\"/>", slice.isDisturbed() ? "disturbed" : "slice", x, x));
        }
        return picture.append("</svg></td>").toString();
    }

    private static double x(double value, double most) {
        return 1 + (most <= 0 ? 0 : value / most * WIDTH);
    }

    private static String marked(Measure measure) {
        long disturbed = measure.disturbed();
        return disturbed == 0 ? cell("") : "<td class=\"marked\">" + disturbed + " of " + measure.slices().size()
                + "</td>";
    }

    private static void disturbances(StringBuilder page, List<Measure> measures) {
        Map<String, Long> reasons = measures.stream().flatMap(one -> one.slices().stream())
                .filter(Slice::isDisturbed).collect(Collectors.groupingBy(Slice::disturbed,
                TreeMap::new, Collectors.counting()));
        if (!reasons.isEmpty()) {
            page.append("<h2>Marked slices</h2>\n<p class=\"note\">They are in all figures, orange above.</p>\n"
                    + "<table>\n");
            reasons.forEach((reason, count) -> fact(page, reason, count + (count == 1 ? " slice" : " slices")));
            page.append("</table>\n");
        }
    }

    private static void facts(StringBuilder page, String title, Map<String, String> facts) {
        page.append("<h2>").append(title).append("</h2>\n<table>\n");
        facts.forEach((name, value) -> fact(page, name, value));
        page.append("</table>\n");
    }

    private static void fact(StringBuilder page, String name, String value) {
        page.append("<tr>").append(cell(name)).append("<td class=\"wide\">").append(escaped(value))
                .append("</td></tr>\n");
    }

    private static String head(String... titles) {
        StringBuilder head = new StringBuilder("<tr>");
        for (String title : titles) {
            head.append("<th>").append(title).append("</th>");
        }
        return head.append("</tr>\n").toString();
    }

    private static String cell(String text) {
        return "<td>" + escaped(text) + "</td>";
    }

    /** No markup, and no character that hides or turns lines round. */
    static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        for (int c : text.codePoints().toArray()) {
            boolean shown = switch (Character.getType(c)) {
                case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
                        Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
                default -> true;
            };
            if (!shown) {
                safe.append(String.format(Locale.ROOT, "U+%04X", c));
            } else if ("<>&\"'".indexOf(c) >= 0) {
                safe.append("&#").append(c).append(';');
            } else {
                safe.appendCodePoint(c);
            }
        }
        return safe.toString();
    }
}

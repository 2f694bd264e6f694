package io.manafold.launcher.internal.lines;

import io.manafold.launcher.internal.words.ScriptOptions.ReportForm;
import io.manafold.launcher.internal.words.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What became of each line of a file of commands, for programs that read reports of tests. Lines and what was said may
 * hold any text; what neither form can carry is written as a question mark.
 */
public final class ScriptReport {
    private static final int MOST_LINES = 10_000;
    /** Lines beyond that which failed: a report tells of failures, however many lines were done before. */
    private static final int MOST_FAILURES = 1000;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_TEXT = 4096;

    private final String file;
    private final List<Result> results = new ArrayList<>();
    private long leftOut;
    private String unread;

    /** @param said the last of what went to the error stream meanwhile */
    private record Result(int line, String command, int status, double seconds, String said) {
        boolean isDone() {
            return status == Status.DONE;
        }

        String name() {
            return "line " + line + ": " + command;
        }
    }

    /** @param file the commands' */
    public ScriptReport(String file) {
        this.file = file;
    }

    /** A line has been carried out. */
    public void add(int line, String command, int status, long nanos, String said) {
        if (results.size() >= (status == Status.DONE ? MOST_LINES : MOST_LINES + MOST_FAILURES)) {
            leftOut++;
            return;
        }
        String end = said.length() > LONGEST_TEXT ? said.substring(said.length() - LONGEST_TEXT) : said;
        results.add(new Result(line, cut(command, LONGEST_NAME), status, nanos / 1e9, end));
    }

    /** The commands could not be read any further. */
    public void unread(String why) {
        unread = why;
    }

    /** All of it. */
    public String text(ReportForm form) {
        return form == ReportForm.JUNIT ? junit() : tap();
    }

    private String junit() {
        long failed = results.stream().filter(one -> !one.isDone()).count();
        double seconds = results.stream().mapToDouble(Result::seconds).sum();
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append(String.format(Locale.ROOT,
                "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\">\n",
                escaped(file), results.size(), failed, unread == null ? 0 : 1, seconds));
        for (Result one : results) {
            xml.append(String.format(Locale.ROOT, "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"",
                    escaped(file), escaped(one.name()), one.seconds()));
            if (one.isDone()) {
                xml.append("/>\n");
            } else {
                xml.append(String.format(Locale.ROOT, ">%n    <failure message=\"status %d\">%s</failure>%n"
                        + "  </testcase>%n", one.status(), escaped(one.said())));
            }
        }
        if (unread != null) {
            xml.append("  <system-err>").append(escaped(unread)).append("</system-err>\n");
        }
        if (leftOut > 0) {
            xml.append("  <system-out>").append(leftOut).append(" more lines were carried out</system-out>\n");
        }
        return xml.append("</testsuite>\n").toString();
    }

    private String tap() {
        StringBuilder text = new StringBuilder("TAP version 13\n1..").append(results.size()).append('\n');
        int number = 0;
        for (Result one : results) {
            text.append(one.isDone() ? "ok " : "not ok ").append(++number).append(" - ")
                    // what follows this mark would be read as an order
                    .append(plain(one.name(), false).replace("#", "\\#")).append('\n');
            if (!one.isDone()) {
                text.append("# status ").append(one.status()).append('\n');
                plain(one.said(), true).lines().filter(line -> !line.isBlank())
                        .forEach(line -> text.append("# ").append(line).append('\n'));
            }
        }
        if (unread != null) {
            text.append("Bail out! ").append(plain(unread, false)).append('\n');
        }
        if (leftOut > 0) {
            text.append("# ").append(leftOut).append(" more lines were carried out\n");
        }
        return text.toString();
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + " ...";
    }

    private static String escaped(String text) {
        return plain(text, true).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Without what a terminal would act on and what XML has no place for. */
    private static String plain(String text, boolean withLines) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            boolean control = Character.isISOControl(point) && !(withLines && point == '\n');
            boolean nothing = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                    || (point & 0xfffe) == 0xfffe || Character.getType(point) == Character.FORMAT;
            plain.appendCodePoint(control || nothing ? '?' : point);
        });
        return plain.toString();
    }
}

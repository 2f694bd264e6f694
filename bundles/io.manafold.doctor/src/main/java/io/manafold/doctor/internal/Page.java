package io.manafold.doctor.internal;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Finding;
import java.util.List;
import java.util.Locale;

/** Writes diagnoses as a page of HTML that needs nothing else. Nothing that is not written here is markup in it. */
final class Page {
    private static final String STYLE = """
            body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
            h2 { font-size: 1.05em; margin: 1.5em 0 .2em } pre { background: #f4f4f4; padding: .6em; overflow-x: auto; margin: .3em 0 }
            .state { display: inline-block; min-width: 4.5em; text-align: center; border-radius: .3em; color: #fff; margin-right: .6em }
            .ok { background: #2a7d3c } .warn { background: #a86200 } .fail { background: #b3261e } .skipped { background: #777 }
            dt { font-weight: bold } dd { margin: 0 0 .5em 1.5em }
            """;

    private Page() {
    }

    static String of(String target, List<Diagnosis> diagnoses) {
        StringBuilder page = new StringBuilder(4096);
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        + "style-src 'unsafe-inline'\">\n<title>Doctor: ")
                .append(text(target)).append("</title>\n<style>\n").append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>Doctor: ")
                .append(text(target)).append("</h1>\n<p>");
        for (Finding.State state : Finding.State.values()) {
            long count = diagnoses.stream().filter(one -> one.finding().state() == state).count();
            page.append(state(state)).append(count).append(' ');
        }
        page.append("</p>\n");
        diagnoses.forEach(one -> section(page, one));
        return page.append("</body>\n</html>\n").toString();
    }

    private static void section(StringBuilder page, Diagnosis one) {
        Finding finding = one.finding();
        page.append("<section>\n<h2>").append(state(finding.state())).append(text(one.id())).append(' ')
                .append(text(one.name()))
                .append("</h2>\n<p>").append(text(finding.summary())).append("</p>\n");
        if (!finding.evidence().isEmpty()) {
            page.append("<dl>\n");
            finding.evidence().forEach(line -> page.append("<dt>").append(text(line.source())).append("</dt><dd><code>")
                    .append(text(line.line())).append("</code></dd>\n"));
            page.append("</dl>\n");
        }
        list(page, "What mends it", finding.mend());
        list(page, "What others call it", finding.search());
        page.append("</section>\n");
    }

    private static void list(StringBuilder page, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            page.append("<p>").append(title).append(":</p>\n<pre>");
            lines.forEach(line -> page.append(text(line)).append('\n'));
            page.append("</pre>\n");
        }
    }

    private static String state(Finding.State state) {
        String word = state.name().toLowerCase(Locale.ROOT);
        return "<span class=\"state " + word + "\">" + word + "</span>";
    }

    /** Text as text: no markup, and no character that turns lines round or hides. */
    static String text(String from) {
        StringBuilder safe = new StringBuilder(from.length() + 16);
        from.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> {
                    int kind = Character.getType(c);
                    if (kind == Character.CONTROL || kind == Character.FORMAT || kind == Character.SURROGATE
                            || kind == Character.LINE_SEPARATOR || kind == Character.PARAGRAPH_SEPARATOR
                            || kind == Character.UNASSIGNED) {
                        safe.append("\\u").append("%04x".formatted(c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                }
            }
        });
        return safe.toString();
    }
}

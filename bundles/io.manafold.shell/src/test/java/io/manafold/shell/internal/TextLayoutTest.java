package io.manafold.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Fields;
import io.manafold.shell.Nearest;
import io.manafold.shell.PlainText;
import io.manafold.shell.Table;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TextLayoutTest {
    private enum Colour {
        DARK_RED
    }

    private final TextLayout layout = new TextLayout(80);

    @Test
    void valuesReadWell() {
        Table table = new Table().column("WHAT", "what").column("VALUE", "value");
        table.row("null", null).row("empty", "").row("none", Optional.empty()).row("some", Optional.of(5))
                .row("yes", true)
                .row("list", List.of("a", 1)).row("enum", Colour.DARK_RED).row("cell", new Table.Cell("1 KiB", 1024));
        assertThat(layout.table(table)).isEqualTo("""
                WHAT   VALUE
                null   –
                empty  –
                none   –
                some   5
                yes    yes
                list   a, 1
                enum   dark-red
                cell   1 KiB
                """);
        assertThat(JsonText.oneLine(table)).contains("{\"what\":\"null\",\"value\":null}", "\"value\":[\"a\",1]",
                "\"value\":\"dark-red\"", "\"value\":1024", "\"value\":true");
    }

    @Test
    void jsonTakesAnyValue() {
        assertThat(JsonText.oneLine(Fields.of("a", Double.NaN).and("b", 1.5).and("c", Instant.EPOCH)
                .and("d", Arrays.asList(1, null)).and("e", Fields.of("x\n\"", "\u001b\\")).and("f", 1L << 62)))
                .isEqualTo("{\"a\":null,\"b\":1.5,\"c\":\"1970-01-01T00:00:00Z\",\"d\":[1,null],"
                        + "\"e\":{\"x\\n\\\"\":\"\\u001b\\\\\"},\"f\":4611686018427387904}");
    }

    @Test
    void aPathIsItsText() {
        Table table = new Table().column("FILE", "file").column("FILES", "files");
        table.row(Path.of("/a/b.pcapng"), List.of(Path.of("c/d"), Path.of("e")));
        assertThat(layout.table(table)).isEqualTo("""
                FILE         FILES
                /a/b.pcapng  c/d, e
                """);
        assertThat(JsonText.oneLine(table)).isEqualTo("[{\"file\":\"/a/b.pcapng\",\"files\":[\"c/d\",\"e\"]}]");
    }

    @Test
    void wideTablesFitTheTerminalAndLoseNothing() {
        Table table = new Table().column("NAME", "name").column("NUMBER", "number").column("TEXT", "text");
        table.row("n".repeat(60), 12_345, "words and words and more words until the line is full ".repeat(3).strip());
        String text = layout.table(table);
        assertThat(text.lines()).hasSizeGreaterThan(3).noneMatch(line -> line.endsWith(" "));
        assertThat(text).contains("n".repeat(60), "12345");
        table.row("m", 1, "few");
        assertThat(new TextLayout(100).table(table).lines()).allMatch(line -> line.length() <= 100)
                .anyMatch(line -> line.contains("n".repeat(60)));
        assertThat(new TextLayout(Streams.PIPE).table(table).lines()).hasSize(3);
        assertThat(layout.table(table.unwrapped()).lines()).hasSize(3);
    }

    @Test
    void cellsCannotSteerTheTerminalOrFakeALine() {
        Table table = new Table().column("NAME", "name").row("a\r\nfake\u001b[2J\u0007\u202e\u009b");
        assertThat(layout.table(table)).isEqualTo("NAME\na\\r\\nfake\\u001b[2J\\u0007\\u202e\\u009b\n");
        assertThat(PlainText.lines("a\nb\tc\u0000")).isEqualTo("a\nb\tc\\u0000");
    }

    @Test
    void jsonCannotSteerTheTerminalEither() {
        String hostile = "\\\u009b2J\u009d\u007f\u202e\u2028\ufeff\r\n\té";
        Fields fields = Fields.of("name", hostile).and(hostile, List.of(1, 2));
        assertThat(JsonText.oneLine(fields)).startsWith(
                "{\"name\":\"\\\\\\u009b2J\\u009d\\u007f\\u202e\\u2028\\ufeff\\r\\n\\té\",\"");
        assertThat(JsonText.pretty(fields)).isEqualTo(PlainText.lines(JsonText.pretty(fields))).hasLineCount(7);
        for (String text : List.of(JsonText.oneLine(fields), JsonText.pretty(fields))) {
            JsonObject read = Json.createReader(new StringReader(text)).readObject();
            assertThat(read.getString("name")).isEqualTo(hostile);
            assertThat(read.getJsonArray(hostile)).hasSize(2);
        }
    }

    @Test
    void fieldsStandInLines() {
        assertThat(layout.fields(Fields.of("a", 1).and("long-name", "x"))).isEqualTo("a          1\nlong-name  x\n");
    }

    @Test
    void linesBreakBetweenWords() {
        assertThat(TextLayout.wrap("one two three", 7)).containsExactly("one two", "three");
        assertThat(TextLayout.wrap("abcdefghij k", 4)).containsExactly("abcdefghij", "k");
    }

    @Test
    void theNearestNameIsFoundOrNone() {
        List<String> names = List.of("devices", "drivers", "lspci", "log", "lab");
        assertThat(Nearest.to("device", names)).contains("devices");
        assertThat(Nearest.to("lspic", names)).contains("lspci");
        assertThat(Nearest.to("LOG", names)).contains("log");
        assertThat(Nearest.to("xyz", names)).isEmpty();
        assertThat(Nearest.to("", names)).isEmpty();
        assertThat(Nearest.to("-z", List.of("-a", "-b"))).isEmpty();
        assertThat(Nearest.to("d".repeat(100_000), names)).isEmpty();
    }
}

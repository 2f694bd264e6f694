package io.manafold.shell.internal;

import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Table;
import io.manafold.shell.Tree;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonGenerator;
import jakarta.json.stream.JsonGeneratorFactory;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Plain values as JSON text. */
final class JsonText {
    private JsonText() {
    }

    /** On several lines, indented. */
    static String pretty(Object value) {
        boolean empty = value instanceof Table table && table.rows().isEmpty()
                || value instanceof Tree tree && tree.roots().isEmpty()
                || value instanceof Collection<?> items && items.isEmpty();
        return empty ? oneLine(value) : text(value, Map.of(JsonGenerator.PRETTY_PRINTING, true));
    }

    static String oneLine(Object value) {
        return text(value, Map.of());
    }

    private static String text(Object value, Map<String, ?> settings) {
        JsonGeneratorFactory factory = JsonProvider.provider().createGeneratorFactory(settings);
        StringWriter text = new StringWriter();
        try (JsonGenerator json = factory.createGenerator(text)) {
            write(json, value);
        }
        // the generator escapes only what JSON must; in what is left, characters that steer a terminal stand in strings
        return PlainText.lines(text.toString().strip());
    }

    private static void write(JsonGenerator json, Object value) {
        switch (value) {
            case null -> json.writeNull();
            case Optional<?> optional -> write(json, optional.orElse(null));
            case Boolean truth -> json.write(truth);
            case Byte _, Short _, Integer _, Long _ -> json.write(((Number) value).longValue());
            case BigInteger number -> json.write(number);
            case BigDecimal number -> json.write(number);
            case Number number -> writeReal(json, number.doubleValue());
            case Enum<?> constant -> json.write(name(constant));
            case Table.Cell cell -> write(json, cell.value());
            case Fields fields -> writeObject(json, fields.values());
            case Map<?, ?> map -> writeObject(json, map);
            case Table table -> writeTable(json, table);
            case Tree tree -> writeNodes(json, tree.roots());
            // it is its own elements' list, too
            case Path path -> json.write(path.toString());
            case Iterable<?> items -> {
                json.writeStartArray();
                items.forEach(item -> write(json, item));
                json.writeEnd();
            }
            default -> json.write(value.toString());
        }
    }

    private static void writeReal(JsonGenerator json, double number) {
        if (Double.isFinite(number)) {
            json.write(number);
        } else {
            json.writeNull();
        }
    }

    private static void writeObject(JsonGenerator json, Map<?, ?> values) {
        json.writeStartObject();
        values.forEach((key, value) -> {
            json.writeKey(String.valueOf(key));
            write(json, value);
        });
        json.writeEnd();
    }

    private static void writeTable(JsonGenerator json, Table table) {
        json.writeStartArray();
        for (var row : table.rows()) {
            json.writeStartObject();
            for (int i = 0; i < row.size(); i++) {
                json.writeKey(table.columns().get(i).key());
                write(json, row.get(i));
            }
            json.writeEnd();
        }
        json.writeEnd();
    }

    private static void writeNodes(JsonGenerator json, Collection<Tree.Node> nodes) {
        json.writeStartArray();
        for (Tree.Node node : nodes) {
            json.writeStartObject();
            node.fields().values().forEach((key, value) -> {
                json.writeKey(key);
                write(json, value);
            });
            json.writeKey("children");
            writeNodes(json, node.children());
            json.writeEnd();
        }
        json.writeEnd();
    }

    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

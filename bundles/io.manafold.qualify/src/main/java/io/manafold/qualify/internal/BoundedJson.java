package io.manafold.qualify.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonLocation;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON of strangers as maps, lists, strings, doubles and booleans. How deep it goes and how long its strings and
 * numbers are is bounded; its size is bounded by the class that has read it.
 */
final class BoundedJson {
    private static final int DEEPEST = 8;
    private static final int LONGEST_NUMBER = 40;
    private static final int LONGEST_STRING = 4096;
    /** Asked for once: each call of {@code Json} looks through all JARs for an implementation. */
    private static volatile JsonParserFactory parsers;

    private final JsonParser parser;

    private BoundedJson(JsonParser parser) {
        this.parser = parser;
    }

    /** @throws Refusal {@code EINVAL} with line and column */
    static Object read(String text) {
        try (JsonParser parser = parsers().createParser(new StringReader(text))) {
            BoundedJson json = new BoundedJson(parser);
            try {
                Object value = json.value(json.next(), 1);
                if (parser.hasNext()) {
                    throw json.refusal("there is more behind its end");
                }
                return value;
            } catch (Refusal known) {
                throw known;
            } catch (RuntimeException garbled) {
                // the parser's own sentences show what it has read
                throw json.refusal("that is not JSON");
            }
        }
    }

    private JsonParser.Event next() {
        if (!parser.hasNext()) {
            throw refusal("it ends too early");
        }
        return parser.next();
    }

    private Refusal refusal(String rule) {
        JsonLocation place = parser.getLocation();
        return new Refusal(Errno.EINVAL, "line " + place.getLineNumber() + ", column " + place.getColumnNumber() + ": "
                + rule);
    }

    /** No constant: one caller's class loader may find a wrong implementation, and that of the next the right one. */
    private static JsonParserFactory parsers() {
        JsonParserFactory known = parsers;
        if (known == null) {
            known = JsonProvider.provider().createParserFactory(Map.of());
            parsers = known;
        }
        return known;
    }

    private Object value(JsonParser.Event event, int depth) {
        if (depth > DEEPEST) {
            throw refusal("values are nested more than " + DEEPEST + " deep");
        }
        return switch (event) {
            case START_OBJECT -> object(depth);
            case START_ARRAY -> array(depth);
            case VALUE_STRING -> string();
            case VALUE_NUMBER -> number();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw refusal("there is no place for null in a report");
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (JsonParser.Event event = next(); event != JsonParser.Event.END_OBJECT; event = next()) {
            String key = string();
            if (values.containsKey(key)) {
                throw refusal("a key is there twice");
            }
            values.put(key, value(next(), depth + 1));
        }
        return values;
    }

    private List<Object> array(int depth) {
        List<Object> values = new ArrayList<>();
        for (JsonParser.Event event = next(); event != JsonParser.Event.END_ARRAY; event = next()) {
            values.add(value(event, depth + 1));
        }
        return values;
    }

    private String string() {
        String text = parser.getString();
        if (text.length() > LONGEST_STRING) {
            throw refusal("a string has more than " + LONGEST_STRING + " characters");
        }
        return text;
    }

    private Double number() {
        // read as text: what is written with an exponent can be longer than any memory
        String text = parser.getString();
        double number = text.length() > LONGEST_NUMBER ? Double.NaN : Double.parseDouble(text);
        if (!Double.isFinite(number)) {
            throw refusal("a number is too long or too large");
        }
        return number;
    }
}

package io.manafold.image.internal;

import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The texts of a JSON document by where they stand: {@code manifests.0.digest}. No call goes deeper with the document,
 * and what is longer than any digest or name is passed over.
 */
final class JsonFacts {
    private static final int DEEPEST = 12;
    private static final int LONGEST = 4096;
    private static final int LONGEST_PLACE = 512;
    private static final int MOST_ITEMS = 512;
    /** Asked for once: each call of {@code Json} looks through all JARs for an implementation. */
    private static volatile JsonParserFactory parsers;

    private final Map<String, String> texts = new TreeMap<>();

    private record Place(String prefix, boolean array, int[] items) {
    }

    private JsonFacts() {
    }

    static JsonFacts of(byte[] document, String name) throws IOException {
        JsonFacts facts = new JsonFacts();
        String text = new String(document, StandardCharsets.UTF_8);
        try (JsonParser parser = parsers().createParser(new StringReader(text))) {
            facts.read(parser);
            return facts;
        } catch (RuntimeException garbled) {
            // the parser's own sentences show what it has read
            throw new IOException(name + " is not the JSON of an image", garbled);
        }
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

    private void read(JsonParser parser) {
        List<Place> places = new ArrayList<>();
        String key = "";
        while (parser.hasNext()) {
            JsonParser.Event event = parser.next();
            Place place = places.isEmpty() ? null : places.getLast();
            String here = place == null ? "" : place.array() ? place.prefix() + place.items()[0] : place.prefix() + key;
            switch (event) {
                case KEY_NAME -> key = parser.getString();
                case START_OBJECT, START_ARRAY -> {
                    if (places.size() == DEEPEST || here.length() > LONGEST_PLACE) {
                        throw new IllegalStateException("deeper than any image is");
                    }
                    places.add(new Place(here.isEmpty() ? "" : here + ".", event == JsonParser.Event.START_ARRAY,
                            new int[1]));
                }
                case END_OBJECT, END_ARRAY -> {
                    places.removeLast();
                    counted(places);
                }
                default -> {
                    if (event == JsonParser.Event.VALUE_STRING && parser.getString().length() <= LONGEST
                            && here.length() <= LONGEST_PLACE && texts.putIfAbsent(here, parser.getString()) != null) {
                        throw new IllegalStateException("the same place twice");
                    }
                    counted(places);
                }
            }
        }
    }

    /** One more item of the array that is open. */
    private static void counted(List<Place> places) {
        if (!places.isEmpty() && places.getLast().array() && ++places.getLast().items()[0] > MOST_ITEMS) {
            throw new IllegalStateException("more items than any image has");
        }
    }

    /** The text at a place, or an empty one. */
    String text(String place) {
        return texts.getOrDefault(place, "");
    }

    /** The texts of an array, from its first item to the first place that has none. */
    List<String> texts(String before, String behind) {
        List<String> found = new ArrayList<>();
        for (String text = text(before + 0 + behind); !text.isEmpty();) {
            found.add(text);
            text = text(before + found.size() + behind);
        }
        return found;
    }
}

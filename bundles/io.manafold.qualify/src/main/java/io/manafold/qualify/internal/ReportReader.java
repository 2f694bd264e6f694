package io.manafold.qualify.internal;

import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads reports, and believes nothing of them: each field is checked, and medians are computed anew. */
final class ReportReader {
    /** Characters of a text at most. */
    static final int LONGEST = 300;
    private static final int LARGEST = 4 << 20;
    private static final int MOST_ENTRIES = 64;
    private static final int MOST_MEASURES = 1000;
    private static final int MOST_SLICES = 1000;
    private static final double MOST_VALUE = 1e15;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9 ._-]{0,31}");
    /** No control characters, nothing that turns lines round, no halves of characters. */
    private static final Pattern PLAIN = Pattern.compile("[^\\p{C}\\p{Zl}\\p{Zp}]*");
    private static final Pattern NOT_PLAIN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private ReportReader() {
    }

    static QualificationReport read(Path file) {
        byte[] bytes;
        if (!Files.isRegularFile(file)) {
            throw new Refusal(Files.exists(file) ? Errno.EINVAL : Errno.ENOENT, "There is no report '" + file
                    + "': name the file of JSON that 'qualify run' has written.");
        }
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LARGEST + 1);
        } catch (IOException unreadable) {
            throw new Refusal(Errno.EIO, "The report '" + file + "' cannot be read.", unreadable);
        }
        try {
            return read(bytes);
        } catch (Refusal refused) {
            throw new Refusal(refused.errno(), "'" + file + "' is no report of 'qualify run': " + refused.getMessage()
                    + ".", refused);
        }
    }

    /** @throws Refusal with the place and the rule, without a full stop */
    static QualificationReport read(byte[] bytes) {
        if (bytes.length > LARGEST) {
            throw new Refusal(Errno.EINVAL, "it has more than " + (LARGEST >> 20) + " MiB");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException garbled) {
            throw new Refusal(Errno.EINVAL, "it is not UTF-8");
        }
        Place top = new Place("the report", BoundedJson.read(text));
        Set<String> known = Set.of(ReportValues.VERSION, "made", "finished", "machine", "setup", "measures",
                "left_out");
        top.fields(known, known);
        if (top.at(ReportValues.VERSION).number(0, Integer.MAX_VALUE) != ReportValues.CURRENT) {
            throw top.at(ReportValues.VERSION).refusal("this platform reads version " + ReportValues.CURRENT);
        }
        List<Measure> measures = top.at("measures").list(MOST_MEASURES, ReportReader::measure);
        Set<String> keys = new HashSet<>();
        measures.forEach(measure -> {
            if (!keys.add(measure.key())) {
                throw top.at("measures").refusal("a measure is there twice");
            }
        });
        return new QualificationReport(made(top.at("made")), top.at("finished").truth(), texts(top.at("machine")),
                texts(top.at("setup")), measures, top.at("left_out").list(MOST_MEASURES, ReportReader::leftOut));
    }

    /** Of a text what a report may hold. */
    static String plain(String text) {
        String one = text.substring(0, Math.min(text.length(), LONGEST));
        return NOT_PLAIN.matcher(one).replaceAll(" ").strip();
    }

    private static Instant made(Place place) {
        try {
            return Instant.parse(place.text(PLAIN));
        } catch (DateTimeException wrong) {
            throw place.refusal("a time is written as 2026-01-31T12:00:00Z");
        }
    }

    private static Map<String, String> texts(Place place) {
        Map<String, String> texts = new LinkedHashMap<>();
        Map<?, ?> entries = place.object();
        if (entries.size() > MOST_ENTRIES) {
            throw place.refusal("it has more than " + MOST_ENTRIES + " entries");
        }
        for (Object key : entries.keySet()) {
            if (!NAME.matcher((String) key).matches()) {
                throw place.refusal("a name has small letters, digits, blanks and ._-, 32 at most");
            }
            texts.put((String) key, place.at((String) key).text(PLAIN));
        }
        return texts;
    }

    private static Measure measure(Place place) {
        place.fields(Set.of("name", "frame", "unit", "slices"), Set.of("name", "engine", "frame", "burst", "queues",
                "unit", "slices", "lower", "median", "upper", "needed", "cores_needed"));
        List<Slice> slices = place.at("slices").list(MOST_SLICES, ReportReader::slice);
        if (slices.isEmpty()) {
            throw place.at("slices").refusal("a measure has one slice or more");
        }
        return new Measure(place.at("name").text(NAME), engine(place),
                whole(place, "frame", QualificationPlan.MOST_FRAME, "a frame has whole bytes"),
                whole(place, "burst", QualificationPlan.MOST_BURST, "a burst has whole packets"),
                whole(place, "queues", QualificationPlan.MOST_QUEUES, "queues are whole"),
                unit(place.at("unit")), slices);
    }

    /** A number that need not be there: reports from before there was more than one engine have less. */
    private static int whole(Place place, String field, int most, String rule) {
        if (!place.object().containsKey(field)) {
            return 0;
        }
        double number = place.at(field).number(0, most);
        if (number != Math.rint(number)) {
            throw place.at(field).refusal(rule);
        }
        return (int) number;
    }

    private static Engine engine(Place place) {
        if (!place.object().containsKey("engine")) {
            return Engine.DRIVER;
        }
        String word = place.at("engine").text(PLAIN);
        for (Engine engine : Engine.values()) {
            if (engine.word().equals(word)) {
                return engine;
            }
        }
        throw place.at("engine").refusal("an engine is driver, pmd or guest");
    }

    private static Unit unit(Place place) {
        String word = place.text(PLAIN);
        for (Unit unit : Unit.values()) {
            if (unit.word().equals(word)) {
                return unit;
            }
        }
        throw place.refusal("a unit is packets/s, bit/s, s, % or bytes/packet");
    }

    private static Slice slice(Place place) {
        Set<String> fields = Set.of("value", "cores", "disturbed");
        place.fields(fields, fields);
        return new Slice(place.at("value").number(0, MOST_VALUE), place.at("cores").number(0, MOST_VALUE),
                place.at("disturbed").text(PLAIN));
    }

    private static LeftOut leftOut(Place place) {
        Set<String> fields = Set.of("what", "reason");
        place.fields(fields, fields);
        return new LeftOut(place.at("what").text(NAME), place.at("reason").text(PLAIN));
    }

    /** A value and where it is, as in {@code measures[3].slices[0].value}. */
    private record Place(String where, Object value) {
        Refusal refusal(String rule) {
            return new Refusal(Errno.EINVAL, where + ": " + rule);
        }

        Map<?, ?> object() {
            if (value instanceof Map<?, ?> map) {
                return map;
            }
            throw refusal("an object is to be here");
        }

        void fields(Set<String> needed, Set<String> known) {
            for (String field : needed.stream().sorted().toList()) {
                if (!object().containsKey(field)) {
                    throw refusal("'" + field + "' is missing");
                }
            }
            if (!known.containsAll(object().keySet())) {
                throw refusal("there is a field that is none of " + String.join(", ", known.stream().sorted()
                        .toList()));
            }
        }

        Place at(String field) {
            return new Place(where.equals("the report") ? field : where + "." + field, object().get(field));
        }

        <T> List<T> list(int most, Function<Place, T> reader) {
            if (!(value instanceof List<?> list)) {
                throw refusal("a list is to be here");
            }
            if (list.size() > most) {
                throw refusal("it has more than " + most + " entries");
            }
            List<T> read = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                read.add(reader.apply(new Place(where + "[" + i + "]", list.get(i))));
            }
            return read;
        }

        double number(double least, double most) {
            if (value instanceof Double number && number >= least && number <= most) {
                return number;
            }
            throw refusal("a number from " + (long) least + " to " + (long) most + " is to be here");
        }

        boolean truth() {
            if (value instanceof Boolean truth) {
                return truth;
            }
            throw refusal("true or false is to be here");
        }

        String text(Pattern rule) {
            if (value instanceof String text && text.length() <= LONGEST && rule.matcher(text).matches()) {
                return text;
            }
            throw refusal(rule == PLAIN ? "a text of at most " + LONGEST + " characters, none of which is a control "
                    + "character, is to be here" : "a name has small letters, digits, blanks and ._-, 32 at most");
        }
    }
}

package io.manafold.qualify.internal;

import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Quartiles;
import io.manafold.api.qualify.Slice;
import jakarta.json.Json;
import jakarta.json.stream.JsonGenerator;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report as the values of its JSON, and as its text. */
final class ReportValues {
    static final String VERSION = "manafold_qualification";
    static final long CURRENT = 1;

    private ReportValues() {
    }

    static Map<String, Object> of(QualificationReport report) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(VERSION, CURRENT);
        values.put("made", report.made().toString());
        values.put("finished", report.finished());
        values.put("machine", report.machine());
        values.put("setup", report.setup());
        values.put("measures", report.measures().stream().map(ReportValues::measure).toList());
        values.put("left_out", report.leftOut().stream().map(ReportValues::leftOut).toList());
        return values;
    }

    private static Map<String, Object> measure(Measure measure) {
        Quartiles quartiles = measure.quartiles();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", measure.name());
        values.put("engine", measure.engine().word());
        values.put("frame", (long) measure.frame());
        values.put("burst", (long) measure.burst());
        values.put("queues", (long) measure.queues());
        values.put("unit", measure.unit().word());
        values.put("lower", quartiles.lower());
        values.put("median", quartiles.median());
        values.put("upper", quartiles.upper());
        if (measure.needed() > 0) {
            values.put("needed", measure.needed());
            values.put("cores_needed", measure.coresNeeded());
        }
        values.put("slices", measure.slices().stream().map(ReportValues::slice).toList());
        return values;
    }

    private static Map<String, Object> slice(Slice slice) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("value", slice.value());
        values.put("cores", slice.cores());
        values.put("disturbed", slice.disturbed());
        return values;
    }

    private static Map<String, Object> leftOut(LeftOut one) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("what", one.what());
        values.put("reason", one.reason());
        return values;
    }

    static String json(QualificationReport report) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Json.createGeneratorFactory(Map.of(JsonGenerator.PRETTY_PRINTING, true))
                .createGenerator(text)) {
            write(json, of(report));
        }
        return text.toString().strip() + "\n";
    }

    private static void write(JsonGenerator json, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                map.forEach((key, one) -> {
                    json.writeKey((String) key);
                    write(json, one);
                });
                json.writeEnd();
            }
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(one -> write(json, one));
                json.writeEnd();
            }
            case Boolean truth -> json.write(truth);
            case Long number -> json.write(number);
            case Double number -> json.write(number);
            default -> json.write((String) value);
        }
    }
}

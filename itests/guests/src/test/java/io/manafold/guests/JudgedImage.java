package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the built product says of an image. */
final class JudgedImage {
    private JudgedImage() {
    }

    /** Verdicts, kernels and states of checks; paths to the disk are left out. */
    static Map<String, String> of(Path path) {
        JsonObject said = answered("doctor image " + path + " --json");
        Map<String, String> all = new TreeMap<>();
        all.put("verdicts", said.getJsonArray("verdicts").toString());
        all.put("kernels", said.getJsonArray("kernels").toString());
        said.getJsonArray("checks").getValuesAs(JsonObject.class).forEach(check -> all.put(check.getString("id"),
                check.getString("state") + " " + check.getString("summary") + " " + check.getJsonArray("evidence")));
        return all;
    }

    /** What the program says; an image in which a check fails ends with 1, too. */
    private static JsonObject answered(String command) {
        return new Answer(command, 0, said(command, ProcessBuilder.Redirect.INHERIT)).json().asJsonObject();
    }

    static void isRefused(Path disk, String... words) {
        assertThat(said("doctor image " + disk, null)).contains(words);
    }

    /** @param errors where they go, or {@code null} for the same place */
    private static String said(String command, ProcessBuilder.Redirect errors) {
        ProcessBuilder builder = new ProcessBuilder(Kit.TOP.resolve("manafold").toString(), "-c", command);
        builder.environment().put("MANAFOLD_BUILD", "cache");
        if (errors == null) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(errors);
        }
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}

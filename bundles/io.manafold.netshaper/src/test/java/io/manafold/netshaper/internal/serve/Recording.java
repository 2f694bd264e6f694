package io.manafold.netshaper.internal.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * What a kernel has answered, as a file keeps it: lines of what was asked and answered, and of what was done in
 * between.
 */
record Recording(List<Step> steps) {
    /**
     * One exchange, or one thing that was done to the device.
     *
     * @param event what was done; empty for an exchange
     */
    record Step(String title, String event, byte[] request, List<byte[]> answers) {
        @Override
        public String toString() {
            return event.isEmpty() ? title : event;
        }
    }

    static Recording of(String name) {
        try (InputStream text = Objects.requireNonNull(Recording.class.getResourceAsStream("/recordings/" + name),
                name)) {
            return read(new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Recording read(String text) {
        List<Step> steps = new ArrayList<>();
        String title = "";
        for (String line : text.lines().filter(one -> one.length() > 2).toList()) {
            String rest = line.substring(2);
            switch (line.charAt(0)) {
                case '#' -> title = rest;
                case '>' -> steps.add(new Step(title, "", bytes(rest), new ArrayList<>()));
                case '<' -> steps.getLast().answers.add(bytes(rest));
                case '=' -> steps.add(new Step("", rest, null, List.of()));
                default -> throw new IllegalArgumentException(line);
            }
        }
        return new Recording(steps);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}

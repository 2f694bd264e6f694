package io.manafold.guests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** What a kernel is asked and has answered, as a file keeps it; our server is held against the same file elsewhere. */
final class Recording {
    private static final Path FOLDER = Kit.TOP.resolve(
            Path.of("bundles", "io.manafold.netshaper", "src", "test", "resources", "recordings"));
    private static final HexFormat HEX = HexFormat.of();
    private static final int HEADER = 16;

    /**
     * One exchange, or one thing that is done to the device.
     *
     * @param event what is done; empty for an exchange
     */
    record Step(String title, String event, byte[] request, List<String> answers) {
    }

    private final Path file;
    private final List<String> heading = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private boolean headed;
    private String title = "";

    private Recording(Path file) {
        this.file = file;
    }

    static Recording of(String name) {
        Recording recording = new Recording(FOLDER.resolve(name));
        try {
            Files.readAllLines(recording.file).forEach(recording::read);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return recording;
    }

    private void read(String line) {
        if (line.isEmpty()) {
            headed = true;
            return;
        }
        String rest = line.substring(2);
        switch (line.charAt(0)) {
            case '#' -> {
                title = rest;
                if (!headed) {
                    heading.add(rest);
                }
            }
            case '>' -> steps.add(new Step(title, "", HEX.parseHex(rest.replace(" ", "")), new ArrayList<>()));
            case '<' -> steps.getLast().answers().add(rest);
            case '=' -> steps.add(new Step("", rest, null, List.of()));
            default -> throw new IllegalArgumentException(line);
        }
    }

    List<Step> steps() {
        return steps;
    }

    /** Writes it with other answers, one list for each step. */
    void write(List<List<String>> answers) {
        StringBuilder text = new StringBuilder();
        heading.forEach(line -> text.append("# ").append(line).append('\n'));
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            text.append('\n');
            if (step.event().isEmpty()) {
                text.append("# ").append(step.title()).append("\n> ").append(grouped(step.request())).append('\n');
                answers.get(i).forEach(answer -> text.append("< ").append(answer).append('\n'));
            } else {
                text.append("= ").append(step.event()).append('\n');
            }
        }
        try {
            Files.writeString(file, text);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Its bytes with a space between parts: header, command or error, attributes. */
    static String grouped(byte[] message) {
        StringBuilder text = new StringBuilder(HEX.formatHex(message, 0, HEADER));
        int at = HEADER;
        boolean error = RawNetlink.type(message) == RawNetlink.ERROR;
        for (int part : error ? new int[] {4, HEADER} : new int[] {4}) {
            if (message.length - at >= part) {
                text.append(' ').append(HEX.formatHex(message, at, at + part));
                at += part;
            }
        }
        while (at < message.length) {
            int length = message.length - at < 4 ? 0 : RawNetlink.get16(message, at);
            int end = length < 4 ? message.length : Math.min(at + (length + 3 & ~3), message.length);
            text.append(' ').append(HEX.formatHex(message, at, end));
            at = end;
        }
        return text.toString();
    }
}

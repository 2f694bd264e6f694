package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * No two rooms have an identical run of more than ten lines, tests included: what both need is in a room below both, or
 * in the test kit. Blank lines, comments, imports and lines without a word do not count.
 */
class DuplicatesTest {
    private static final int LONGEST = 10;

    private record Line(String text, int number) {
    }

    private record Run(String room, String file, int first) {
        String place() {
            return file + ":" + first;
        }
    }

    @Test
    void noRunOfLinesStandsInTwoRooms() {
        Map<String, Map<String, String>> rooms = new HashMap<>();
        for (Room room : Room.all()) {
            Map<String, String> files = new HashMap<>();
            for (Path file : room.sources()) {
                files.put(Room.TOP.relativize(file).toString(), Room.text(file));
            }
            rooms.put(room.shortName(), files);
        }
        assertThat(shared(rooms).values()).as("identical runs of more than %d lines in two rooms", LONGEST).isEmpty();
    }

    @Test
    void aRunInTwoRoomsIsFound() {
        StringBuilder run = new StringBuilder();
        for (int i = 0; i <= LONGEST; i++) {
            run.append("        add(").append(i).append(");\n");
        }
        String one = "import a.B;\n\nclass One {\n    void fill() {\n" + run + "    }\n}\n";
        String other = "class Other {\n    void fill() {\n        // as there\n" + run + "    }\n}\n";
        assertThat(shared(Map.of("a", Map.of("One.java", one), "b", Map.of("Other.java", other))).values())
                .singleElement().asString().contains("One.java").contains("Other.java");
        assertThat(shared(Map.of("a", Map.of("One.java", one, "Other.java", other)))).isEmpty();
        String shorter = other.replace("add(5);\n", "");
        assertThat(shared(Map.of("a", Map.of("One.java", one), "b", Map.of("Other.java", shorter)))).isEmpty();
    }

    /** For each pair of files of two rooms one sentence about a run that both have. */
    private static Map<String, String> shared(Map<String, Map<String, String>> rooms) {
        Map<String, Run> seen = new HashMap<>();
        Map<String, String> shared = new LinkedHashMap<>();
        rooms.forEach((room, files) -> files.forEach((file, text) -> {
            List<Line> lines = lines(text);
            for (int i = 0; i + LONGEST < lines.size(); i++) {
                String window = String.join("\n", lines.subList(i, i + LONGEST + 1).stream().map(Line::text).toList());
                Run run = new Run(room, file, lines.get(i).number());
                Run before = seen.putIfAbsent(window, run);
                if (before != null && !before.room().equals(room)) {
                    shared.putIfAbsent(before.file() + file, before.place() + " and " + run.place());
                }
            }
        }));
        return shared;
    }

    private static List<Line> lines(String text) {
        List<Line> lines = new ArrayList<>();
        boolean comment = false;
        int number = 0;
        for (String one : text.split("\n")) {
            number++;
            String line = one.strip();
            if (comment || line.startsWith("/*")) {
                comment = !line.contains("*/");
            } else if (!line.startsWith("//") && !line.startsWith("import ") && !line.startsWith("package ")
                    && line.chars().anyMatch(Character::isLetterOrDigit)) {
                lines.add(new Line(line, number));
            }
        }
        return lines;
    }
}

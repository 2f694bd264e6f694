package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the page on threats promises is there: each line names a limit and a test, and both are in the sources. */
class ThreatsTest {
    private static final Path TOP = Path.of("../..");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern LIMIT = Pattern.compile("`(\\w+)\\.([A-Z][A-Z_]+)`");

    private record Line(String text, List<String> cells) {
    }

    @Test
    void everyLineNamesATestAndAllAreThere() throws IOException {
        Map<String, String> tests = sources("test");
        for (Line line : lines()) {
            Matcher named = TEST.matcher(line.cells().getLast());
            assertThat(named.results().count()).as("tests in the last cell of: %s", line.text()).isPositive();
            named.reset();
            while (named.find()) {
                assertThat(isTest(tests.getOrDefault(named.group(1), ""), named.group(2)))
                        .as("docs/threats.md names %s, which is no test", named.group()).isTrue();
            }
        }
    }

    @Test
    void allLimitsAreThere() throws IOException {
        Map<String, String> classes = sources("main");
        int limits = 0;
        for (Line line : lines()) {
            Matcher named = LIMIT.matcher(line.text());
            while (named.find()) {
                assertThat(classes.getOrDefault(named.group(1), "")).as("docs/threats.md names %s", named.group())
                        .containsPattern("(?m)(static final [\\w<>]+ |^ {4})" + named.group(2) + "\\b");
                limits++;
            }
        }
        assertThat(limits).as("limits by name").isPositive();
    }

    @Test
    void aMethodWithoutAnAnnotationIsNoTest() {
        String source = "    @Test\n    @Timeout(3)\n    void one() {\n    }\n\n    void other() {\n    }\n";
        assertThat(isTest(source, "one")).isTrue();
        assertThat(isTest(source, "other")).isFalse();
        assertThat(isTest(source, "none")).isFalse();
    }

    private static List<Line> lines() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String text : Files.readAllLines(TOP.resolve("docs/threats.md"))) {
            List<String> cells = List.of(text.split("\\s*\\|\\s*"));
            if (text.startsWith("| ") && !cells.getLast().equals("shown by")) {
                lines.add(new Line(text, cells));
            }
        }
        assertThat(lines).isNotEmpty();
        return lines;
    }

    /** The sources of all rooms by the name of their class; those that share a name are one text. */
    private static Map<String, String> sources(String kind) throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String group : List.of("bundles", "gogo-commands", "itests")) {
            try (Stream<Path> rooms = Files.list(TOP.resolve(group))) {
                for (Path folder : rooms.map(room -> room.resolve("src/" + kind + "/java")).filter(Files::exists)
                        .toList()) {
                    try (Stream<Path> files = Files.walk(folder)) {
                        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                            String name = file.getFileName().toString().replace(".java", "");
                            sources.merge(name, Files.readString(file), (one, other) -> one + "\n" + other);
                        }
                    }
                }
            }
        }
        return sources;
    }

    /** Whether the lines right above a method say that it is a test. */
    private static boolean isTest(String source, String method) {
        String mark = "@(Test|ParameterizedTest|RepeatedTest|TestFactory)\\b";
        Matcher above = Pattern.compile("((?:    @.*\\n)+)    (?:public )?[\\w<>]+ " + method + "\\(").matcher(source);
        return above.find() && Pattern.compile(mark).matcher(above.group(1)).find();
    }
}

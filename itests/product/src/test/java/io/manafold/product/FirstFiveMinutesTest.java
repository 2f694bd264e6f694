package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the README has typed at the prompt, typed at a terminal, on two days with the same home, a narrow terminal
 * first: nothing is refused, answers begin alike, and no row of a table is wider than the terminal.
 */
class FirstFiveMinutesTest {
    private static final String PROMPT = "manafold> ";
    /** Colours, movements of the cursor, modes. */
    private static final Pattern ESCAPES = Pattern.compile("\u001b(?:\\[[0-9;?]*[ -/]*[@-~]|[=>]|[()][0-9A-Za-z])");
    private static final Pattern REFUSED = Pattern.compile("\\(E[A-Z0-9]+\\)|Exception|is no command|Type 'help");

    /** Tables of ours fit, sentences are broken by the terminal; what a real tool prints is as long as there. */
    private static final Set<String> OURS = Set.of("help", "devices", "pages", "pktgen", "netshaper");

    private static final Path README = Run.TOP.resolve("README.md");

    @TempDir
    Path home;

    /** Whether this test types what this block of the page has at the prompt. */
    static boolean types(Path page, String block) {
        return page.equals(README) && block.contains("\n" + PROMPT);
    }

    @Test
    void theSecondDayIsLikeTheFirst() throws IOException {
        List<String> blocks = DocsTest.blocks(Files.readString(README)).stream().filter(block -> types(README, block))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(3);
        Map<String, String> first = new TreeMap<>();
        Map<String, String> second = new TreeMap<>();
        for (String block : blocks) {
            sit(block, 80, first);
        }
        for (String block : blocks) {
            sit(block, 170, second);
        }
        first.keySet().forEach(line -> assertThat(second.get(line)).as("how the answer to '%s' begins", line)
                .isEqualTo(first.get(line)));
    }

    /** One sitting: notes with which word the answer to each line begins. */
    private void sit(String block, int columns, Map<String, String> day) {
        List<String> lines = new ArrayList<>(block.lines().toList());
        String command = lines.removeFirst().substring("$ ".length());
        try (Run run = Run.of("script", "-qefc", "stty cols " + columns + " rows 24; exec " + command, "/dev/null")
                .with("TERM", "xterm").with("HOME", home.toString()).with("XDG_STATE_HOME", home.resolve("state")
                        .toString()).start()) {
            run.awaitOut(PROMPT);
            // above the prompt, as soon as all is up; what a line answers begins behind it
            run.awaitOut("Words to begin with: ");
            for (String line : lines) {
                String typed = line.substring(PROMPT.length());
                int before = run.outSoFar().length();
                run.type(typed + "\r");
                if (typed.equals("exit")) {
                    break;
                }
                int echoed = run.awaitOutBehind(before, "\n").indexOf('\n', before);
                String out = run.awaitOutBehind(echoed, PROMPT);
                List<String> answer = new ArrayList<>(answer(out.substring(echoed + 1, out.indexOf(PROMPT, echoed))));
                if (!answer.isEmpty() && typed.endsWith(answer.getFirst())) {
                    // what was typed took two lines
                    answer.removeFirst();
                }
                String what = "%s at %d columns".formatted(typed, columns);
                assertThat(answer).as(what).noneMatch(REFUSED.asPredicate());
                if (OURS.contains(typed.split(" ")[0])) {
                    assertThat(answer).as(what).allMatch(one -> one.length() <= columns || one.endsWith("."));
                }
                // progress is told of what takes longer than a second, which depends on the machine
                day.put(command + ": " + typed, answer.stream().filter(one -> !one.matches("\\d+ s: .*")).findFirst()
                        .map(FirstFiveMinutesTest::firstWord).orElse(""));
            }
            assertThat(run.ended().status()).as(block).isZero();
        }
    }

    private static String firstWord(String line) {
        return line.replaceAll("\\W+", " ").strip().split(" ")[0];
    }

    /** Lines as they stand on the terminal in the end; what was written over is not there any more. */
    private static List<String> answer(String out) {
        return ESCAPES.matcher(out).replaceAll("").lines().map(String::stripTrailing)
                .map(line -> line.substring(line.lastIndexOf('\r') + 1)).filter(line -> !line.isBlank()).toList();
    }
}

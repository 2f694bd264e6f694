package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A user who pastes what the docs show gets what they promise. Blocks marked {@code console} are run from top to
 * bottom, each in a home of its own: {@code $ } in a shell, {@code manafold> } at the prompt before them. A line of a
 * shell that is meant to fail says so with {@code # ends with N}, one of the prompt with {@code # fails}.
 */
class DocsTest {
    /** The pages whose blocks are run, by what their paths contain; a page of docs is held to nothing else by it. */
    private static final String WANTED = System.getProperty("manafold.docs.pages", "");
    private static final Duration BLOCK_TIME = Duration.ofMinutes(3);
    /** Blocks take turns with the addresses of this machine that they name. */
    private static final Lock ADDRESSES = new ReentrantLock();
    private static final String PROMPT = "manafold> ";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```console\\n(.*?)^```");
    private static final Pattern FAILS = Pattern.compile("(.*?)\\s+# ends with (\\d+)");
    private static final Pattern FAILS_AT_PROMPT = Pattern.compile("(.*?)\\s+# fails");
    /** What the prompt says after a line that has failed as it is meant to. */
    private static final String FAILED = "this line has failed, as the page says";
    private static final Pattern DATA = Pattern.compile(".*--data (\\S+).*");
    private static final Pattern COMMAND = Pattern.compile("(?m)^### `?(\\S+?)`?$");
    static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    /** Run by the build that runs this test, or by the check of a fresh clone. */
    private static final Set<String> RUN_ELSEWHERE = Set.of("mvn verify", "mvn verify -Plong",
            "mvn -q package -DskipTests -pl itests/io.manafold.example.embedder",
            "mvn -q package -DskipTests -pl itests/io.manafold.example.hook");

    @TempDir
    Path home;

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Run.TOP.resolve("docs"))) {
            List<Path> pages = new ArrayList<>(docs.filter(path -> path.toString().endsWith(".md")).sorted().toList());
            pages.addFirst(Run.TOP.resolve("README.md"));
            return pages;
        }
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    List<DynamicTest> everyBlockRunsAsItStands() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            Path path = Run.TOP.relativize(page);
            if (!path.toString().contains(WANTED)) {
                continue;
            }
            int number = 1;
            for (String block : blocks(Files.readString(page))) {
                String name = path + ", block " + number++;
                // where all pages are run, that one's lines of the prompt are typed at a terminal, and once is enough
                if (!WANTED.isEmpty() || !FirstFiveMinutesTest.types(page, block)) {
                    tests.add(DynamicTest.dynamicTest(name, () -> run(block)));
                }
            }
        }
        assertThat(tests).isNotEmpty();
        return tests;
    }

    /** What is run of a page, from its top. */
    static List<String> blocks(String page) {
        return BLOCK.matcher(page).results().map(block -> block.group(1)).toList();
    }

    private void run(String block) throws IOException {
        if (!block.contains("127.0.0.1")) {
            runAlone(block);
            return;
        }
        ADDRESSES.lock();
        try {
            runAlone(block);
        } finally {
            ADDRESSES.unlock();
        }
    }

    private void runAlone(String block) throws IOException {
        Path own = Files.createTempDirectory(home, "home");
        Path script = Files.writeString(own.resolve("block"), script(block));
        Run.Ended ended = Run.of("bash", script.toString()).with("HOME", own.toString())
                .with("XDG_STATE_HOME", own.resolve("state").toString()).fed("", BLOCK_TIME);
        assertThat(ended.status()).as("%s%nout: %s%nerr: %s", block, ended.out(), ended.err()).isZero();
        assertThat(ended.err()).doesNotContain("Exception", "\tat ");
        assertThat(ended.out().lines().filter(line -> line.endsWith(FAILED)).count())
                .as("lines that have failed%nout: %s%nerr: %s", ended.out(), ended.err())
                .isEqualTo(block.lines().filter(line -> line.startsWith(PROMPT)
                        && FAILS_AT_PROMPT.matcher(line).matches()).count());
    }

    /** The block as a script that ends with 0 if every line ended as the page says. */
    static String script(String block) {
        StringBuilder script = new StringBuilder("trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n");
        List<String> lines = block.lines().toList();
        for (int at = 0; at < lines.size(); at++) {
            if (!lines.get(at).startsWith("$ ")) {
                continue;
            }
            String command = lines.get(at).substring(2).strip();
            List<String> typed = new ArrayList<>();
            for (int next = at + 1; next < lines.size() && !lines.get(next).startsWith("$ "); next++) {
                // after "exit" the program would end with its status, and not with that of the first line that failed
                if (lines.get(next).startsWith(PROMPT) && !lines.get(next).equals(PROMPT + "exit")) {
                    typed.add(typed(lines.get(next).substring(PROMPT.length())));
                }
            }
            append(script, command, typed);
        }
        return script.toString();
    }

    private static String typed(String line) {
        Matcher fails = FAILS_AT_PROMPT.matcher(line);
        return fails.matches() ? fails.group(1) + " || echo \"" + FAILED + "\"" : line;
    }

    private static void append(StringBuilder script, String command, List<String> typed) {
        if (RUN_ELSEWHERE.contains(command) || command.startsWith("git clone ")) {
            return;
        }
        if (command.startsWith("cd ")) {
            // into the clone, where the script is already
            return;
        }
        if (command.startsWith("tshark ") && !Host.isThere("tshark")) {
            return;
        }
        Matcher fails = FAILS.matcher(command);
        boolean failing = fails.matches();
        String line = failing ? fails.group(1) : command;
        if (line.endsWith("&")) {
            script.append(line).append('\n');
            Matcher data = DATA.matcher(line);
            if (data.matches()) {
                script.append("for i in $(seq 300); do [ -S ").append(data.group(1))
                        .append("/attach.sock ] && break; sleep 0.1; done\n");
            }
            return;
        }
        script.append(line);
        if (!typed.isEmpty()) {
            script.append(" <<'TYPED'\n").append(String.join("\n", typed)).append("\nTYPED");
        }
        script.append('\n');
        script.append("[ $? -eq ").append(failing ? fails.group(2) : "0").append(" ] || { echo \"wrong status: ")
                .append(line.replaceAll("[\"`$\\\\]", ".")).append("\" >&2; exit 9; }\n");
    }

    @ParameterizedTest
    @CsvSource({"commands.md, help --markdown", "firmware.md, firmware list --markdown"})
    void pagesThatACommandWritesAreWhatItWrites(String name, String line) throws IOException {
        String generated = Run.manafold("-c", line).end().done().out();
        Path page = Run.TOP.resolve("docs").resolve(name);
        if (Boolean.getBoolean("manafold.docs.write")) {
            Files.writeString(page, generated);
        }
        assertThat(Files.readString(page)).as("docs/%s; write it anew with -Dmanafold.docs.write=true", name)
                .isEqualTo(generated);
    }

    /** The page of all that there is names every command, so that none is forgotten there. */
    @Test
    void noCommandIsForgotten() throws IOException {
        String features = Files.readString(Run.TOP.resolve("docs/features.md"));
        List<String> commands = COMMAND.matcher(Files.readString(Run.TOP.resolve("docs/commands.md"))).results()
                .map(command -> command.group(1)).toList();
        assertThat(commands).hasSizeGreaterThan(40).contains("ping", "testpmd");
        assertThat(commands).allSatisfy(command -> assertThat(features)
                .containsPattern("(?m)(^|[\\s`';])" + Pattern.quote(command) + "($|[\\s`';])"));
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        for (Path page : pages()) {
            Matcher links = LINK.matcher(Files.readString(page));
            while (links.find()) {
                assertThat(page.resolveSibling(links.group(1))).as("link of %s", Run.TOP.relativize(page)).exists();
            }
        }
    }

    @Test
    void aLineThatFailsIsNoticed() throws IOException {
        Path script = Files.writeString(home.resolve("bad"), script("$ false\n"));
        assertThat(Run.of("bash", script.toString()).end().status()).isNotZero();
        Files.writeString(script, script("$ false   # ends with 1\n$ cat\nmanafold> typed\ntyped\n"));
        Run.Ended ended = Run.of("bash", script.toString()).end().done();
        assertThat(ended.out()).isEqualTo("typed\n");
    }

    /** What {@code exit} would end the program with hides no line before it that fails. */
    @Test
    void aLineOfThePromptThatFailsIsNoticed() {
        assertThat(script("$ sh\nmanafold> false\nmanafold> exit\n")).doesNotContain("\nexit\n");
        assertThatThrownBy(() -> run("$ sh\nmanafold> false\nmanafold> exit\n"))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> run("$ sh\nmanafold> true   # fails\nmanafold> exit\n"))
                .isInstanceOf(AssertionError.class);
        assertThatCode(() -> run("$ sh\nmanafold> false   # fails\nmanafold> exit\n")).doesNotThrowAnyException();
    }
}

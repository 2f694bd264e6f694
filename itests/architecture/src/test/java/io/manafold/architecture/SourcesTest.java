package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How sources look: lines of at most 120 columns, no import that is not used, subjects by their names, one name for the
 * logger of a class, numbers that look the same in all countries.
 */
class SourcesTest {
    private static final int COLUMNS = 120;
    private static final String NAME_IT = "about somebody: a driver, guest, lender, borrower, administrator, user?";
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?[\\w.]+\\.(\\w+);$");
    /** What a comment refers to. */
    private static final Pattern REFERENCE = Pattern.compile(
            "\\{@(?:link|linkplain|value)\\s[^}]*|@(?:see|throws)\\s+\\S+");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern NOBODY = Pattern.compile("(?i)\\b(somebody|nobody|whoever|everybody|someone)\\b");
    /** One who acts and is not named: "who" behind a preposition. What "and who holds it" asks is another matter. */
    private static final Pattern UNNAMED = Pattern.compile(
            "\\b(?:for|to|by|of|from|calls|with)\\s+(?:(?:\\*|//|#)\\s+)?who\\b");
    /** A sentence about one: "Who waits has". That of a field, {@code Who holds it.}, is the first of its comment. */
    private static final Pattern UNNAMED_FIRST = Pattern.compile(
            "(?m)(?:[.:;]\\**\\s+(?:(?:\\*|//|#)\\s+)?|//\\s+|^(?:[*-] )?)\\bWho [a-z]+s\\b(?![^.?]*\\?)");
    /** A line within a block of comment, or what stands behind its beginning in a line. */
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*\\*.*$|(?:/\\*|//).*$");
    private static final Pattern TEXT = Pattern.compile("(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"\\n]*\"");
    private static final Pattern LOGGER = Pattern.compile(
            "\\bLogger (\\w+)\\s*=\\s*LoggerFactory\\s*\\.getLogger\\(\\w+\\.class\\)");
    /** A fraction that is written as the country of the user has it, with a comma in some. */
    private static final Pattern FRACTION = Pattern.compile(
            "%\\d*\\.\\d+f[^\"\n]*\"\\)?\\s*\\.formatted\\(|\\bformat\\(\\s*\"[^\"\n]*%\\d*\\.\\d+f");
    /** Names that a reader would have to be told. */
    private static final Set<String> UNUSUAL = Set.of("Surroundings", "Outside", "Trouble", "Errands", "Caretaker",
            "Turns", "Round", "HeadStart", "Seat", "Knot", "Deeds", "Planting", "Doorway", "Takings", "Anatomy",
            "Inlet", "GuestNews", "Departed", "RawFarewell", "Farewell", "Leftovers", "Telling", "BurstEdge", "DryRing",
            "SilentRegisters", "SendAsk", "CaptureDesk", "Octets", "Tally", "Roster", "KeptFile", "WholeFile",
            "SwapAccount", "Lack", "Standstill", "Intake", "ByHand", "Takers", "Spot", "HeardOutput", "Allowance",
            "Dice", "GogoHalf", "Unclosed", "ToldEvents", "KeptOut", "Judgement", "HomePages", "Afar", "Meeting",
            "Makers", "HandedOver", "HandedOvers", "TurnGuests", "FoundMemory", "VanishedFrames", "Outlet", "Presence",
            "Works", "Things", "Asked", "Patience", "Remembered", "Errand", "Deed", "Troubles");
    /** Terms of others that have one of those names as a part. */
    private static final Pattern USUAL = Pattern.compile("RoundTrip|RoundRobin");
    /** Those of them that are usual for what is no class: turns and rounds are counted, a key is outside a range. */
    private static final Set<String> USUAL_OF_MEMBERS = Set.of("Turns", "Round", "Outside", "ByHand", "Standstill",
            "Works", "Things", "Asked", "Patience", "Remembered");
    private static final Pattern PART = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
    /** Fields, parameters, variables and methods, which had their names from those classes. */
    private static final Pattern UNUSUAL_MEMBER = Pattern.compile(UNUSUAL.stream()
            .filter(name -> !USUAL_OF_MEMBERS.contains(name))
            .map(name -> Character.toLowerCase(name.charAt(0)) + name.substring(1))
            .collect(Collectors.joining("|", "\\b(?:lieDown|getUp|", ")\\b")));
    /** A package of that name is another matter. */
    private static final Pattern HEAD = Pattern.compile("(?m)^(?:package|import) .*$");

    @Test
    void linesHaveTheirLength() {
        assertThat(found(Room.all(), SourcesTest::longLines)).as("lines of more than %d columns", COLUMNS).isEmpty();
    }

    @Test
    void allImportsAreUsed() {
        assertThat(found(Room.all(), SourcesTest::unusedImports)).as("unused imports").isEmpty();
    }

    @Test
    void commentsNameTheirSubject() {
        assertThat(found(Room.all(), SourcesTest::nobodies)).as(NAME_IT).isEmpty();
    }

    @Test
    void scriptsNameTheirSubject() throws IOException {
        List<Path> scripts = scripts();
        List<String> found = new ArrayList<>();
        for (Path script : scripts) {
            nobodiesOfScript(Room.text(script)).forEach(one -> found.add(Room.TOP.relativize(script) + ": " + one));
        }
        assertThat(scripts).hasSizeGreaterThan(40);
        assertThat(found).as(NAME_IT).isEmpty();
    }

    @Test
    void pagesNameTheirSubject() throws IOException {
        List<Path> pages = pages();
        List<String> found = new ArrayList<>();
        for (Path page : pages) {
            nobodiesOfPage(Room.text(page)).forEach(one -> found.add(Room.TOP.relativize(page) + ": " + one));
        }
        assertThat(pages).hasSizeGreaterThan(80);
        assertThat(found).as(NAME_IT).isEmpty();
    }

    /** Those that start, check and release the platform, those in bundles and guests, and the list of monitors. */
    private static List<Path> scripts() throws IOException {
        List<Path> scripts = new ArrayList<>(List.of(Room.TOP.resolve("manafold"), Room.TOP.resolve(".ci/run")));
        for (String top : List.of("bundles", "itests", "release")) {
            Files.walkFileTree(Room.TOP.resolve(top), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.endsWith("target") || folder.endsWith("java") ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.endsWith("monitors.txt") || file.toString().endsWith(".sh") || Files.isExecutable(file)) {
                        scripts.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return scripts;
    }

    /** Those of the rooms and of the project, and all of docs. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(Room.all().stream().map(Room::page).filter(Files::exists).toList());
        pages.add(Room.TOP.resolve("README.md"));
        try (Stream<Path> docs = Files.walk(Room.TOP.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @Test
    void aLoggerOfAClassIsCalledLog() {
        assertThat(found(Room.all(), SourcesTest::otherLoggers)).as("loggers that are not called LOG").isEmpty();
    }

    @Test
    void membersHaveNamesThatTheirReadersKnow() {
        assertThat(found(Room.all(), SourcesTest::unusualMembers)).as("docs/words.md says what is usual").isEmpty();
    }

    @Test
    void classesHaveNamesThatTheirReadersKnow() {
        assertThat(Room.all().stream().flatMap(room -> room.types().stream()).filter(SourcesTest::isUnusual))
                .as("docs/words.md says what is usual").isEmpty();
    }

    @Test
    void fractionsHaveAPointInAllCountries() {
        assertThat(found(Room.all(), SourcesTest::fractions)).as("fractions without Locale.ROOT").isEmpty();
    }

    @Test
    void mistakesAreFound() {
        String text = "import java.util.List;\nimport java.util.Set;\n\n// whoever calls\nSet<String> names;\n"
                + "x".repeat(COLUMNS + 1) + "\n\"\"\"\n" + "x".repeat(COLUMNS + 1) + "\n\"\"\"\n";
        assertThat(longLines(text)).containsExactly("line 6");
        assertThat(unusedImports(text)).containsExactly("List");
        assertThat(unusedImports("import a.Sends;\nimport a.Kept;\n/** Sends it to {@link Kept}. */\nb(\"Sends\");\n"))
                .containsExactly("Sends");
        assertThat(nobodies(text)).containsExactly("// whoever calls");
        assertThat(nobodies("int a; // of somebody\nString b = \"// nobody\"; /* someone */\n"))
                .containsExactly("// of somebody", "/* someone */");
        assertThat(nobodiesOfPage("Not \"nobody\".\nIt harms nobody.\n")).containsExactly("It harms nobody.");
        String who = "who";
        assertThat(nobodies("/** Who holds it. Anyone may ask who that is. */\n/** Who may ask? Who holds it? */\n"))
                .isEmpty();
        assertThat(nobodies("int a; // told to " + who + " polls\nb(\"seen by " + who + " sends\");\n"))
                .containsExactly("int a; // told to " + who + " polls", "b(\"seen by " + who + " sends\");");
        assertThat(nobodies(" * It is given to\n * " + who + " has\n * the port. Who waits\n * is told.\n"))
                .containsExactly("* " + who + " has", "* the port. Who waits");
        assertThat(nobodies("// Who waits is told.\n")).containsExactly("// Who waits is told.");
        assertThat(nobodiesOfPage("# Who is trusted\n\n**Price.** Who embeds them has none.\nWho reads waits.\n"))
                .containsExactly("**Price.** Who embeds them has none.", "Who reads waits.");
        assertThat(nobodiesOfScript("# for\n# " + who + " builds\necho somebody # for anybody\n# of nobody\n"))
                .containsExactly("# of nobody", "# " + who + " builds");
        assertThat(List.of("Works", "OpenThings", "PlatformTakers", "RoundTrips", "Workspace", "RoundUp"))
                .filteredOn(SourcesTest::isUnusual).containsExactly("Works", "OpenThings", "PlatformTakers", "RoundUp");
        assertThat(otherLoggers("Logger LOG = LoggerFactory.getLogger(A.class);\n"
                + "Logger log = LoggerFactory.getLogger(B.class);\n")).containsExactly("log");
        assertThat(fractions("\"%.1f" + " ms\".formatted(a); String.format(\"%5.2f\", b);")).hasSize(2);
        assertThat(fractions("String.format(Locale.ROOT, \"%.1f\", c); \"%s\".formatted(d);")).isEmpty();
        assertThat(unusualMembers("void getUp() { bus.lieDown(); }")).containsExactly("getUp", "lieDown");
        assertThat(unusualMembers("import a.roster.B;\nclass C {\n    // a roster\n    B registry;\n"
                + "    String rosters = \"seat\";\n    int turns;\n}\n")).isEmpty();
        assertThat(unusualMembers("class C {\n    A roster;\n    void a(B headStart) { c(d -> seat); }\n}\n"))
                .containsExactly("roster", "headStart", "seat");
    }

    private interface Rule {
        List<String> broken(String text);
    }

    private static List<String> found(List<Room> rooms, Rule rule) {
        List<String> found = new ArrayList<>();
        for (Room room : rooms) {
            for (Path file : room.sources()) {
                rule.broken(Room.text(file)).forEach(one -> found.add(Room.TOP.relativize(file) + ": " + one));
            }
        }
        return found;
    }

    /** Text blocks are as long as what they show. */
    private static List<String> longLines(String text) {
        List<String> found = new ArrayList<>();
        boolean shown = false;
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            boolean changes = (line.length() - line.replace("\"\"\"", "").length()) / 3 % 2 == 1;
            if (line.length() > COLUMNS && !shown && !changes) {
                found.add("line " + number);
            }
            shown ^= changes;
        }
        return found;
    }

    /** Words of a text, or of a comment that refers to nothing, use none. */
    private static List<String> unusedImports(String text) {
        String code = IMPORT.matcher(TEXT.matcher(text).replaceAll("")).replaceAll("");
        Set<String> words = Stream.concat(REFERENCE.matcher(code).results().map(MatchResult::group),
                        Stream.of(COMMENT.matcher(code).replaceAll("")))
                .flatMap(used -> WORD.matcher(used).results()).map(MatchResult::group).collect(Collectors.toSet());
        return IMPORT.matcher(text).results().map(one -> one.group(1)).filter(name -> !words.contains(name)).toList();
    }

    private static List<String> nobodies(String text) {
        List<String> found = new ArrayList<>();
        for (Matcher comment = COMMENT.matcher(TEXT.matcher(text).replaceAll("\"\"")); comment.find();) {
            if (NOBODY.matcher(comment.group()).find()) {
                found.add(comment.group().strip());
            }
        }
        // what users are told, too
        found.addAll(lines(UNNAMED, text));
        found.addAll(lines(UNNAMED_FIRST, TEXT.matcher(text).replaceAll("\"\"")));
        return found;
    }

    /** Words in quotation marks are spoken of. */
    private static List<String> nobodiesOfPage(String text) {
        String said = QUOTED.matcher(text).replaceAll("");
        return Stream.of(NOBODY, UNNAMED, UNNAMED_FIRST).flatMap(rule -> lines(rule, said).stream()).toList();
    }

    private static List<String> nobodiesOfScript(String text) {
        String comments = text.lines().filter(line -> line.stripLeading().startsWith("#"))
                .collect(Collectors.joining("\n"));
        return Stream.of(NOBODY, UNNAMED).flatMap(rule -> lines(rule, comments).stream()).toList();
    }

    /** The lines in which what a rule finds ends. */
    private static List<String> lines(Pattern rule, String text) {
        return rule.matcher(text).results().map(one -> {
            int end = text.indexOf('\n', one.end());
            return text.substring(text.lastIndexOf('\n', one.end() - 1) + 1, end < 0 ? text.length() : end).strip();
        }).distinct().toList();
    }

    private static boolean isUnusual(String name) {
        List<String> parts = parts(USUAL.matcher(name).replaceAll(""));
        return UNUSUAL.stream().anyMatch(one -> Collections.indexOfSubList(parts, parts(one)) >= 0);
    }

    private static List<String> parts(String name) {
        return List.of(PART.split(name));
    }

    private static List<String> otherLoggers(String text) {
        return LOGGER.matcher(TEXT.matcher(text).replaceAll("")).results().map(one -> one.group(1))
                .filter(name -> !name.equals("LOG")).toList();
    }

    private static List<String> fractions(String text) {
        return FRACTION.matcher(text).results().map(MatchResult::group).toList();
    }

    private static List<String> unusualMembers(String text) {
        String code = COMMENT.matcher(HEAD.matcher(TEXT.matcher(text).replaceAll("")).replaceAll("")).replaceAll("");
        return UNUSUAL_MEMBER.matcher(code).results().map(MatchResult::group).toList();
    }
}

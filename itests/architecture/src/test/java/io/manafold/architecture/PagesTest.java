package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each room of the product has a page, and what a page names is there. */
class PagesTest {
    /** What an API is for is said by its package. */
    private static final String API = "io.manafold.api.";
    private static final Pattern BLOCK = Pattern.compile("(?s)```.*?```");
    /** A class, perhaps with a member: what begins with a capital and has small letters. */
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:[.#(][^`\\n]*)?`");
    private static final Pattern MANAGED = Pattern.compile("<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)"
            + "</artifactId>\\s*<version>([^<]+)</version>");
    private static final Pattern TYPED = Pattern.compile("`\\./manafold (?!-c 'help\\b)");
    private static final Pattern SHOWN = Pattern.compile("(?s)<!-- from (\\S+) -->\\n```\\w+\\n(.*?)```");
    private static final List<String> JAVA = List.of("java.lang.", "java.lang.foreign.", "java.nio.channels.",
            "java.util.", "java.util.concurrent.");

    @Test
    void eachRoomHasAPage() {
        assertThat(pages().filter(room -> !Files.exists(room.page())).map(Room::shortName))
                .as("rooms without README.md").isEmpty();
    }

    /** A block of code, or the line of a command. */
    @Test
    void eachPageHasAnExample() {
        assertThat(pages().filter(room -> !hasExample(Room.text(room.page()))).map(Room::shortName))
                .as("pages without an example: a block of code, or a line `./manafold …`").isEmpty();
        assertThat(hasExample("It has `words`.")).isFalse();
        assertThat(hasExample("Type `./manafold -c 'help link'`.")).isFalse();
        assertThat(hasExample("Type `./manafold -c 'devices'`.")).isTrue();
    }

    /** After a build with a release's profile there are jars of sources and Javadoc beside each of classes. */
    @Test
    void noPageTakesAllJarsOfAProjectForOne() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(Room.TOP.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(Room.TOP.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        Room.all().stream().map(Room::page).filter(Files::exists).forEach(pages::add);
        assertThat(pages).hasSizeGreaterThan(100).allSatisfy(page -> assertThat(Room.text(page))
                .doesNotContain("-*.jar"));
    }

    @Test
    void eachPageNamesWhatItsBundleDeclares() throws IOException {
        List<String> wrong = new ArrayList<>();
        int services = 0;
        int configurations = 0;
        for (Room room : pages().toList()) {
            Declared declared = Declared.of(room.built());
            services += declared.services().size();
            configurations += declared.configurations().size();
            declared.notOn(Room.text(room.page())).forEach(one -> wrong.add(room.shortName()
                    + "/README.md does not name " + one));
        }
        assertThat(wrong).isEmpty();
        assertThat(services).isGreaterThan(30);
        assertThat(configurations).isGreaterThan(10);
        assertThat(new Declared(Set.of("Driver"), Set.of("io.manafold.bus"))
                .notOn("`DriverCore`, and `io.manafold.bus.more`")).containsExactly("the service `Driver`",
                        "the configuration `io.manafold.bus`");
    }

    private static Stream<Room> pages() {
        return Room.all().stream().filter(Room::isOfProduct).filter(room -> !room.name().startsWith(API));
    }

    /** That help is asked for is no example of what is done. */
    private static boolean hasExample(String page) {
        return BLOCK.matcher(page).find() || TYPED.matcher(page).find();
    }

    @Test
    void eachClassThatAPageNamesIsThere() {
        List<Room> rooms = Room.all();
        List<String> wrong = new ArrayList<>();
        for (Room room : rooms) {
            if (Files.exists(room.page())) {
                String page = Room.text(room.page());
                for (String name : unknown(page, visible(room, page, rooms))) {
                    wrong.add(room.shortName() + "/README.md names " + name + ", which is no class of that room, nor "
                            + "one that it uses; name the room it is in (as in `" + name + "` of `packet`), or the "
                            + "class that took its place");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aClassThatWentIsFound() {
        assertThat(unknown("`Kept` and `Gone.member()`, and `mana0`, `EINVAL`; ```\n`Inside`\n```", Set.of("Kept")))
                .containsExactly("Gone");
    }

    @Test
    void theBillOfMaterialsHasEachBundle() throws IOException {
        String bill = Files.readString(Room.TOP.resolve("bom/pom.xml"));
        assertThat(Room.all().stream().filter(Room::isOfProduct).map(Room::name)
                .filter(name -> !bill.contains("<artifactId>" + name + "</artifactId>")))
                .as("bundles that bom/pom.xml lacks").isEmpty();
        assertThat(bill).contains("<version>" + version(Room.TOP.resolve("pom.xml")) + "</version>\n  <packaging>pom");
    }

    /** Who imports it gets the libraries that the bundles were built and tested with. */
    @Test
    void theBillOfMaterialsHasTheVersionsOfTheBuild() throws IOException {
        String root = Files.readString(Room.TOP.resolve("pom.xml"));
        Map<String, String> built = managed(root.replace("${slf4j.version}", property(root, "slf4j.version")));
        Map<String, String> bill = managed(Files.readString(Room.TOP.resolve("bom/pom.xml")));
        bill.keySet().removeIf(artifact -> artifact.startsWith("io.manafold:"));
        assertThat(bill).hasSizeGreaterThan(10).allSatisfy((artifact, version) -> assertThat(version).as(artifact)
                .isEqualTo(built.get(artifact)));
    }

    private static Map<String, String> managed(String pom) {
        Map<String, String> versions = new TreeMap<>();
        String list = pom.substring(pom.indexOf("<dependencyManagement>"), pom.indexOf("</dependencyManagement>"));
        MANAGED.matcher(list).results().forEach(one -> versions.put(one.group(1) + ":" + one.group(2), one.group(3)));
        return versions;
    }

    private static String property(String pom, String name) {
        return pom.replaceAll("(?s).*<" + name + ">([^<]+)<.*", "$1");
    }

    private static String version(Path pom) throws IOException {
        Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(Files.readString(pom));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    /** Tests run the examples; what the pages show of them is what is run. */
    @Test
    void theCodeThatPagesShowIsThatOfTheExamples() throws IOException {
        assertThat(shown("docs/embedding.md")).isEqualTo(5);
        assertThat(shown("docs/pmd.md")).isEqualTo(1);
    }

    /** A bundle that forwards between two ports in poll mode is no more than this. */
    @Test
    void theExampleOfPollModeIsShort() throws IOException {
        Path example = Room.TOP.resolve("itests/io.manafold.example.pmd/src/main/java");
        try (Stream<Path> files = Files.walk(example)) {
            long lines = 0;
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                lines += Files.readAllLines(file).size();
            }
            assertThat(lines).as("lines of " + example).isBetween(1L, 60L);
        }
    }

    /** How many blocks of code a page has, each of which is that of a file. */
    private static int shown(String name) throws IOException {
        String text = Files.readString(Room.TOP.resolve(name));
        Matcher code = SHOWN.matcher(text);
        int blocks = 0;
        while (code.find()) {
            String file = Files.readString(Room.TOP.resolve(code.group(1)));
            assertThat(file).as("%s, shown in %s", code.group(1), name).contains(code.group(2));
            blocks++;
        }
        assertThat(text.split("```java", -1)).as("code that is not held against a file").hasSize(blocks + 1);
        return blocks;
    }

    /** The classes that a page may name: the room's own, those it imports, and those of rooms that the page names. */
    private static Set<String> visible(Room room, String page, List<Room> rooms) {
        Set<String> visible = new TreeSet<>(room.types());
        visible.addAll(room.imported());
        rooms.stream().filter(other -> page.contains('`' + other.shortName() + '`'))
                .forEach(other -> visible.addAll(other.types()));
        return visible;
    }

    private static Set<String> unknown(String page, Set<String> visible) {
        Matcher named = NAMED.matcher(BLOCK.matcher(page).replaceAll(""));
        return named.results().map(one -> one.group(1)).filter(name -> !visible.contains(name))
                .filter(name -> !isOfJava(name)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOfJava(String name) {
        return JAVA.stream().anyMatch(start -> {
            try {
                Class.forName(start + name, false, null);
                return true;
            } catch (ClassNotFoundException none) {
                return false;
            }
        });
    }
}

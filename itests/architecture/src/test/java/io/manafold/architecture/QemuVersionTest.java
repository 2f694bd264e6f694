package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Help, pages and sentences say the same of which QEMU is needed. */
class QemuVersionTest {
    /** As in {@code QEMU 11.1 or later}, {@code QEMU of your own (11.1 or later}, {@code QEMU ≥ 11.1}. */
    private static final Pattern NEEDED = Pattern.compile("QEMU(?: ≥ ([0-9]+[.][0-9]+)|.{0,60}?([0-9]+[.][0-9]+)"
            + "(?: or later| on\\)))", Pattern.DOTALL);
    private static final String COMMANDS = "gogo-commands/io.manafold.commands.lab/src/main/java/io/manafold/commands/"
            + "lab/internal/";
    private static final List<String> SAYS = List.of("README.md", "docs/commands.md", COMMANDS + "VfioCommand.java",
            "itests/guests/kit/README.md", "bundles/io.manafold.vfio/README.md");

    private static TreeSet<String> versions(String text) {
        TreeSet<String> versions = new TreeSet<>();
        Matcher needed = NEEDED.matcher(text);
        while (needed.find()) {
            versions.add(needed.group(1) == null ? needed.group(2) : needed.group(1));
        }
        return versions;
    }

    @Test
    void oneVersionIsNamedEverywhere() throws IOException {
        Map<String, TreeSet<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Room.TOP)) {
            for (Path file : files.filter(QemuVersionTest::isRead).toList()) {
                TreeSet<String> versions = versions(Room.text(file));
                if (!versions.isEmpty()) {
                    found.put(Room.TOP.relativize(file).toString(), versions);
                }
            }
        }
        assertThat(found.keySet()).as("who names the version").containsAll(SAYS);
        assertThat(found.values().stream().distinct()).as("versions of QEMU that are named, by file: %s", found)
                .singleElement().satisfies(version -> assertThat(version).hasSize(1));
    }

    private static boolean isRead(Path file) {
        String path = file.toString();
        return !path.contains("/target/") && !path.contains("/docs/decisions/") && !path.contains("/src/test/")
                && (path.endsWith(".md") || path.endsWith(".java"));
    }

    @Test
    void anotherVersionIsFound() {
        assertThat(versions("A machine of QEMU 10.1 or later, or QEMU of your\nown (11.1 or later); QEMU ≥ 12.0; seen "
                + "with QEMU 11.1.3, and QEMU (`vfio-user-pci`, from 9.2 on) speaks"))
                .containsExactly("10.1", "11.1", "12.0", "9.2");
    }
}

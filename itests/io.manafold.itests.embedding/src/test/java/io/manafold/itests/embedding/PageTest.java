package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages that show code of examples say what is so. */
class PageTest {
    private static final Pattern CODE =
            Pattern.compile("<!-- from (\\S+) -->\\n```\\w+\\n(.*?)```", Pattern.DOTALL);

    private final String page = Files.readString(Features.ROOT.resolve("docs/embedding.md"));

    PageTest() throws IOException {
    }

    @Test
    void itsCodeIsTheCodeOfTheExample() throws IOException {
        assertThat(shown("docs/embedding.md")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void thePageOfPollModeShowsTheForwarder() throws IOException {
        assertThat(shown("docs/pmd.md")).isEqualTo(1);
    }

    /** How many blocks of code a page has, each of which is that of a file. */
    private static int shown(String name) throws IOException {
        String text = Files.readString(Features.ROOT.resolve(name));
        Matcher code = CODE.matcher(text);
        int blocks = 0;
        while (code.find()) {
            Path file = Features.ROOT.resolve(code.group(1));
            assertThat(Files.readString(file)).as("%s, shown in %s", code.group(1), name).contains(code.group(2));
            blocks++;
        }
        assertThat(text.split("```java", -1)).as("code that is not held against a file").hasSize(blocks + 1);
        return blocks;
    }

    @Test
    void itNamesEveryFeatureAndEveryBundleOfCore() throws IOException {
        for (String feature : Features.names()) {
            assertThat(page).contains("features/" + feature + ".json");
        }
        for (String id : Features.bundles(Features.read("core"))) {
            assertThat(page).contains("`" + id.split(":")[1] + "`");
        }
    }

    @Test
    void itNamesTheFrameworksThatTheTestsRunOn() throws IOException {
        Jars jars = new Jars();
        assertThat(page).contains("Felix " + version(jars.only("org.apache.felix", "org.apache.felix.framework")))
                .contains("Equinox " + version(jars.only("org.eclipse.platform", "org.eclipse.osgi")));
    }

    private static String version(Path jar) {
        return jar.getFileName().toString().replaceAll(".*-([\\d.]+)\\.jar", "$1");
    }
}

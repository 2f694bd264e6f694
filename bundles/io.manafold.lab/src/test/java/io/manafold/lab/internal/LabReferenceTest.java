package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LabReferenceTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "../../docs/labs.md").normalize();

    @Test
    void thePageSaysWhatTheTableSays() throws IOException {
        if (Boolean.getBoolean("manafold.docs.write")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, LabReference.markdown());
        }
        String page = Files.exists(PAGE) ? Files.readString(PAGE) : "";
        assertThat(page).as("docs/labs.md differs from the table of lab files; write it again with: mvn -q package "
                + "-pl bundles/io.manafold.lab -Dmanafold.docs.write=true").isEqualTo(LabReference.markdown());
    }

    @ParameterizedTest
    @EnumSource
    void theExampleOfAListIsALabWithThatList(Section section) {
        Lab lab = LabReader.read(new LabSource("example", LabSource.BUILT_IN, LabReference.example(section)));
        assertThat(lab.entries()).extracting(Entry::section).contains(section);
    }

    @ParameterizedTest
    @EnumSource
    void theExampleOfAKeyIsAllowed(Section section) throws ValueType.Unfit {
        for (Key key : section.keys()) {
            String example = key.many() ? key.example().replaceAll("[\\[\\]]", "") : key.example();
            String[] values = key.many() ? example.split(", ") : new String[] {example};
            for (String value : values) {
                assertThat(key.type().read(value)).as(section.title() + " " + key.name()).isNotNull();
            }
            assertThat(key.meaning()).endsWith(".");
            assertThat(key.presetValue() == null).isEqualTo(key.preset() == null);
        }
    }
}

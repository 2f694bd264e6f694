package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.refusal.Refusal;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class ReportReaderTest {
    private static final int MUTATIONS = 10_000;

    @TempDir
    private Path folder;

    private static QualificationReport read(String text) {
        return ReportReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        QualificationReport report = Reports.usual();
        Path file = Files.writeString(folder.resolve("a.json"), ReportValues.json(report));
        assertThat(ReportReader.read(file)).isEqualTo(report);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\"manafold_qualification\": 1 | \"manafold_qualification\": 2 | manafold_qualification: this platform reads",
        "\"finished\": true | \"finished\": 1 | finished: true or false",
        "\"cpu\": \"any\" | \"cpu\": \"\\u001b[2J\" | machine.cpu: a text of at most 300 characters, none of which",
        "\"cpu\": \"any\" | \"cpu\": \"\\u202e\" | machine.cpu: a text",
        "\"cpu\": \"any\" | \"cp\\nu\": \"any\" | machine: a name has small letters",
        "\"cpu\": \"any\" | \"cpu\": null | no place for null",
        "\"cpu\": \"any\" | \"cpu\": \"any\", \"cpu\": \"other\" | a key is there twice",
        "\"frame\": 64 | \"frame\": 64.5 | measures[0].frame: a frame has whole bytes",
        "\"frame\": 64 | \"frame\": -1 | measures[0].frame: a number from 0 to 65535",
        "\"frame\": 64 | \"frame\": 1e999999999 | a number is too long or too large",
        "\"unit\": \"packets/s\" | \"unit\": \"furlongs\" | measures[0].unit: a unit is packets/s",
        "\"engine\": \"driver\" | \"engine\": \"steam\" | measures[0].engine: an engine is driver, pmd or guest",
        "\"burst\": 0 | \"burst\": 513 | measures[0].burst: a number from 0 to 512",
        "\"queues\": 0 | \"queues\": 0.5 | measures[0].queues: queues are whole",
        "\"name\": \"rate\" | \"name\": \"<b>\" | measures[0].name: a name has",
        "\"name\": \"rate\" | \"title\": \"rate\" | measures[0]: 'name' is missing",
        "\"name\": \"rate\" | \"more\": 1, \"name\": \"rate\" | measures[0]: there is a field that is none of",
        "\"reason\": | \"why\": | left_out[0]: 'reason' is missing",
        "2026-01-31T12:00:00Z | yesterday | made: a time is written as",
        "\"machine\": { | \"machine\": [ | is not JSON",
    })
    void whatIsWrongIsRefusedWithPlaceAndRule(String what, String by, String said) {
        String text = ReportValues.json(Reports.usual());
        assertThat(text).contains(what);
        assertThatThrownBy(() -> read(text.replaceFirst(java.util.regex.Pattern.quote(what),
                java.util.regex.Matcher.quoteReplacement(by)))).isInstanceOf(Refusal.class).hasMessageContaining(said);
    }

    /** Reports from before there was more than one engine. */
    @Test
    void whatOlderReportsLackIsWhatTheyWereMadeWith() {
        String old = ReportValues.json(Reports.usual()).replaceAll("(?m)^ *\"(engine|burst|queues)\": .*\n", "");
        assertThat(old).doesNotContain("engine");
        assertThat(read(old)).isEqualTo(Reports.usual());
    }

    @Test
    void aMeasureIsThereOnce() {
        assertThatThrownBy(() -> read(ReportValues.json(Reports.of(Reports.usual().measures().getFirst(),
                Reports.usual().measures().getFirst())))).hasMessage("measures: a measure is there twice");
    }

    @Test
    void sizeDepthAndNumbersAreBounded() throws Exception {
        Path huge = folder.resolve("huge.json");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertThatThrownBy(() -> ReportReader.read(huge)).hasMessageContaining("more than 4 MiB");
        assertThatThrownBy(() -> read("[".repeat(1_000_000))).hasMessageContaining("more than 8 deep");
        assertThatThrownBy(() -> read("{\"a\":".repeat(500_000))).hasMessageContaining("more than 8 deep");
        assertThatThrownBy(() -> read("[" + "9".repeat(3_000_000) + "]")).hasMessageContaining("too long");
        assertThatThrownBy(() -> read("[\"" + "x".repeat(3_000_000) + "\"]")).hasMessageContaining("more than 4096");
        assertThatThrownBy(() -> read("")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> ReportReader.read(new byte[] {(byte) 0xc3, 0x28})).hasMessage("it is not UTF-8");
        assertThatThrownBy(() -> ReportReader.read(folder)).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> ReportReader.read(folder.resolve("none"))).isInstanceOf(Refusal.class);
    }

    /** Whatever is read: a report that can be shown, or a sentence. */
    @Test
    void whateverBecomesOfBytesThereIsAReportOrASentence() {
        byte[] good = ReportValues.json(Reports.usual()).getBytes(StandardCharsets.UTF_8);
        Random random = new Random(21);
        int readable = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = mutated(good, random);
            try {
                QualificationReport report = ReportReader.read(bytes);
                assertThat(ReportPage.of(report)).doesNotContain("<script", "\u001b");
                Comparing.rows(Reports.usual(), report);
                assertThat(ReportReader.read(ReportValues.json(report).getBytes(StandardCharsets.UTF_8)))
                        .isEqualTo(report);
                readable++;
            } catch (Refusal refused) {
                assertThat(refused.getMessage()).isNotBlank().hasSizeLessThan(500)
                        .matches("[^\\p{Cc}\\p{Cf}]*");
            }
        }
        assertThat(readable).isBetween(1, MUTATIONS - 1);
    }

    private static byte[] mutated(byte[] good, Random random) {
        byte[] bytes = good.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = java.util.Arrays.copyOf(bytes, at + 1);
                default -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(40), bytes.length - Math.max(at, from));
                    System.arraycopy(good, Math.min(from, good.length - length), bytes, at, length);
                }
            }
        }
        return bytes;
    }
}

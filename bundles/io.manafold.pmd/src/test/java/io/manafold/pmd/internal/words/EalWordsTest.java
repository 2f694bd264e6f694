package io.manafold.pmd.internal.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EalWordsTest {
    private static final PciAddress FUNCTION = PciAddress.parse("7870:00:00.0");
    private static final String HOSTILE = "\u0085\u202e\u2028\u061c\ud800\u009b[1A";
    private static final Pattern NOT_PLAIN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");
    private static final int LINES = Integer.getInteger("manafold.pmd.lines", 100_000);

    private static EalOptions parse(String line) {
        return EalWords.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")), 2);
    }

    private static void assertRefused(String line, String part) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(Refusal.class).hasMessageContaining(part)
                .satisfies(refused -> assertThat(((Refusal) refused).errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void theDeviceOfAnAddressWithPortsIsAllowedAlone() {
        EalOptions options = parse("-l 1-3 --vdev=7870:00:00.0,mac=00:0d:3a:00:00:01,mac=00:0d:3a:00:00:02 -- -i -a");
        assertThat(options.consumed()).isEqualTo(4);
        assertThat(options.cores().keySet()).containsExactly(1, 2, 3);
        assertThat(options.mainCore()).isEqualTo(1);
        assertThat(options.argument(FUNCTION).macs()).containsExactly(MacAddress.parse("00:0d:3a:00:00:01"),
                MacAddress.parse("00:0d:3a:00:00:02"));
        assertThat(options.argument(PciAddress.parse("7870:00:01.0"))).isNull();
        assertThat(options.notes()).hasSize(1).first().asString().contains("2 processors");
        assertThat(parse("-a 7870:00:00.0,mac=00:0d:3a:00:00:01").argument(FUNCTION).macs()).hasSize(1);
    }

    @Test
    void allIsProbedUnlessItIsSaid() {
        assertThat(parse("").argument(FUNCTION).macs()).isEmpty();
        assertThat(parse("-b 7870:00:00.0").argument(FUNCTION)).isNull();
        assertThat(parse("--no-pci").argument(FUNCTION)).isNull();
        assertThat(parse("-A -a 7870:00:00.0").argument(FUNCTION)).isNotNull();
    }

    /** Whatever is named, and wherever the word stands. */
    @ParameterizedTest
    @CsvSource({"--no-pci -a 7870:00:00.0, 1", "--vdev=7870:00:00.0 --no-pci, 1", "--no-pci --auto-probing, 0"})
    void noFunctionIsProbedWithoutTheirBus(String line, int notes) {
        EalOptions options = parse(line);
        assertThat(options.argument(FUNCTION)).isNull();
        assertThat(options.allowed()).isEmpty();
        assertThat(options.notes()).hasSize(notes);
    }

    @Test
    void syntheticDevicesHaveABusOfTheirOwn() {
        String one = "000d3ad0-0001-000d-3ad0-0001000d3ad0";
        String other = "000d3ad0-0002-000d-3ad0-0002000d3ad0";
        assertThat(parse("-a 7870:00:00.0").synthetic().argument(one)).isNotNull();
        assertThat(parse("--no-pci").synthetic().argument(one)).isNotNull();
        assertThat(parse("-A").synthetic().argument(one)).isNull();
        assertThat(parse("-b vmbus:" + one).synthetic().argument(one)).isNull();
        assertThat(parse("-b " + one).argument(FUNCTION)).isNotNull();
        EalOptions named = parse("-a " + one.toUpperCase(java.util.Locale.ROOT) + ",latency=50,rx_copybreak=256");
        assertThat(named.synthetic().argument(one).arguments()).isEqualTo("latency=50,rx_copybreak=256");
        assertThat(named.synthetic().argument(other)).isNull();
        assertThat(named.synthetic().isNamed(one)).isTrue();
        assertThat(named.argument(FUNCTION)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "1,4-6|1,4,5,6", "(0-3)@5|0,1,2,3", "0@1,2|0,2", "3|3", "1-2@(0,1)|1,2"})
    void listsOfCoresAreRead(String list, String cores) {
        assertThat(parse("-l " + list).cores().keySet().stream().map(String::valueOf).toList())
                .containsExactly(cores.split(","));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-l 1-|list of cores", "-l 3-1|list of cores", "-l 128|0 to 127", "-l (1,2|list of cores",
                "-l 1,,2|list of cores",
        "-l|missing", "-l --|missing", "-c 0x|mask", "-c 0|no core", "-w 7870:00:00.0|use -a 7870:00:00.0",
        "--nothing|no word", "eth0|no word", "--no-huge=1|takes no value",
        "--huge-unlink=often|takes existing, always or never",
        "-a 7870:00:00.0 -b 7870:00:01.0|either allowed or blocked", "-a eth0|function on the PCI bus",
        "--vdev net_vdev_netvsc0,iface=eth1|Use net_netvsc",
        "--vdev=net_failsafe0|Use net_netvsc", "--vdev net_tap0|function on the PCI bus", "-a vmbus:eth1|UUID",
        "-a 000d3ad0-0001-000d-3ad0-0001000d3ad0,mac=1|does not know",
        "-a 000d3ad0-0001-000d-3ad0-0001000d3ad0,latency=x|followed by a number",
        "-a 000d3ad0-0001-000d-3ad0-0001000d3ad0 -b vmbus:000d3ad0-0001-000d-3ad0-0001000d3ad1|either allowed",
        "-a 7870:00:00.0,mac=1|not a MAC address",
        "-a 7870:00:00.0,speed=1|does not know", "-a 7870:00:00.0,mac=00:0d:3a:00:00:01,mac=00:0d:3a:00:00:01|twice",
        "--proc-type=secondary --in-memory|does not go with", "--proc-type=none|takes primary",
        "-l 0-1 --main-lcore 2|not one of the cores", "--file-prefix ../x|letters", "--file-prefix ..|two points alone",
        "-m x|number", "-n 0|number",
        "--iova-mode=xx|va or pa", "--log-level=pmd:loud|level", "-l 4 --strict-cores|2 processors"})
    void whatCannotBeIsRefused(String line, String part) {
        assertRefused(line, part);
    }

    @Test
    void levelsOfWhatIsLoggedAreOfTheLastPatternThatMatches() {
        LogLevels levels = parse("--log-level=pmd.net.*:debug --log-level pmd.net.mana.init,4 --log-level=lib?eal:2")
                .levels();
        assertThat(levels.isLogged("pmd.net.mana.driver", LogLevels.DEBUG)).isTrue();
        assertThat(levels.isLogged("pmd.net.mana.init", LogLevels.WARNING)).isFalse();
        assertThat(levels.isLogged("pmd.net.mana.init", LogLevels.ERROR)).isTrue();
        assertThat(levels.isLogged("lib.eal", LogLevels.ERROR)).isFalse();
        assertThat(levels.isLogged("user", LogLevels.NOTICE)).isTrue();
        assertThat(levels.isLogged("user", LogLevels.INFO)).isFalse();
        assertThat(parse("--log-level=8").levels().isLogged("anything", LogLevels.DEBUG)).isTrue();
        String stars = "*a".repeat(1000);
        assertThat(parse("--log-level=" + stars + ":debug").levels().isLogged("a".repeat(900), LogLevels.DEBUG))
                .isFalse();
    }

    /** What a word cannot do here is said, and the help has all words. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"-l (0-1)@1|", "-l 0-1|",
            "--lcores=0@1,1@99|the cores [0, 1] are threads that share them",
            "--syslog|--syslog is without effect", "--syslog=local0|--syslog is without effect",
            "--huge-unlink|without effect", "--huge-unlink=never|without effect",
            "--telemetry --in-memory|--telemetry is without effect beside",
            "--in-memory --no-telemetry|", "-v|RTE Version: 'Manafold", "--version|RTE Version: 'Manafold"})
    void whatHasNoEffectIsSaid(String line, String note) {
        List<String> notes = parse(line).notes();
        if (note == null) {
            assertThat(notes).isEmpty();
        } else {
            assertThat(notes).hasSize(1).first().asString().contains(note);
        }
    }

    @Test
    void coresAreBoundToProcessorsThatAreNamed() {
        assertThat(parse("--lcores=0,1@0").processors(1)).containsExactly(0);
        assertThat(parse("-l 0-1").processors(1)).isEmpty();
        assertThat(parse("--lcores=0,1@99").processors(1)).isEmpty();
    }

    @Test
    void theHelpHasAllWords() {
        assertRefused("-h", "testpmd does");
        for (EalWord word : EalWord.values()) {
            assertThat(EalHelp.text()).contains(word.texts());
        }
    }

    /** Later than by words: types in which an expression is found have the level, others keep theirs. */
    @Test
    void levelsAreSetLater() {
        List<String> types = List.of("pmd.net.mana.init", "pmd.net.mana.driver", "pmd.net.netvsc.driver");
        LogLevels levels = parse("--log-level=pmd.net.mana.*:error").levels().with(types, "mana\\.d", LogLevels.DEBUG);
        assertThat(levels.isLogged("pmd.net.mana.driver", LogLevels.DEBUG)).isTrue();
        assertThat(levels.isLogged("pmd.net.mana.init", LogLevels.WARNING)).isFalse();
        assertThat(levels.isLogged("pmd.net.netvsc.driver", LogLevels.NOTICE)).isTrue();
        LogLevels quiet = levels.with(types, "global", LogLevels.WARNING);
        assertThat(quiet.isLogged("pmd.net.mana.driver", LogLevels.NOTICE)).isFalse();
        assertThat(quiet.isLogged("pmd.net.mana.driver", LogLevels.WARNING)).isTrue();
        assertThat(quiet.with(types, "global", LogLevels.DEBUG)).isEqualTo(levels);
        LogLevels often = levels;
        for (int i = 0; i < 1000; i++) {
            often = often.with(types, ".*", 1 + i % 8);
        }
        assertThat(often.entries()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"mana, true, true", "pmd.net, true, true", "^mana, false, false", "^pmd.*init$, true, false",
        "driver$, false, true", "^p.*d*.*m*d.*r$, false, true", "mana\\.i, true, false", "mana\\*, false, false",
        ".*, true, true", "x*, true, true", "^$, false, false", "^n*pmd, true, true", "nn*a, true, true",
        "pmd.net.mana.init...*, false, false", "a.*a.*i, true, true", "^.*i.*i.*i, false, false",
        "^pmd.net.mana.init$, true, false"})
    void expressionsAreFoundInTypes(String expression, boolean init, boolean driver) {
        TypeExpression asked = new TypeExpression(expression);
        assertThat(asked.isIn("pmd.net.mana.init")).isEqualTo(init);
        assertThat(asked.isIn("pmd.net.mana.driver")).isEqualTo(driver);
    }

    /** What would take regular expressions for ever among them. */
    @Timeout(60)
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            user1           | 8 | no type of messages has 'user1' in it; types are pmd.net.mana.init
            pmd             | 9 | levels are from 1 to 8
            pmd             | 0 | levels are from 1 to 8
            pmd[            | 8 | has '[' as character 4, and here an expression for types of messages is of
            ((.+)+)+Q       | 8 | has '(' as character 1
            (?:){2147483647} | 8 | has '(' as character 1
            (?:(?:){2147483647}){2147483647} | 8 | has '(' as character 1
            *               | 8 | has '*' as character 1
            a**             | 8 | has '*' as character 3
            a^              | 8 | has '^' as character 2
            \\d             | 8 | has '\\' as character 1
            x\\             | 8 | has '\\' as character 2
            .*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*Q | 8 | no type of messages has
            aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | 8 | is longer than 60 characters
            """)
    void whatIsNoLevelOfATypeIsRefused(String types, int level, String sentence) {
        assertThatThrownBy(() -> new LogLevels(List.of()).with(List.of("pmd.net.mana.init"), types, level))
                .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("Unable to set log level: ").hasMessageContaining(sentence);
    }

    /** A terminal is not told to do anything by a word that is repeated: # stands for what it would listen to. */
    @ParameterizedTest
    @ValueSource(strings = {"#", "-l 1#", "-c #", "-l 0 --main-lcore #", "-a #", "-a 7870:00:00.0,#",
        "-a 7870:00:00.0,mac=#", "-a vmbus:#", "-a 000d3ad0-0001-000d-3ad0-0001000d3ad0,#=1", "-w #", "-b #",
        "--no-huge=#", "--vdev net_failsafe#", "--file-prefix #", "--proc-type=#", "--log-level=#", "-n #",
        "--iova-mode=#", "--huge-unlink=#"})
    void whatIsRepeatedDoesNothingToATerminal(String line) {
        assertThatThrownBy(() -> parse(line.replace("#", HOSTILE))).isInstanceOf(Refusal.class)
                .message().doesNotContainPattern(NOT_PLAIN).contains("?[1A");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#", "a#[", "#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void nothingOfATypeIsDoneToATerminal(String types) {
        assertThatThrownBy(() -> new LogLevels(List.of()).with(List.of("user1"), types.replace("#", HOSTILE), 8))
                .isInstanceOf(Refusal.class).message().doesNotContainPattern(NOT_PLAIN);
        assertThatThrownBy(() -> new LogLevels(List.of()).with(List.of("user1"), "\u2028\u202e", 8))
                .hasMessageContaining("no type of messages has '??' in it");
    }

    @Test
    void wordsOfOurOwnAreHeard() {
        EalOptions options = parse("--check --run-to-completion --telemetry --dry-run -l 0-5");
        assertThat(List.of(options.check(), options.runToCompletion(), options.telemetry(), options.dryRun()))
                .doesNotContain(false);
        assertThat(options.notes()).hasSize(3);
        EalOptions none = parse("--telemetry --no-telemetry");
        assertThat(List.of(none.check(), none.runToCompletion(), none.telemetry(), none.dryRun())).doesNotContain(true);
        assertThat(parse("-l 0-1 --strict-cores").cores()).hasSize(2);
    }

    @Test
    void nineAddressesAreTooMany() {
        StringBuilder eight = new StringBuilder("-a 7870:00:00.0");
        for (int i = 1; i <= 8; i++) {
            eight.append(",mac=00:0d:3a:00:00:0").append(i);
        }
        assertThat(parse(eight.toString()).argument(FUNCTION).macs()).hasSize(8);
        assertRefused(eight + ",mac=00:0d:3a:00:00:09", "at most 8");
    }

    @Test
    void noLineDoesAnythingButParseOrBeRefused() {
        String[] parts = {"-l", "--lcores=", "-a", "-b", "-w", "--vdev=", "7870:00:00.0", ",mac=", "00:0d:3a:00:00:01",
                "1-3", "(", ")", "@",
            ",", "-", "--", "0x7", "99999999999", "--main-lcore", "--file-prefix", "--log-level", "=", ":", "-c", "-n",
            "é", "\0", ""};
        Random random = new Random(11);
        int parsed = 0;
        for (int i = 0; i < LINES; i++) {
            List<String> words = new ArrayList<>();
            for (int k = random.nextInt(6); k >= 0; k--) {
                StringBuilder word = new StringBuilder();
                for (int p = random.nextInt(4); p >= 0; p--) {
                    word.append(parts[random.nextInt(parts.length)]);
                }
                words.add(word.toString());
            }
            try {
                EalOptions options = EalWords.parse(words, 2);
                assertThat(options.consumed()).isLessThanOrEqualTo(words.size());
                assertThat(options.cores()).containsKey(options.mainCore());
                parsed++;
            } catch (Refusal refused) {
                assertThat(refused.errno()).as("%s: %s", words, refused.getMessage()).isEqualTo(Errno.EINVAL);
            }
        }
        assertThat(parsed).as("lines that were good").isBetween(1, LINES - 1);
    }
}

package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.adapter.ScriptedFault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultScriptTest {
    private static final String VPORT = "query-vport-config";
    private static final String DEVICE = "query-device-config";

    private long now = Long.MAX_VALUE - 10;
    private final Faults faults = new Faults(AdapterEvents.NONE, () -> now);

    private void play(String... lines) {
        faults.play(new FaultScriptReader("one", "day", List.of("one/1", "one/2")), List.of(lines));
    }

    /** Whose turn it is with so many answers, {@code -} for none. */
    private String turns(String message, int answers) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < answers; i++) {
            Fault fault = faults.take(message);
            names.add(fault == null ? "-" : fault.name());
        }
        return String.join(" ", names);
    }

    @Test
    void stepsBeginOneAfterTheOther() {
        play("# a day", "", "one --message query-vport-config --effect twice --once after 2 answers --name first",
                "--effect short --once after 1 answer", "--effect late --delay 1ms after 2s every 2 --name last");
        assertThat(faults.scripted()).extracting(ScriptedFault::when)
                .containsExactly("after 2 answers", "after 1 answers", "after 2s every 2");
        assertThat(turns(DEVICE, 2)).isEqualTo("- -");
        assertThat(turns(VPORT, 3)).isEqualTo("- - first");
        assertThat(turns(DEVICE, 2)).isEqualTo("day-4 -");
        assertThat(faults.restNanos()).isEqualTo(2_000_000_000);
        now += 1_999_999_999;
        assertThat(turns(DEVICE, 2)).isEqualTo("- -");
        now++;
        assertThat(turns(DEVICE, 5)).isEqualTo("- last - last -");
        assertThat(faults.all()).extracting(Fault::name).containsExactly("last");
        assertThat(faults.traces()).extracting(FaultTrace::fault).extracting(Fault::name)
                .containsExactly("first", "day-4", "last", "last");
        assertThat(faults.remove("day")).isTrue();
        assertThat(faults.all()).isEmpty();
        assertThat(faults.restNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void timesAreCountedFromWhereTheStepBeforeBegan() {
        play("--effect twice --once after 2s --name a", "--effect short --once after 3s --name b");
        now += 4_999_999_999L;
        assertThat(turns(DEVICE, 2)).isEqualTo("a -");
        now++;
        assertThat(turns(DEVICE, 2)).isEqualTo("b -");
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void twoThatAreDueHaveAnAnswerEach() {
        faults.add(new Fault("injected", null, Fault.Effect.TWICE, 0, 0, true));
        play("--effect twice --once --name a", "--effect short --once --name b");
        assertThat(turns(DEVICE, 4)).isEqualTo("injected a b -");
    }

    @Test
    void theSameSeedDrawsTheSame() {
        List<String> drawn = new ArrayList<>();
        for (int seed : new int[] {7, 7, 8}) {
            play("seed " + seed, "--effect twice every 5 --name a", "--effect short every 7 --name b");
            drawn.add(turns(VPORT, 350));
            String[] names = drawn.getLast().split(" ");
            assertThat(Collections.frequency(List.of(names), "a")).isBetween(68, 70);
            assertThat(Collections.frequency(List.of(names), "b")).isBetween(48, 50);
        }
        assertThat(drawn.get(1)).isEqualTo(drawn.get(0)).isNotEqualTo(drawn.get(2));
    }

    @Test
    void completionsOfPortsHaveTheirTurnWithoutAnAnswer() {
        play("--effect withhold-completion --port one/2 after 5s");
        assertThat(faults.ofPorts()).isEmpty();
        now += 5_000_000_000L;
        assertThat(faults.ofPorts()).containsExactly(
                new Fault("day-1", "one/2", Fault.Effect.WITHHOLD_COMPLETION, 0, 0, true));
        assertThat(faults.ofPorts()).isEmpty();
        assertThat(faults.scripted()).isEmpty();
    }

    @Test
    void aScriptTakesThePlaceOfOneOfItsName() {
        play("--effect twice --name a", "--effect short --name b");
        assertThat(faults.remove("a")).isTrue();
        assertThat(faults.all()).extracting(Fault::name).containsExactly("b");
        play("--effect twice --name b");
        assertThat(faults.all()).extracting(Fault::effect).containsExactly(Fault.Effect.TWICE);
        assertThatThrownBy(() -> faults.play(new FaultScriptReader("one", "night", List.of()),
                List.of("--effect twice --name b"))).isInstanceOfSatisfying(Refusal.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EEXIST));
        assertThat(faults.all()).hasSize(1);
    }

    @Test
    void aScriptAndAFaultOfItsNameAreTakenBackTogether() {
        faults.add(new Fault("day", null, Fault.Effect.SHORT, 0, 0, false));
        play("--effect twice --name a");
        assertThat(faults.remove("day")).isTrue();
        assertThat(faults.all()).isEmpty();
        assertThat(faults.remove("day")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --effect twice after                       | after is the last word; after takes a value
            --effect twice after 3                     | after 3 lacks what is counted
            --effect twice after 0 answers             | after takes a whole number from 1 to 1000000
            --effect twice after 2h                    | after takes a whole number
            --effect twice after 3601s                 | after takes a time from 1us to 3600s
            --effect twice every 1                     | every takes a whole number from 2 to 1000000
            --effect twice every 99999999999999999999  | every takes a whole number
            --effect twice --effect short              | --effect is there twice
            --effect odd                               | effects are status, late, twice, short, oversized, reordered
            --effect late                              | --delay is missing with the effect late
            --effect twice --status 0x1                | --status is there with the effect twice
            --effect twice --message no-such-message   | there is no message 'no-such-message'
            --effect withhold-completion --port one/3  | the adapter's ports are one/1, one/2
            --effect withhold-completion --port one/1 every 3 | for once, and about no message
            two --effect twice                         | it begins with 'two'
            --effekt twice                             | '--effekt' is not a word of a script
            --effect twice --name first                | a fault of the script is called 'first' already
            seed 7                                     | the seed comes too late
            """)
    void aWrongLineIsNamedWithItsRule(String line, String words) {
        assertThatThrownBy(() -> play("", "--effect short --name first", line))
                .isInstanceOfSatisfying(Refusal.class, refused -> {
                    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
                    assertThat(refused.getMessage()).startsWith("Line 3 of the script day: ").contains(words)
                            .endsWith(".");
                });
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void whatIsTooMuchIsRefused() {
        assertThatThrownBy(() -> play("x".repeat(257))).hasMessageContaining("a line has at most 256");
        assertThatThrownBy(() -> play("--effect twice \u202e")).hasMessageContaining("a script is plain text");
        assertThatThrownBy(() -> play(Collections.nCopies(257, "--effect twice").toArray(String[]::new)))
                .hasMessageStartingWith("Line 257 ").hasMessageContaining("an adapter has at most 256");
        assertThatThrownBy(() -> play(Collections.nCopies(1001, "").toArray(String[]::new)))
                .hasMessageContaining("has 1001 lines; it may have 1000");
        assertThatThrownBy(() -> play("seed x")).hasMessageContaining("a seed has 1 to 18 digits");
        assertThatThrownBy(() -> play("# nothing")).hasMessageContaining("has no fault for adapter 'one'");
    }
}

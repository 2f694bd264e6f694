package io.manafold.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParsedTest {
    private final Syntax syntax = Syntax.command("do", "test", "Does").shows()
            .flag("-k", "k").flag("-v, --verbose", "v").flag("-nn", "nn").flag("-n", "n")
            .option("-d IDS", "d", Completer.NONE).option("-l, --last N", "l", Completer.NONE)
            .argument("ONE", "the first", Completer.NONE).optional("TWO", "the second", Completer.NONE)
            .repeated("REST", "all others", Completer.NONE).example("do 1", "it").build();

    private Parsed read(String... words) {
        return Parsed.read(syntax, List.of(words));
    }

    @Test
    void optionsStandAnywhereInEverySpelling() {
        assertThat(read("-kv", "1", "--last=5", "-d1414:", "-nn").options())
                .containsOnlyKeys("-k", "-v", "-l", "-d", "-nn")
                .containsEntry("-l", List.of("5")).containsEntry("-d", List.of("1414:"));
        assertThat(read("1", "-kd", "x").options()).containsEntry("-d", List.of("x")).containsKey("-k");
        assertThat(read("1", "-vvv").options().get("-v")).hasSize(3);
        assertThat(read("1", "-nnk").options().get("-n")).hasSize(2);
        assertThat(read("--last", "1", "1", "--last", "-3").options()).containsEntry("-l", List.of("1", "-3"));
    }

    @Test
    void argumentsAreKnownByTheirPlace() {
        assertThat(read("a").arguments()).containsEntry("ONE", List.of("a")).containsEntry("REST", List.of());
        assertThat(read("a", "b", "c", "-5", "--", "-k", "--").arguments()).containsEntry("TWO", List.of("b"))
                .containsEntry("REST", List.of("c", "-5", "-k", "--"));
        assertThat(read("-").arguments()).containsEntry("ONE", List.of("-"));
    }

    @Test
    void jsonStandsAnywhere() {
        assertThat(read("a", "--json").json()).isTrue();
        assertThat(read("a", "--", "--json").json()).isTrue();
        assertThat(read("a", "--json").words()).containsExactly("a");
    }

    @Test
    void jsonMayHaveOtherSpellings() {
        Syntax other = Syntax.command("do", "test", "Does").shows("-j").flag("-k", "k").example("do", "it").build();
        assertThat(Parsed.read(other, List.of("-k", "-j")).json()).isTrue();
        assertThat(Parsed.read(other, List.of("-k", "-j")).words()).containsExactly("-k");
        assertThat(Parsed.read(other, List.of("-k")).json()).isFalse();
    }

    @Test
    void aVerbMayBeTheUsualOne() {
        Syntax some = Syntax.command("do", "test", "Does").usually("list")
                .verb(Syntax.verb("list", "Lists").shows().flag("-k", "k").example("do", "it"))
                .verb(Syntax.verb("make", "Makes").example("do make", "it")).build();
        assertThat(Parsed.read(some, List.of()).verb()).isEqualTo("list");
        assertThat(Parsed.read(some, List.of("-k", "--json")).options()).containsKey("-k");
        assertThat(Parsed.read(some, List.of("make")).verb()).isEqualTo("make");
        assertThatThrownBy(() -> Parsed.read(some, List.of("maek"))).hasMessageContaining("did you mean 'make'?");
    }

    @Test
    void aValueInBracketsMayBeLeftOut() {
        Syntax some = Syntax.command("do", "test", "Does").option("--twice [SHARE]", "twice", Completer.NONE)
                .flag("-k", "k").argument("ONE", "the first", Completer.NONE).example("do a", "it").build();
        assertThat(Parsed.read(some, List.of("a", "--twice")).options()).containsEntry("--twice", List.of(""));
        assertThat(Parsed.read(some, List.of("a", "--twice", "-k")).options()).containsEntry("--twice", List.of(""))
                .containsKey("-k");
        assertThat(Parsed.read(some, List.of("a", "--twice", "5%")).options()).containsEntry("--twice", List.of("5%"));
        assertThat(Parsed.read(some, List.of("--twice=5%", "a")).options()).containsEntry("--twice", List.of("5%"));
        assertThatThrownBy(() -> Parsed.read(some, List.of("--twice", "a"))).hasMessageContaining("needs ONE");
    }

    @Test
    void everythingElseIsASentence() {
        assertUsage("do needs ONE: the first.");
        assertUsage("There is no option of do '--vebose'; did you mean '--verbose'?", "1", "--vebose");
        assertUsage("There is no option of do '-kx'.", "1", "-kx");
        assertUsage("--last needs a value: --last N.", "1", "--last");
        assertUsage("--verbose takes no value.", "1", "--verbose=2");
    }

    private void assertUsage(String sentence, String... words) {
        assertThatThrownBy(() -> read(words)).isInstanceOf(UsageError.class)
                .hasMessageStartingWith(sentence.replace(".", ""));
    }

    @Test
    void aSyntaxThatCannotBeIsRefused() {
        assertThatThrownBy(() -> Syntax.command("a b", "f", "s")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Syntax.command("a", "f", "s").build()).hasMessageContaining("example");
        assertThatThrownBy(() -> Syntax.command("a", "f", " ").example("a", "").build())
                .hasMessageContaining("summary");
        assertThatThrownBy(() -> Syntax.command("a", "f", "s").flag("x", "")).hasMessageContaining("dash");
        assertThatThrownBy(() -> Syntax.command("a", "f", "s").optional("A", "", Completer.NONE)
                .argument("B", "", Completer.NONE)).hasMessageContaining("cannot follow");
    }
}

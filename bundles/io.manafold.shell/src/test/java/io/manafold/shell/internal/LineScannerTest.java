package io.manafold.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LineScannerTest {
    private static final Set<String> OURS = Set.of("a", "b", "testpmd");

    private static List<Statement> read(String line) {
        LineScanner scanner = new LineScanner(line, OURS::contains);
        List<Statement> statements = new ArrayList<>();
        for (Statement next = scanner.next(); next != null; next = scanner.next()) {
            statements.add(next);
        }
        return statements;
    }

    private static List<String> words(String line) {
        List<Statement> statements = read(line);
        assertThat(statements).hasSize(1);
        assertThat(statements.getFirst().stages()).hasSize(1);
        return ((Stage.Ours) statements.getFirst().stages().getFirst()).words();
    }

    @Test
    void ourWordsAreRaw() {
        assertThat(words("testpmd --vdev=\"7870:00:00.0,mac=00:0d:3a:00:00:01\" -- --rxd=128 $x ~ %s {a [b] <c >d = "
                + "& a&b"))
                .containsExactly("--vdev=7870:00:00.0,mac=00:0d:3a:00:00:01", "--", "--rxd=128", "$x", "~", "%s", "{a",
                "[b]",
                        "<c", ">d", "=", "&", "a&b");
        assertThat(words("manafold:a x")).containsExactly("x");
        assertThat(words("a")).isEmpty();
        assertThat(words("a ''")).containsExactly("");
    }

    @Test
    void quotesAndBackslashesGroup() {
        assertThat(words("a 'b  c'd \"e 'f' \\\"g\\\\\" h\\ i \\; \\n a\\|b \\#x"))
                .containsExactly("b  cd", "e 'f' \"g\\", "h i", ";", "\\n", "a|b", "#x");
        assertThat(words("a b\\\n c d\\\ne")).containsExactly("b", "c", "de");
        assertThat(words("a \\\n c")).containsExactly("c");
        assertThat(words("a 'x;y|z#'")).containsExactly("x;y|z#");
    }

    @Test
    void commentsAndEmptyStatementsVanish() {
        assertThat(read("# a\n\n ; a b#c # d ; e\n;;b")).extracting(Statement::text)
                .containsExactly("a b#c # d ; e", "b");
        assertThat(words("a b#c # d")).containsExactly("b#c");
        assertThat(read("  ")).isEmpty();
    }

    @Test
    void statementsAndPipesAreDivided() {
        List<Statement> statements = read("a 1 | grep 'x|y' | b; x = 5 && lb || b\nb");
        assertThat(statements).hasSize(5);
        assertThat(statements.get(0).stages()).containsExactly(new Stage.Ours("a", List.of("1")),
                new Stage.Foreign("grep 'x|y'"), new Stage.Ours("b", List.of()));
        assertThat(statements.get(1).isForeign()).isTrue();
        assertThat(statements).extracting(Statement::otherwise).containsExactly(false, false, false, true, false);
    }

    @Test
    void foreignBracketsAndQuotesAreSteppedOver() {
        assertThat(read("each [1 2] { a; b | c }; b")).extracting(Statement::text)
                .containsExactly("each [1 2] { a; b | c }", "b");
        assertThat(read("x (a ; \"b ; \\\" )\" 'c )' ; ) ; b")).hasSize(2);
        assertThat(read("x ( ; b")).hasSize(1);
        assertThat(read("x \\; y ; b")).hasSize(2);
    }

    @Test
    void brokenLinesAreUsageErrors() {
        for (String bad : List.of("a 'b", "a \"b\\\"", "a |", "a | | b", "| a", "a || | b")) {
            assertThatThrownBy(() -> read(bad)).as(bad).isInstanceOf(UsageError.class);
        }
    }

    @Test
    void anythingAtAllIsReadOrRefused() {
        Random random = new Random(42);
        String alphabet = "ab '\"\\;|&#\n\t{}()[]$%=\u0000\u001b";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder line = new StringBuilder();
            for (int length = random.nextInt(16); length > 0; length--) {
                line.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                assertThat(read(line.toString())).isNotNull();
            } catch (UsageError refused) {
                assertThat(refused).hasMessageMatching("(?s)(The quote|There is no command).*");
            }
            assertThat(LineScanner.tail(line.toString(), OURS::contains)).isNotNull();
        }
    }

    @Test
    void theTailIsWhatIsBeingTyped() {
        assertTail("", List.of(), "");
        assertTail("a", List.of(), "a");
        assertTail("a ", List.of("a"), "");
        assertTail("a x", List.of("a"), "x");
        assertTail("a x; b y ", List.of("b", "y"), "");
        assertTail("a x;", List.of(), "");
        assertTail("a x | ", List.of(), "");
        assertTail("a x | b 'y z", List.of("b"), "y z");
        assertTail("a x && b y", List.of("b"), "y");
        assertTail("gr", List.of(), "gr");
        assertTail("a | gr", List.of(), "gr");
    }

    private static void assertTail(String text, List<String> words, String prefix) {
        LineScanner.Tail tail = LineScanner.tail(text, OURS::contains);
        assertThat(tail.words()).as(text).isEqualTo(words);
        assertThat(tail.prefix()).as(text).isEqualTo(prefix);
    }
}

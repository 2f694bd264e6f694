package io.manafold.shell.internal;

import io.manafold.hostile.Taker;
import io.manafold.shell.Session;
import io.manafold.shell.UsageError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.felix.gogo.runtime.Parser;
import org.apache.felix.gogo.runtime.SyntaxError;

/**
 * Lines at the prompt: taken apart, completed, and where they call harmless commands of ours, run. What is for Gogo is
 * only read by it, as it can end the process and write files.
 */
public final class CommandLines implements Taker {
    private static final Set<String> HARMLESS = Set.of("say", "list", "refuse", "misuse", "help");
    private static final int LONGEST_FOREIGN = 1 << 15;

    private final GogoFixture fixture = new GogoFixture();

    @Override
    public void take(byte[] input) {
        String line = new String(input, StandardCharsets.UTF_8);
        for (int cursor : new int[] {line.length(), line.length() / 2}) {
            fixture.session.complete(line, cursor);
        }
        LineScanner scanner = new LineScanner(line, fixture.commands::has);
        try {
            for (Statement one = scanner.next(); one != null; one = scanner.next()) {
                take(one, input);
            }
        } catch (UsageError refused) {
            if (refused.getMessage().isBlank()) {
                throw new AssertionError("a refusal without a word", refused);
            }
        }
    }

    private void take(Statement one, byte[] input) {
        if (one.stages().stream().allMatch(CommandLines::isHarmless)) {
            int status = fixture.run(one.text());
            if (status < Session.DONE || status > Session.USAGE || status != Session.DONE && fixture.err().isBlank()
                    || Taker.says("Exception", fixture.err(), input)) {
                throw new AssertionError("status " + status + ": " + fixture.err());
            }
        } else if (one.isForeign() && one.text().length() <= LONGEST_FOREIGN) {
            try {
                new Parser(one.text()).program();
            } catch (SyntaxError | AssertionError refused) {
                // which the session says in words; assertions are for tests only
            }
        }
    }

    /** Whether it does nothing but print; what is watched is printed until its user has seen enough. */
    private static boolean isHarmless(Stage stage) {
        return stage instanceof Stage.Ours ours && HARMLESS.contains(ours.name())
                && ours.words().stream().noneMatch(word -> word.replaceAll("[\"'\\\\]", "").contains(Watch.OPTION));
    }

    @Override
    public List<byte[]> seeds() {
        return List.of("say one 'two three' \"four\\\" five\" \\; # six",
                "list --json; list -e || say none && help say",
                "list | say x | help", "each [1 2 3] { say $it }; x = (list); if { $x } { echo $x[0] }",
                "refuse it; say not", "help list --json", "misuse --help", "say %1 * ? ~ ${a.b} $(c) <d >e",
                "a = \"b $c ${d}\"; [k=v 1.5 null] | grep -i x").stream()
                .map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
    }

    @Override
    public void close() {
        fixture.close();
    }
}

package io.manafold.shell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.osgi.annotation.versioning.ConsumerType;

/** Knows what can stand in one place of a command. It answers at once and may offer everything: the shell sifts. */
@ConsumerType
@FunctionalInterface
public interface Completer {
    /** Nothing is known about what can stand there. */
    Completer NONE = typed -> List.of();

    /** Files and folders, as paths from where the platform was started. */
    Completer FILES = typed -> FileNames.startingWith(typed.prefix());

    List<Candidate> candidates(Typed typed);

    /** Always the same words. */
    static Completer of(String... words) {
        return names(() -> List.of(words));
    }

    /** Names that are looked up when the user asks. */
    static Completer names(Supplier<? extends Collection<String>> names) {
        return typed -> {
            List<Candidate> candidates = new ArrayList<>();
            for (String name : names.get()) {
                candidates.add(new Candidate(name, "", true));
            }
            return candidates;
        };
    }
}

package io.manafold.commands.net.internal;

import io.manafold.shell.Numbers;
import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Optional;

/** The words of an {@code ip} call one after the other; what has a fixed spelling may be cut short. */
final class IpWords {
    private final List<String> words;
    private int next;

    IpWords(List<String> words) {
        this.words = words;
    }

    boolean isEmpty() {
        return next == words.size();
    }

    String peek() {
        return words.get(next);
    }

    String take() {
        return words.get(next++);
    }

    /** The word that must follow another. */
    String valueOf(String what) {
        if (isEmpty()) {
            throw new UsageError("A value is missing behind '" + what + "'.");
        }
        return take();
    }

    int number(String what) {
        return Numbers.whole(what, valueOf(what), 0, Integer.MAX_VALUE);
    }

    /** Takes the next word if it is exactly this. */
    boolean takeIf(String word) {
        boolean is = !isEmpty() && peek().equals(word);
        next += is ? 1 : 0;
        return is;
    }

    /** Takes a word that is one of these or their beginning: the first of them that fits. */
    String oneOf(String what, List<String> known) {
        String word = take();
        return meant(word, known).orElseThrow(() -> UsageError.unknown(what, word, known));
    }

    static Optional<String> meant(String word, List<String> known) {
        return known.stream().filter(one -> !word.isEmpty() && one.startsWith(word)).findFirst();
    }

    /** The name behind {@code dev}, or without it. */
    String device() {
        takeIf("dev");
        return valueOf("dev");
    }

    /** Nothing may follow. */
    void end(String title) {
        if (!isEmpty()) {
            throw unexpected(title, peek());
        }
    }

    static UsageError unexpected(String title, String word) {
        return new UsageError("'" + word + "' is nothing that " + title + " knows.");
    }
}

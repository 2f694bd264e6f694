package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Locks are made by {@code Locks} of the room memory, which checks their order if it is told to. */
class LocksTest {
    private static final Pattern PLAIN =
            Pattern.compile("\\bnew\\s+ReentrantLock\\s*\\(|\\bextends\\s+ReentrantLock\\b");
    private static final List<String> MAKERS = List.of("Locks.java", "CheckedLock.java");

    @Test
    void locksAreMadeInOnePlace() {
        List<String> plain = new ArrayList<>();
        int made = 0;
        for (Room room : Room.all()) {
            for (Path file : room.sources()) {
                String text = Room.text(file);
                boolean tested = file.toString().contains("/src/test/") || file.toString().contains("/itests/");
                if (!tested && isPlain(text) && !isMaker(file)) {
                    plain.add(Room.TOP.relativize(file) + ": a lock of its own; take one of Locks.named(...)");
                }
                made += text.contains("Locks.named(") ? 1 : 0;
            }
        }
        assertThat(made).as("sources with locks").isGreaterThan(5);
        assertThat(plain).isEmpty();
    }

    @Test
    void aPlainOneIsFound() {
        assertThat(isPlain("private final Lock lock = new ReentrantLock();")).isTrue();
        assertThat(isPlain("new ReentrantLock(true)")).isTrue();
        assertThat(isPlain("Locks.named(\"port\")")).isFalse();
        assertThat(isPlain("new ReentrantReadWriteLock()")).isFalse();
    }

    private static boolean isPlain(String text) {
        return PLAIN.matcher(text).find();
    }

    private static boolean isMaker(Path file) {
        return file.toString().contains("io.manafold.memory/src/main")
                && MAKERS.contains(file.getFileName().toString());
    }
}

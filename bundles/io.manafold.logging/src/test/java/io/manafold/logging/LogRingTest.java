package io.manafold.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogRingTest {
    private final LogRing ring = new LogRing(3);

    private static LoggedLine line(String text) {
        return new LoggedLine(Instant.EPOCH, "INFO", "test", text, "");
    }

    private List<String> texts() {
        return ring.recent().stream().map(LoggedLine::text).toList();
    }

    @Test
    void forgetsTheOldestLineWhenThereIsNoRoom() {
        for (String text : List.of("a", "b", "c", "d")) {
            ring.append(line(text));
        }
        assertThat(texts()).containsExactly("b", "c", "d");
    }

    @Test
    void handsLinesToThoseWhoFollowUntilTheyEnd() throws Exception {
        List<String> heard = new ArrayList<>();
        ring.append(line("before"));
        try (AutoCloseable following = ring.follow(line -> heard.add(line.text()))) {
            ring.append(line("during"));
        }
        ring.append(line("after"));
        assertThat(heard).containsExactly("during");
    }

    @Test
    void aFollowerThatLogsIsNotCalledForItsOwnLine() throws Exception {
        List<String> heard = new ArrayList<>();
        try (AutoCloseable following = ring.follow(line -> {
            heard.add(line.text());
            ring.append(line("echo"));
        })) {
            ring.append(line("call"));
        }
        assertThat(heard).containsExactly("call");
        assertThat(texts()).containsExactly("call", "echo");
    }

    @Test
    void aFollowerThatThrowsHarmsNobodyAndIsNotCalledAgain() throws Exception {
        List<String> heard = new ArrayList<>();
        List<String> thrown = new ArrayList<>();
        try (AutoCloseable bad = ring.follow(line -> {
            thrown.add(line.text());
            throw new IllegalStateException("on purpose");
        }); AutoCloseable good = ring.follow(line -> heard.add(line.text()))) {
            ring.append(line("one"));
            ring.append(line("two"));
        }
        assertThat(heard).containsExactly("one", "two");
        assertThat(thrown).containsExactly("one");
    }
}

package io.manafold.example.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What arguments of commands take of the room that all clients have together. */
class ArgumentsTest {
    private static final int ALL = 1 << 20;
    private static final int LITTLE = 2 << 10;

    private final Arguments.Budget budget = new Arguments.Budget(ALL);
    private final Arguments arguments = new Arguments(budget);

    private void has(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(arguments.begin(bytes.length)).isTrue();
        // as it comes, in parts
        for (int at = 0; at < bytes.length; at += 1000) {
            arguments.add(bytes, at, Math.min(1000, bytes.length - at));
        }
    }

    @Test
    void whatIsOnlyAnnouncedTakesNothing() {
        has("GET");
        assertThat(arguments.begin(ALL / 2)).isTrue();
        arguments.add(new byte[1], 0, 1);
        assertThat(budget.left()).isGreaterThan(ALL - LITTLE);
    }

    @Test
    void whatACommandTookIsGivenBackWhenItIsOver() {
        for (int i = 0; i < 3; i++) {
            has("DEL");
            has("k".repeat(ALL / 4));
            has("l".repeat(ALL / 8));
            assertThat(budget.left()).isLessThan(ALL * 3 / 4);
            assertThat(arguments.text(0)).isEqualTo("DEL");
            assertThat(arguments.text(1)).isEqualTo("k".repeat(ALL / 4));
            assertThat(arguments.text(2)).isEqualTo("l".repeat(ALL / 8));
            arguments.clear();
            assertThat(budget.left()).isGreaterThan(ALL - LITTLE);
        }
        arguments.end();
        assertThat(budget.left()).isEqualTo(ALL);
    }

    @Test
    void whatThereIsNoRoomForIsRefusedAtOnceOrWhenItComes() {
        assertThat(arguments.begin(2 * ALL)).isFalse();
        assertThat(arguments.begin(ALL / 2)).isTrue();
        assertThat(budget.take(ALL - 1000)).isTrue();
        assertThat(arguments.add(new byte[512], 0, 512)).isTrue();
        assertThat(arguments.add(new byte[512], 0, 512)).as("room that another has taken meanwhile").isTrue();
        assertThat(arguments.add(new byte[512], 0, 512)).as("room that another has taken meanwhile").isFalse();
    }
}

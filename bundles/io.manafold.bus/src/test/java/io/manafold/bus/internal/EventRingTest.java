package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceEvent.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EventRingTest {
    @TempDir
    Path folder;

    private static long post(EventRing ring) {
        ring.post(Kind.ADMINISTERED, null, null, "something has happened");
        return ring.recent().getLast().sequence();
    }

    private String file() throws IOException {
        return Files.readString(folder.resolve("events"));
    }

    private void awaitNumber(long least) throws IOException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Files.exists(folder.resolve("events")) || Long.parseLong(file().strip()) < least) {
            assertThat(System.nanoTime()).as("waiting for %d", least).isLessThan(giveUp);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void numbersGoOnAfterARestart() throws IOException {
        EventRing first = new EventRing(folder);
        assertThat(post(first)).isEqualTo(1);
        assertThat(post(first)).isEqualTo(2);
        first.stop();
        assertThat(file()).isEqualTo("2\n");
        EventRing second = new EventRing(folder);
        assertThat(second.recent()).isEmpty();
        assertThat(post(second)).isEqualTo(3);
        second.stop();
    }

    /** What was to be written before is not written after the last number. */
    @Test
    void theLastNumberStays() throws IOException {
        for (int round = 1; round <= 300; round++) {
            EventRing ring = new EventRing(folder);
            assertThat(post(ring)).isEqualTo(round);
            ring.stop();
            LockSupport.parkNanos(300_000);
            assertThat(file()).isEqualTo(round + "\n");
        }
    }

    @Test
    void numbersAreFurtherUpAfterAnEndWithoutOrder() throws IOException {
        EventRing killed = new EventRing(folder);
        awaitNumber(EventNumbers.AHEAD);
        assertThat(post(killed)).isEqualTo(1);
        EventRing next = new EventRing(folder);
        assertThat(post(next)).isEqualTo(EventNumbers.AHEAD + 1);
        awaitNumber(2 * EventNumbers.AHEAD);
        next.stop();
        killed.stop();
    }

    @Test
    void theFileIsAheadOfTheNumbersHoweverManyThereAre() throws IOException {
        Files.writeString(folder.resolve("events"), "7\n");
        EventNumbers numbers = new EventNumbers(folder);
        numbers.promise();
        assertThat(file()).isEqualTo(7 + EventNumbers.AHEAD + "\n");
        for (long i = 0; i < EventNumbers.AHEAD; i++) {
            numbers.next();
            if (numbers.nearsPromise()) {
                numbers.promise();
            }
        }
        assertThat(Long.parseLong(file().strip())).isGreaterThan(7 + EventNumbers.AHEAD + EventNumbers.AHEAD / 4);
        assertThat(numbers.next()).isEqualTo(8 + EventNumbers.AHEAD);
    }

    @Test
    void whatIsNoNumberIsPutAside() throws IOException {
        for (String damaged : new String[] {"", "-1", "many", "9".repeat(19), "\0"}) {
            Files.writeString(folder.resolve("events"), damaged);
            assertThat(new EventNumbers(folder).next()).as(damaged).isEqualTo(1);
            assertThat(folder.resolve("events")).as(damaged).doesNotExist();
        }
        Files.writeString(folder.resolve("events.new"), "a folder is in the way of none");
        new EventNumbers(folder).promise();
        assertThat(file()).isEqualTo(EventNumbers.AHEAD + "\n");
    }
}

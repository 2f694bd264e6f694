package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.dropin.internal.FileDebouncer.Change;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FileDebouncerTest {
    private static final long MS = 1_000_000;
    private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

    private final FileDebouncer debouncer = new FileDebouncer(Duration.ofMillis(200));

    private static Map<String, FileObservation> file(String name, long size, Object inode) {
        FileState state = new FileState(size, FileTime.fromMillis(5), inode);
        return Map.of(name, new FileObservation(Path.of(name), state, NOON));
    }

    private List<Change> at(long millis, Map<String, FileObservation> seen) {
        return debouncer.observe(seen, millis * MS);
    }

    @Test
    void aFileIsTakenWhenItHasStoodStillAndNotBefore() {
        Map<String, FileObservation> file = file("a.jar", 10, 1);

        assertThat(at(0, file)).isEmpty();
        assertThat(debouncer.pending()).containsExactly("a.jar");
        assertThat(at(199, file)).isEmpty();
        assertThat(at(200, file)).containsExactly(new Change("a.jar", Optional.of(file.get("a.jar"))));
        assertThat(at(400, file)).isEmpty();
        assertThat(debouncer.pending()).isEmpty();
    }

    @Test
    void everyGrowthBeginsTheWaitAnew() {
        for (int step = 0; step < 50; step++) {
            assertThat(at(step * 150L, file("a.jar", step, 1))).isEmpty();
        }
        assertThat(at(49 * 150 + 199, file("a.jar", 49, 1))).isEmpty();
        assertThat(at(49 * 150 + 200, file("a.jar", 49, 1))).hasSize(1);
    }

    @Test
    void aFileReplacedByOneOfTheSameSizeAndTimeIsAChange() {
        at(0, file("a.jar", 10, 1));
        at(200, file("a.jar", 10, 1));

        assertThat(at(300, file("a.jar", 10, 2))).isEmpty();
        assertThat(at(500, file("a.jar", 10, 2))).hasSize(1);
    }

    @Test
    void aFileThatIsDeletedAndWrittenAnewHasChangedAndNotGone() {
        at(0, file("a.jar", 10, 1));
        at(200, file("a.jar", 10, 1));

        assertThat(at(300, Map.of())).isEmpty();
        assertThat(at(450, file("a.jar", 12, 2))).isEmpty();
        assertThat(at(650, file("a.jar", 12, 2))).singleElement()
                .satisfies(change -> assertThat(change.now()).isPresent());
    }

    @Test
    void aFileThatWasNeverTakenAndGoesLeavesNoTrace() {
        at(0, file("a.jar", 10, 1));

        assertThat(at(100, Map.of())).isEmpty();
        assertThat(at(1000, Map.of())).isEmpty();
        assertThat(debouncer.pending()).isEmpty();
    }

    @Test
    void bothHalvesOfARenamingComeDueTogether() {
        at(0, file("a.jar", 10, 1));
        at(200, file("a.jar", 10, 1));
        at(300, file("b.jar", 10, 1));

        assertThat(at(499, file("b.jar", 10, 1))).isEmpty();
        assertThat(at(500, file("b.jar", 10, 1))).extracting(Change::name).containsExactly("a.jar", "b.jar");
    }

    @Test
    void whatLayThereUntouchedForLongIsTakenAtTheFirstLook() {
        Map<String, FileObservation> file = file("a.jar", 10, 1);

        assertThat(debouncer.begin(file, Map.of(), 0, NOON.plusMillis(201))).hasSize(1);
    }

    @Test
    void whatWasTouchedJustBeforeTheFirstLookHasToStandStill() {
        Map<String, FileObservation> file = file("a.jar", 10, 1);

        assertThat(debouncer.begin(file, Map.of(), 0, NOON.plusMillis(100))).isEmpty();
        assertThat(at(199, file)).isEmpty();
        assertThat(at(200, file)).hasSize(1);
    }

    @Test
    void aFileFromTheFutureHasToStandStillToo() {
        Map<String, FileObservation> file = file("a.jar", 10, 1);

        assertThat(debouncer.begin(file, Map.of(), 0, NOON.minusSeconds(3600))).isEmpty();
        assertThat(at(200, file)).hasSize(1);
    }

    @Test
    void whatIsAtWorkAlreadyIsNotTakenAgain() {
        Map<String, FileObservation> file = file("a.jar", 10, 1);
        Map<String, FileState> taken = Map.of("a.jar", file.get("a.jar").state());

        assertThat(debouncer.begin(file, taken, 0, NOON.plusSeconds(60))).isEmpty();
        assertThat(at(1000, file)).isEmpty();
    }

    @Test
    void theNextLookIsDueWhenTheNextFileMayHaveStoodStill() {
        assertThat(debouncer.nanosToNext(0, 100 * MS)).isEqualTo(100 * MS);
        at(0, file("a.jar", 10, 1));
        assertThat(debouncer.nanosToNext(150 * MS, 100 * MS)).isEqualTo(50 * MS);
        assertThat(debouncer.nanosToNext(300 * MS, 100 * MS)).isZero();
    }
}

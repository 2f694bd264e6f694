package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadersTest {
    @Test
    void nobodyInsideMeansAtOnce() {
        try (Reader reader = Readers.open("idle")) {
            assertThat(reader.inside()).isFalse();
            assertThat(Readers.passed().toCompletableFuture()).isDone();
            reader.enter();
            reader.leave();
            assertThat(Readers.passed().toCompletableFuture()).isDone();
        }
    }

    @Test
    void whoIsInsideIsWaitedFor() {
        try (Reader reader = Readers.open("busy"); Reader other = Readers.open("other")) {
            reader.enter();
            CompletableFuture<Void> passed = Readers.passed().toCompletableFuture();
            // others come and go meanwhile, and count for nothing
            other.enter();
            other.leave();
            other.enter();
            assertThat(Readers.inside()).containsExactlyInAnyOrder("busy", "other");
            assertThat(passed).isNotDone();
            reader.leave();
            assertThat(passed).succeedsWithin(60, TimeUnit.SECONDS);
            assertThat(other.inside()).isTrue();
        }
    }

    @Test
    void whoHasEnteredAnewHasPassed() {
        try (Reader reader = Readers.open("busy")) {
            reader.enter();
            CompletableFuture<Void> passed = Readers.passed().toCompletableFuture();
            reader.leave();
            reader.enter();
            assertThat(passed).succeedsWithin(60, TimeUnit.SECONDS);
            assertThat(reader.inside()).isTrue();
        }
    }

    @Test
    void aClosedReaderIsNotWaitedFor() {
        Reader reader = Readers.open("gone");
        reader.enter();
        CompletableFuture<Void> passed = Readers.passed().toCompletableFuture();
        reader.close();
        assertThat(passed).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(Readers.passed().toCompletableFuture()).isDone();
    }

    @Test
    void manyWaitInTheirOwnTime() {
        try (Reader first = Readers.open("first"); Reader second = Readers.open("second")) {
            first.enter();
            CompletableFuture<Void> forFirst = Readers.passed().toCompletableFuture();
            second.enter();
            CompletableFuture<Void> forBoth = Readers.passed().toCompletableFuture();
            first.leave();
            assertThat(forFirst).succeedsWithin(60, TimeUnit.SECONDS);
            assertThat(forBoth).isNotDone();
            second.leave();
            assertThat(forBoth).succeedsWithin(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aThreadThatCannotBeStartedIsTriedAgainByTheNext() throws InterruptedException {
        // one that has begun lives for a moment after its last wait is over
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("manafold-readers")) {
                thread.join(60_000);
            }
        }
        try (Reader reader = Readers.open("busy")) {
            reader.enter();
            assertThatThrownBy(() -> Readers.passed(body -> new Thread(body) {
                @Override
                public void start() {
                    throw new OutOfMemoryError("unable to create native thread");
                }
            })).isInstanceOf(OutOfMemoryError.class);
            CompletableFuture<Void> passed = Readers.passed().toCompletableFuture();
            reader.leave();
            assertThat(passed).succeedsWithin(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void enteringTwiceIsAMistakeAndLeavingTwiceIsNone() {
        try (Reader reader = Readers.open("twice")) {
            reader.enter();
            assertThatThrownBy(reader::enter).isInstanceOf(IllegalStateException.class).hasMessageContaining("twice");
            reader.leave();
            reader.leave();
            assertThat(reader.inside()).isFalse();
        }
    }
}

package io.manafold.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MistakesTest {
    @Test
    void theFirstOfEachKindIsLoggedAndEachTakesAPause() {
        List<Throwable> logged = new ArrayList<>();
        Mistakes mistakes = new Mistakes(logged::add);
        long begun = System.nanoTime();
        mistakes.happened(new IllegalStateException("one"));
        mistakes.happened(new IllegalStateException("two"));
        mistakes.happened(new StackOverflowError());
        assertThat(System.nanoTime() - begun).isGreaterThan(250_000_000);
        assertThat(logged).extracting(Throwable::getClass)
                .containsExactly(IllegalStateException.class, StackOverflowError.class);
    }

    @Test
    void aLogThatFailsIsNotFelt() {
        Mistakes mistakes = new Mistakes(mistake -> {
            throw new OutOfMemoryError();
        });
        mistakes.happened(new IllegalStateException());
    }

    /** The virtual machine has made some errors in advance, and throws one of them again and again. */
    @Test
    void aLogThatFailsByTheSameErrorIsNotFelt() {
        OutOfMemoryError same = new OutOfMemoryError();
        Mistakes mistakes = new Mistakes(mistake -> {
            throw same;
        });
        mistakes.happened(same);
    }
}

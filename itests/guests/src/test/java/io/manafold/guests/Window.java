package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A window on the platform with a command that reads lines. */
final class Window implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final Output out;

    Window(Process process) {
        this.process = process;
        out = new Output(process.getInputStream());
    }

    void type(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(out.soFar(), gone);
        }
    }

    void await(String text) {
        out.await(text, PATIENCE, process::isAlive);
    }

    /** Types a line over and over until what has been said is as wanted. */
    String typeUntil(String line, Predicate<String> wanted) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            int before = out.soFar().length();
            type(line);
            while (out.soFar().length() == before && System.nanoTime() < giveUp) {
                pause();
            }
            pause();
            String said = out.soFar();
            if (wanted.test(said.substring(before))) {
                return said.substring(before);
            }
            assertThat(System.nanoTime()).as("'%s' says what is wanted; so far:%n%s", line, said).isLessThan(giveUp);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** What it has said so far. */
    String said() {
        return out.soFar();
    }

    /** What it has said, when the command has ended well. */
    String ended() {
        try {
            assertThat(process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .as("it ends; so far:%n%s", out.soFar()).isTrue();
            String all = out.all();
            assertThat(process.exitValue()).as("status of what said:%n%s", all).isZero();
            return all;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

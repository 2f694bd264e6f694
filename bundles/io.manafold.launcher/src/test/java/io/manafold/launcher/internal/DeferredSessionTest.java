package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Candidate;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines that are typed before there is a session to carry them out. */
@Timeout(300)
class DeferredSessionTest {
    private final List<String> lines = new ArrayList<>();
    private final CompletableFuture<Shell> shell = new CompletableFuture<>();
    private final CompletableFuture<Shell> ready = new CompletableFuture<>();
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
    private final DeferredSession session = new DeferredSession(shell, ready, InputStream.nullInputStream(), err, err,
            () -> 80);
    private int opened;
    private int closed;

    @AfterEach
    void takeBackTheInterrupt() {
        Thread.interrupted();
    }

    private Session open(InputStream in, PrintStream out, PrintStream failures) {
        opened++;
        return new Session() {
            @Override
            public int execute(String line) {
                lines.add(line);
                return line.length();
            }

            @Override
            public boolean ended() {
                return lines.contains("exit");
            }

            @Override
            public boolean isBuiltIn(String line) {
                return line.startsWith("echo ");
            }

            @Override
            public List<Candidate> complete(String line, int cursor) {
                return List.of(new Candidate(line + "!", "", true));
            }

            @Override
            public void close() {
                closed++;
            }
        };
    }

    @Test
    void aLineWaitsForThePlatform() {
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> ready.complete(this::open));
        assertThat(session.execute("one")).isEqualTo(3);
        assertThat(session.execute("exit")).isEqualTo(4);
        assertThat(lines).containsExactly("one", "exit");
        assertThat(session.ended()).isTrue();
        assertThat(told.toString()).isEmpty();
        session.close();
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void aLineThatWaitsLongSaysSo() {
        CompletableFuture.delayedExecutor(2500, TimeUnit.MILLISECONDS).execute(() -> ready.complete(this::open));
        assertThat(session.execute("one")).isEqualTo(3);
        assertThat(told.toString()).contains("Ctrl-C").hasLineCount(1);
    }

    @Test
    void aLineThatWaitsCanBeTakenBack() {
        Thread.currentThread().interrupt();
        assertThat(session.execute("one")).isEqualTo(Session.FAILED);
        ready.complete(this::open);
        assertThat(session.execute("two")).isEqualTo(3);
        assertThat(lines).containsExactly("two");
    }

    @Test
    void whatTheShellCanDoAloneDoesNotWait() {
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> shell.complete(this::open));
        assertThat(session.execute("echo a")).isEqualTo(6);
        assertThat(ready.isDone()).isFalse();
        assertThat(session.complete("dri", 3)).as("commands may still come").isEmpty();
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> ready.complete(shell.join()));
        assertThat(session.execute("devices")).isEqualTo(7);
        assertThat(session.execute("echo b")).isEqualTo(6);
        assertThat(lines).containsExactly("echo a", "devices", "echo b");
        session.close();
        assertThat(opened).as("variables of the first line are there in the second").isEqualTo(1);
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void aSessionThatOnlyTheShellHasSeenIsClosed() {
        shell.complete(this::open);
        session.execute("echo a");
        session.close();
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void completionWaitsToo() {
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> ready.complete(this::open));
        assertThat(session.complete("dri", 3)).extracting(Candidate::value).containsExactly("dri!");
    }

    @Test
    void nothingIsCarriedOutWithoutAShell() {
        ready.complete(null);
        assertThat(session.execute("one")).isEqualTo(Session.FAILED);
        assertThat(session.complete("o", 1)).isEmpty();
        assertThat(session.ended()).isFalse();
        session.close();
    }
}

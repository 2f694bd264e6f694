package io.manafold.launcher.internal.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that waits for input can be interrupted, and what comes then is not lost. */
@Timeout(60)
class InterruptibleInputTest {
    private static final String END = "";
    private static final String FAILS = "!";
    private static final String BREAKS = "?";
    private static final String BREAKS_UNTOLD = "??";

    /** As where there is no memory for a sentence. */
    private static final class Unspeakable extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException("no sentence");
        }
    }

    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final List<Thread> begun = new CopyOnWriteArrayList<>();
    private volatile int asked;
    /** How many threads the system does not let begin. */
    private int refused;
    private final InterruptibleInput input = new InterruptibleInput(new InputStream() {
        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        /** As the system's call: no interrupt ends it. */
        @Override
        public int read(byte[] into, int offset, int most) throws IOException {
            asked++;
            String next = null;
            while (next == null) {
                try {
                    next = sent.take();
                } catch (InterruptedException ignored) {
                    continue;
                }
            }
            if (next.equals(FAILS)) {
                throw new IOException("the disk is gone");
            }
            if (next.equals(BREAKS)) {
                throw new IllegalStateException("a bug");
            }
            if (next.equals(BREAKS_UNTOLD)) {
                throw new Unspeakable();
            }
            byte[] bytes = next.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, into, offset, bytes.length);
            return next.equals(END) ? -1 : bytes.length;
        }
    }, this::thread);

    private Thread thread(Runnable body) {
        Thread made = new Thread(body) {
            @Override
            public void start() {
                if (refused > 0) {
                    refused--;
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
        made.setDaemon(true);
        begun.add(made);
        return made;
    }

    private String read(int most) throws IOException {
        byte[] bytes = new byte[most];
        int count = input.read(bytes, 0, most);
        return count < 0 ? null : new String(bytes, 0, count, StandardCharsets.US_ASCII);
    }

    @Test
    void aReaderThatWaitsIsInterruptedAndTheNextOneGetsWhatComes() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            try {
                input.read();
                ended.complete(null);
            } catch (IOException e) {
                ended.complete(Thread.currentThread().isInterrupted() ? e : null);
            }
        });
        while (asked == 0) {
            LockSupport.parkNanos(1000);
        }
        reader.interrupt();
        assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedIOException.class);
        sent.add("ab");
        assertThat(input.read()).isEqualTo('a');
        assertThat(read(9)).isEqualTo("b");
        assertThat(asked).as("no more is taken than is wanted").isOne();
    }

    @Test
    void anEndAndAFailureAreToldOnceEach() throws IOException {
        sent.add("a");
        sent.add(END);
        sent.add("b");
        sent.add(FAILS);
        sent.add("c");
        assertThat(read(9)).isEqualTo("a");
        assertThat(read(9)).isNull();
        assertThat(read(0)).isEmpty();
        assertThat(read(9)).isEqualTo("b");
        assertThatThrownBy(input::read).hasMessage("the disk is gone");
        assertThat(input.read()).isEqualTo('c');
    }

    @Test
    void anAccidentIsToldAndTheNextReaderGetsWhatComes() throws IOException {
        sent.add(BREAKS);
        sent.add("a");
        assertThatThrownBy(input::read).isInstanceOf(IOException.class).hasMessageContaining("a bug");
        assertThat(input.read()).isEqualTo('a');
    }

    @Test
    void anAccidentThatCannotBeToldIsNoEndEither() throws IOException {
        sent.add(BREAKS_UNTOLD);
        sent.add("a");
        assertThatThrownBy(input::read).isInstanceOf(IOException.class).hasMessageContaining("the input failed");
        assertThat(input.read()).isEqualTo('a');
    }

    @Test
    void aThreadThatCannotBeStartedIsToldAndTheNextReaderHasOne() throws IOException {
        refused = 1;
        sent.add("a");
        assertThatThrownBy(input::read).isInstanceOf(IOException.class)
                .hasMessageContaining("no thread can be started");
        assertThat(input.read()).isEqualTo('a');
    }

    @Test
    void aThreadThatHasEndedIsFollowedByAnother() throws Exception {
        sent.add("a");
        assertThat(input.read()).isEqualTo('a');
        begun.getFirst().interrupt();
        begun.getFirst().join();
        sent.add("b");
        assertThat(input.read()).isEqualTo('b');
        assertThat(begun).hasSize(2);
    }

    /** Of readers that wake each other one is always on its way to the monitor. */
    @Test
    void readersThatWaitDoNotWakeEachOther() throws Exception {
        Queue<Integer> taken = new ConcurrentLinkedQueue<>();
        Thread first = reader(taken);
        while (asked == 0) {
            LockSupport.parkNanos(1000);
        }
        Thread second = reader(taken);
        while (second.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(1000);
        }
        synchronized (input) {
            assertThat(List.of(first.getState(), second.getState())).containsOnly(Thread.State.WAITING);
        }
        sent.add("ab");
        first.join();
        second.join();
        assertThat(taken).containsExactlyInAnyOrder((int) 'a', (int) 'b');
        assertThat(asked).isOne();
    }

    private Thread reader(Queue<Integer> taken) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                taken.add(input.read());
            } catch (IOException e) {
                taken.add(-2);
            }
        });
    }
}

package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.EventFd;
import io.manafold.linux.Linux;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that leave, and fill their eventfds again whenever they are emptied: what that costs others. */
class HeldInterruptsTest {
    private static final int EVENTFD = 0x24;
    private static final int ROUNDS = 3;
    private static final int MANY = 7;
    private static final int MOST = 4;

    @TempDir
    Path folder;

    private Server server;
    private Hold hold;
    private EventFd eventfd;

    @BeforeEach
    void begin() throws Exception {
        server = new Server(folder);
        hold = new Hold();
        eventfd = EventFd.create();
    }

    @AfterEach
    void end() throws Exception {
        hold.end();
        server.close();
        eventfd.close();
    }

    @Test
    void theNextClientHasItsInterrupts() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            leaveHolding(1);
            try (Client client = server.client()) {
                receives(client);
                assertThat(server.reception.problem()).isNull();
            }
        }
        hold.end();
        try (Client client = server.client()) {
            Server.eventually("those that were held have ended", () -> {
                direct(client, 0, eventfd);
                return threads() == 1;
            });
            receives(client);
        }
    }

    /** A write to each of its vectors would wait. */
    @Test
    void aClientHoldsOneThreadHoweverManyVectorsItHas() throws Exception {
        leaveHolding(16);
        assertThat(threads()).isLessThanOrEqualTo(1);
        try (Client client = server.client()) {
            receives(client);
            assertThat(threads()).isLessThanOrEqualTo(2);
        }
    }

    /** However many leave so, they hold some threads and no more; when they let go, all is as it was. */
    @Test
    void manyHoldSomeThreads() throws Exception {
        for (int i = 0; i < MANY; i++) {
            leaveHolding(1);
            assertThat(threads()).isLessThanOrEqualTo(MOST);
        }
        hold.end();
        try (Client client = server.client()) {
            Server.eventually("nothing is wrong any more", () -> {
                direct(client, 0, eventfd);
                return server.reception.problem() == null;
            });
            receives(client);
        }
    }

    private void leaveHolding(int vectors) throws IOException {
        try (Client client = server.client()) {
            for (int i = 0; i < vectors; i++) {
                direct(client, i, hold.eventfd);
            }
            hold.block();
            for (int i = 0; i < vectors; i++) {
                server.function.interrupts.raise(i);
            }
            // long enough for the write to wait
            LockSupport.parkNanos(50_000_000);
        }
        Server.eventually("a clean function", server::isClean);
    }

    private static void direct(Client client, int vector, EventFd to) {
        try {
            assertThat(client.setIrqs(EVENTFD, 2, vector, 1, to.descriptor()).errno()).isZero();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private void receives(Client client) {
        direct(client, 0, eventfd);
        server.function.interrupts.raise(0);
        Server.eventually("an interrupt", () -> eventfd.take() != 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("manafold-vfio-one-interrupts")).count();
    }

    /**
     * An eventfd that many threads keep full. The kernel wakes in turn who waits for it to be emptied: these wait
     * already when a write of the export comes.
     */
    private static final class Hold {
        private static final int THREADS = 600;

        final EventFd eventfd = EventFd.create();
        private final Arena arena = Arena.ofShared();
        private final long most = arena.allocateFrom(ValueLayout.JAVA_LONG, -2).address();
        private final CountDownLatch begun = new CountDownLatch(THREADS);
        private final Thread[] threads = new Thread[THREADS];
        private volatile boolean over;

        Hold() throws IOException, InterruptedException {
            assertThat(Linux.write(eventfd.descriptor().number(), most, 8)).isEqualTo(8);
            block();
            for (int i = 0; i < THREADS; i++) {
                threads[i] = Thread.ofPlatform().daemon().start(this::fill);
            }
            begun.await();
        }

        private void fill() {
            begun.countDown();
            while (!over) {
                if (Linux.write(eventfd.descriptor().number(), most, 8) < 0) {
                    // it does not block at the moment
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }

        /** Has writes wait, those of the threads above first. */
        void block() throws IOException {
            Linux.blocking(eventfd.descriptor().number(), true);
            LockSupport.parkNanos(20_000_000);
        }

        void end() throws InterruptedException {
            over = true;
            for (Thread thread : threads) {
                while (!thread.join(Duration.ofMillis(1))) {
                    eventfd.takeAtOnce();
                }
            }
            if (arena.scope().isAlive()) {
                eventfd.close();
                arena.close();
            }
        }
    }
}

package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A function that is being lent, without the platform around it. */
final class Server implements AutoCloseable {
    static final long MOST_BYTES = 1L << 40;

    final FakeFunction function = new FakeFunction();
    /** What the platform's events were told. */
    final List<String> events = new CopyOnWriteArrayList<>();
    final Path path;
    final ClientAcceptor reception;

    Server(Path folder) throws IOException {
        this(folder, Duration.ofSeconds(20));
    }

    Server(Path folder, Duration patience) throws IOException {
        this(folder, patience, Thread.ofPlatform().daemon().factory());
    }

    Server(Path folder, Duration patience, ThreadFactory threads) throws IOException {
        path = folder.resolve("one.sock");
        reception = new ClientAcceptor("one", function, MOST_BYTES, ListenSocket.open(path), patience,
                new GuestEvents("one", (kind, sentence) -> events.add(kind + " " + sentence), System::nanoTime),
                threads);
        reception.open();
    }

    Client client() throws IOException {
        return Client.greeted(path);
    }

    /** Whether the last client has left nothing behind. */
    boolean isClean() {
        return !reception.connected() && function.dma().ranges() == 0 && function.interrupts.targeted() == 0;
    }

    static void eventually(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("still waiting: " + what).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        reception.end(false);
    }
}

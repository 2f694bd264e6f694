package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.EventFd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The system lets no more threads begin: what that costs a client, and what it leaves when there are some again. */
@Timeout(120)
class RefusedThreadsTest {
    private static final int EVENTFD = 0x24;
    private static final String OF_CLIENTS = "-client";
    private static final String OF_INTERRUPTS = "-interrupts";
    private static final String OF_NONE = "-none";

    @TempDir
    Path folder;

    /** Threads whose names end so do not begin. */
    private volatile String refused = OF_NONE;
    private Server server;

    @BeforeEach
    void begin() throws IOException {
        server = new Server(folder, Duration.ofSeconds(20), this::thread);
    }

    @AfterEach
    void end() {
        server.close();
    }

    private Thread thread(Runnable body) {
        Thread made = new Thread(body) {
            @Override
            public void start() {
                if (getName().endsWith(refused)) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
        made.setDaemon(true);
        return made;
    }

    /** It directs its vector once: the export looks by itself whether there are threads again. */
    @Test
    void aClientHasItsInterruptsAsSoonAsAThreadBegins() throws IOException {
        try (Client client = server.client(); EventFd eventfd = EventFd.create()) {
            refused = OF_INTERRUPTS;
            assertThat(client.setIrqs(EVENTFD, 2, 0, 1, eventfd.descriptor()).errno()).isZero();
            server.function.interrupts.raise(0);
            assertThat(server.reception.problem()).contains("no thread can be started");
            refused = OF_NONE;
            Server.eventually("an interrupt", () -> eventfd.take() != 0);
            assertThat(server.reception.problem()).isNull();
        }
    }

    @Test
    void clientsThatCannotBeServedLeaveNothingOpen() throws IOException {
        server.client().close();
        Server.eventually("a clean function", server::isClean);
        refused = OF_CLIENTS;
        turnedOut();
        long before = Processes.descriptors();
        for (int i = 0; i < 10; i++) {
            turnedOut();
        }
        assertThat(Processes.descriptors()).as("each of ten may have left one").isLessThan(before + 5);
        refused = OF_NONE;
        try (Client client = server.client()) {
            assertThat(client.read(7, 0, 4).errno()).isZero();
        }
    }

    private void turnedOut() throws IOException {
        try (Client client = new Client(server.path)) {
            assertThat(client.isTurnedOut()).isTrue();
        }
    }
}

package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Client.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptsTest {
    private static final int EVENTFD = 0x24;
    private static final int BOOL = 0x22;
    private static final int NONE = 0x21;

    @TempDir
    Path folder;

    private Server server;
    private Client client;

    @BeforeEach
    void connect() throws IOException {
        server = new Server(folder);
        client = server.client();
    }

    @AfterEach
    void disconnect() {
        client.close();
        server.close();
    }

    @Test
    void aSignalOfAVectorWithoutAnEventfdIsNotLost() throws IOException {
        server.function.interrupts.raise(3);
        try (EventFd eventfd = EventFd.create()) {
            client.setIrqs(EVENTFD, 2, 3, 1, eventfd.descriptor());
            arrives(eventfd);
            client.setIrqs(EVENTFD, 2, 3, 1);
            server.function.interrupts.raise(3);
            assertThat(eventfd.take()).isZero();
            client.setIrqs(EVENTFD, 2, 3, 1, eventfd.descriptor());
            arrives(eventfd);
        }
    }

    @Test
    void sixteenVectorsInOneMessage() throws IOException {
        EventFd[] eventfds = new EventFd[16];
        Descriptor[] descriptors = new Descriptor[16];
        for (int i = 0; i < 16; i++) {
            eventfds[i] = EventFd.create();
            descriptors[i] = eventfds[i].descriptor();
        }
        assertThat(client.setIrqs(EVENTFD, 2, 1, 16, descriptors).errno()).isZero();
        for (int i = 0; i < 16; i++) {
            server.function.interrupts.raise(1 + i);
            arrives(eventfds[i]);
            eventfds[i].close();
        }
    }

    @Test
    void whatFailsHalfwayLeavesNothingOpenAndIsDoneByTheNextTry() throws IOException {
        long before = Processes.descriptors();
        server.function.interrupts.broken = 1;
        try (EventFd eventfd = EventFd.create()) {
            Descriptor each = eventfd.descriptor();
            assertThat(client.setIrqs(EVENTFD, 2, 0, 3, each, each, each).errno()).isNotZero();
            assertThat(Processes.descriptors()).as("one here, and one of each vector until the broken one")
                    .isEqualTo(before + 3);
            assertThat(client.setIrqs(EVENTFD, 2, 0, 3, each, each, each).errno()).isZero();
            server.function.interrupts.raise(1);
            arrives(eventfd);
        }
    }

    @Test
    void theClientCanTriggerThem() throws IOException {
        try (EventFd first = EventFd.create(); EventFd second = EventFd.create(); EventFd failure = EventFd.create()) {
            client.setIrqs(EVENTFD, 2, 0, 2, first.descriptor(), second.descriptor());
            client.setIrqs(EVENTFD, 3, 0, 1, failure.descriptor());
            assertThat(client.ask(Client.SET_IRQS, Client.irqBody(BOOL, 2, 0, 2, 2).put(21, (byte) 1)).errno())
                    .isZero();
            assertThat(first.take()).isZero();
            arrives(second);
            client.setIrqs(NONE, 2, 0, 2);
            client.setIrqs(NONE, 3, 0, 1);
            arrives(first);
            arrives(failure);
        }
    }

    @Test
    void whatCannotBeIsRefusedWhole() throws IOException {
        try (EventFd eventfd = EventFd.create(); Memfd other = Memfd.create("other", 4096)) {
            Descriptor good = eventfd.descriptor();
            assertThat(client.setIrqs(EVENTFD, 2, 0, 2, good, other.descriptor()).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 2, 0, 2, good).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 2, 0, 1, good, good).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 2, 0, 0).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 2, 17, 1, good).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 2, -1, 1, good).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 2, 16, -1, good).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(EVENTFD, 0, 0, 1, good).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(NONE, 5, 0, 0).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(NONE, -1, 0, 0).errno()).isEqualTo(EINVAL);
            assertThat(client.setIrqs(NONE, 2, 0, 0, good).errno()).isEqualTo(EINVAL);
            for (int flags : new int[] {0, 1, 4, 0x20, 0x25, 0x0c, 0x14, 0x3c, 0x64, -1}) {
                assertThat(client.setIrqs(flags, 2, 0, 1).errno()).as("flags %x", flags).isEqualTo(EINVAL);
            }
            assertThat(client.setIrqs(NONE, 0, 0, 0).errno()).as("nothing to switch off").isZero();
            assertThat(server.function.interrupts.targeted()).isZero();
        }
    }

    /** Signals while eventfds come and go: each eventfd that stays to the end sees the last signal. */
    @Test
    void replacingUnderFireLosesNothing() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong raised = new AtomicLong();
        Thread engine = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                server.function.interrupts.raise(0);
                raised.incrementAndGet();
            }
        });
        long seen = 0;
        for (int i = 0; i < 300; i++) {
            try (EventFd eventfd = EventFd.create()) {
                assertThat(client.setIrqs(EVENTFD, 2, 0, 1, eventfd.descriptor()).errno()).isZero();
                long before = raised.get();
                Server.eventually("another signal", () -> raised.get() > before + 1);
                seen += arrived(eventfd);
            }
        }
        over.set(true);
        engine.join();
        assertThat(seen).isPositive();
    }

    /** A client that fills the counter up, and lets it block, holds the thread of its own export and no other. */
    @Test
    void aFullCounterThatBlocksHoldsItsOwnExportAlone() throws IOException {
        try (EventFd eventfd = EventFd.create(); EventFd other = EventFd.create()) {
            client.setIrqs(EVENTFD, 2, 0, 1, eventfd.descriptor());
            client.setIrqs(EVENTFD, 2, 1, 1, other.descriptor());
            fill(eventfd);
            Linux.blocking(eventfd.descriptor().number(), true);
            // each comes back, or this test never ends
            server.function.interrupts.raise(0);
            Server.eventually("the write waits", () -> server.reception.problem() != null);
            server.function.interrupts.raise(0);
            server.function.interrupts.raise(1);
            assertThat(server.reception.problem()).contains("vector 0", "does not take its interrupts");
            assertThat(server.reception.costs().stuckInterrupts()).isEqualTo(1);
            assertThat(client.setIrqs(EVENTFD, 2, 1, 1, other.descriptor()).errno()).isZero();

            assertThat(eventfd.take()).isEqualTo(-2);
            assertThat(arrived(eventfd)).isPositive();
            arrives(other);
            Server.eventually("nothing is wrong any more", () -> server.reception.problem() == null);
            assertThat(server.reception.costs().stuckInterrupts()).isEqualTo(1);
        }
    }

    /**
     * The client keeps the eventfd, full and blocking, when it goes: the next client's interrupts arrive all the same.
     */
    @Test
    void aClientThatGoesLeavesNoWriteBehind() throws IOException {
        try (EventFd kept = EventFd.create(); EventFd eventfd = EventFd.create()) {
            client.setIrqs(EVENTFD, 2, 0, 1, kept.descriptor());
            fill(kept);
            Linux.blocking(kept.descriptor().number(), true);
            server.function.interrupts.raise(0);
            Server.eventually("the write waits", () -> server.reception.problem() != null);
            client.close();
            client = server.client();
            assertThat(server.reception.problem()).isNull();
            assertThat(client.setIrqs(EVENTFD, 2, 0, 1, eventfd.descriptor()).errno()).isZero();
            server.function.interrupts.raise(0);
            arrives(eventfd);
        }
    }

    /** It goes before it is known that the write waits. */
    @Test
    void aClientThatGoesAtOnceLeavesNoWriteBehind() throws IOException {
        for (int round = 0; round < 20; round++) {
            try (EventFd kept = EventFd.create(); EventFd eventfd = EventFd.create()) {
                client.setIrqs(EVENTFD, 2, 0, 1, kept.descriptor());
                fill(kept);
                Linux.blocking(kept.descriptor().number(), true);
                server.function.interrupts.raise(0);
                LockSupport.parkNanos(round * 250_000L);
                client.close();
                client = server.client();
                assertThat(client.setIrqs(EVENTFD, 2, 0, 1, eventfd.descriptor()).errno()).isZero();
                server.function.interrupts.raise(0);
                arrives(eventfd);
            }
        }
    }

    private static void fill(EventFd eventfd) {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(Linux.write(eventfd.descriptor().number(), arena.allocateFrom(ValueLayout.JAVA_LONG, -2)
                    .address(), 8)).isEqualTo(8);
        }
    }

    private static void arrives(EventFd eventfd) {
        assertThat(arrived(eventfd)).isEqualTo(1);
    }

    /** What a thread of the export has written, which may take a moment. */
    private static long arrived(EventFd eventfd) {
        long[] count = new long[1];
        Server.eventually("an interrupt", () -> (count[0] = eventfd.take()) != 0);
        return count[0];
    }
}

package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.EventFd;
import io.manafold.vfio.internal.protocol.HeldWrite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the past hold as many threads as they may, and the next one finds none. */
class ExhaustedInterruptsTest {
    private static final int EVENTFD = 0x24;
    private static final int MOST = 4;

    @TempDir
    Path folder;

    private final List<HeldWrite> held = new ArrayList<>();
    private Server server;
    private EventFd eventfd;

    @BeforeEach
    void begin() throws IOException {
        server = new Server(folder);
        eventfd = EventFd.create();
        for (int i = 0; i < MOST; i++) {
            held.add(new HeldWrite(server.reception.interrupts));
        }
    }

    @AfterEach
    void end() {
        held.forEach(HeldWrite::close);
        server.close();
        eventfd.close();
    }

    /** It directs its vectors once: the export looks by itself when those of the past fill nothing any more. */
    @Test
    void aClientHasItsInterruptsWhenTheyLetGo() throws IOException {
        assertThat(server.reception.problem()).as("without a client").isNull();
        try (Client client = server.client()) {
            assertThat(client.setIrqs(EVENTFD, 2, 0, 1, eventfd.descriptor()).errno()).isZero();
            server.function.interrupts.raise(0);
            assertThat(server.reception.problem()).contains("guests that have gone hold 4 threads");
            held.forEach(HeldWrite::letGo);
            Server.eventually("an interrupt", () -> eventfd.take() != 0);
            assertThat(server.reception.problem()).isNull();
        }
    }
}

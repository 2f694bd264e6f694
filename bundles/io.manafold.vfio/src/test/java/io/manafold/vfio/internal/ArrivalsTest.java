package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ArrivalsTest {
    @TempDir
    Path folder;

    private boolean refuses = true;
    private final Arrivals arrivals = new Arrivals(this::thread);

    private Thread thread(Runnable body) {
        Thread made = new Thread(body) {
            @Override
            public void start() {
                if (refuses) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
        made.setDaemon(true);
        return made;
    }

    /** The first export of a process that may have no thread leaves nothing, and the next one waits for its clients. */
    @Test
    void aThreadThatCannotBeStartedIsARefusalAndIsTriedAgain() throws Exception {
        refused();
        long before = Processes.descriptors();
        for (int i = 0; i < 10; i++) {
            refused();
        }
        assertThat(Processes.descriptors()).as("each of ten may have left one").isLessThan(before + 5);
        refuses = false;
        ListenSocket listener = ListenSocket.open(folder.resolve("export.sock"));
        CountDownLatch arrived = new CountDownLatch(1);
        arrivals.enter();
        try {
            arrivals.await(listener, arrived::countDown);
            try (UnixSocket client = UnixSocket.connect(folder.resolve("export.sock"))) {
                assertThat(arrived.await(60, TimeUnit.SECONDS)).as("the client is told of").isTrue();
            }
        } finally {
            arrivals.leave(listener);
            listener.close();
        }
    }

    private void refused() {
        assertThatThrownBy(arrivals::enter).isInstanceOf(IOException.class).hasMessageContaining("ulimit -u");
    }
}

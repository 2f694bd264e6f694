package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As many clients of netlink as are let in, none of which says a word. */
class IdleClientsTest {
    private static final int MOST_CLIENTS = 16;
    private static final int ROUNDS = 3;

    @TempDir
    Path folder;

    private Duration attach() {
        Duration best = Duration.ofDays(1);
        for (int round = 0; round < ROUNDS; round++) {
            long begun = System.nanoTime();
            Run.manafold("attach", "--data", folder.toString(), "-c", "drivers").end().done();
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            best = took.compareTo(best) < 0 ? took : best;
        }
        return best;
    }

    @Test
    void theyDoNotKeepAnybodyElseOut() throws IOException {
        try (Run run = Run.manafold("--headless", "--data", folder.toString()).start()) {
            run.awaitOut("ready\n");
            Duration alone = attach();
            List<SocketChannel> idle = new ArrayList<>();
            try {
                for (int client = 0; client < MOST_CLIENTS; client++) {
                    idle.add(SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("netlink.sock"))));
                }
                assertThat(attach()).as("beside idle clients; alone %s", alone).isLessThan(alone.multipliedBy(3));
            } finally {
                for (SocketChannel client : idle) {
                    client.close();
                }
            }
        }
    }
}

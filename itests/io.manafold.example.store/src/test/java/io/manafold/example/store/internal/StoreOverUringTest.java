package io.manafold.example.store.internal;

import static io.manafold.example.store.internal.RunningStore.command;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A store over rings. */
class StoreOverUringTest extends StoreTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    StoreOverUringTest() {
        super("uring");
    }

    /** Not so over Java's channels, whose gathering writes allocate. */
    @Test
    void nothingIsAllocatedForARequest() throws Exception {
        String commands = (command("SET", "k", "v".repeat(100)) + command("GET", "k") + command("INCR", "n2"))
                .repeat(8);
        try (Socket client = store.connect()) {
            byte[] bytes = commands.getBytes(StandardCharsets.ISO_8859_1);
            byte[] answers = new byte[1 << 16];
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            long least = Long.MAX_VALUE;
            // until compilers have seen enough
            while (least > 0 && System.nanoTime() - end < 0) {
                long before = THREADS.getThreadAllocatedBytes(store.thread.threadId());
                for (int i = 0; i < 500; i++) {
                    client.getOutputStream().write(bytes);
                    for (int lines = 0; lines < 8 * 4;) {
                        int count = client.getInputStream().read(answers);
                        for (int at = 0; at < count; at++) {
                            if (answers[at] == '\n') {
                                lines++;
                            }
                        }
                    }
                }
                least = Math.min(least, THREADS.getThreadAllocatedBytes(store.thread.threadId()) - before);
            }
            assertThat(least).as("bytes allocated for 12,000 requests").isZero();
        }
    }
}

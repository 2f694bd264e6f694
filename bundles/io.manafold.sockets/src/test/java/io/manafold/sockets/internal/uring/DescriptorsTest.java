package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.Operation;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.uring.Restricted;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that uses up its descriptors while connections come: they wait, and come when there are some again. */
@Timeout(120)
class DescriptorsTest {
    private static final int SPARE = 60;
    private static final int PEERS = 4;

    private static long highest() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.mapToLong(one -> Long.parseLong(one.getFileName().toString())).max().orElseThrow();
        }
    }

    /** Takes all that are left. */
    private static void fill(List<FileInputStream> fillers) {
        try {
            while (true) {
                fillers.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            assertThat(none).hasMessageContaining("Too many open files");
        }
    }

    @ParameterizedTest
    @CsvSource({"nio, accept=multishot", "nio, accept=single", "uring, accept=multishot", "uring, accept=single"})
    void connectionsWaitForDescriptors(String transport, String knob) throws Exception {
        // classes that are needed take descriptors to load, so once with enough of them
        accepted(transport, knob, false);
        long limit = Restricted.descriptors();
        // the kernel accepts with the limit that was there when it was asked to, which is for good with multishot
        Restricted.descriptors(highest() + SPARE);
        try {
            accepted(transport, knob, true);
        } finally {
            Restricted.descriptors(limit);
        }
    }

    private static void accepted(String transport, String knob, boolean isFull) throws Exception {
        List<FileInputStream> fillers = new ArrayList<>();
        List<SocketChannel> peers = new ArrayList<>();
        try (Ends ends = new Ends(new TcpWay(transport, List.of(knob)))) {
            InetSocketAddress there = new InetSocketAddress("127.0.0.1", ends.listener.local().getPort());
            for (int i = 0; i < PEERS; i++) {
                peers.add(SocketChannel.open());
            }
            assertThat(ends.listener.state().resting()).isNull();
            if (isFull) {
                fill(fillers);
            }
            for (SocketChannel peer : peers) {
                peer.connect(there);
            }
            if (isFull) {
                Done full = ends.next(done -> done.operation() == Operation.ACCEPT && done.errno() != 0);
                assertThat(full.errno()).isEqualTo(Errno.EMFILE.number());
                assertThat(full.endpoint()).isNull();
                assertThat(ends.listener.state().resting()).as("why it rests").isNotNull();
                ends.turn(Duration.ofMillis(200));
                assertThat(ends.seen).as("it is said once").noneMatch(done -> done.errno() != 0);
                long begin = System.nanoTime();
                Thread closer = Thread.ofPlatform().start(() -> closeSoon(fillers));
                ends.queues.await(Duration.ofSeconds(30));
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("until it has looked again")
                        .isLessThan(Duration.ofSeconds(15));
                closer.join();
            }
            for (int i = 0; i < PEERS; i++) {
                Done come = ends.next(done -> done.operation() == Operation.ACCEPT && done.errno() == 0);
                assertThat(come.endpoint()).isNotNull();
            }
            assertThat(ends.listener.state().resting()).isNull();
        } finally {
            close(fillers);
            for (SocketChannel peer : peers) {
                peer.close();
            }
        }
    }

    /** When the listener has found that there are none yet. */
    private static void closeSoon(List<FileInputStream> fillers) {
        try {
            Thread.sleep(300);
            close(fillers);
        } catch (IOException | InterruptedException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static void close(List<FileInputStream> fillers) throws IOException {
        for (FileInputStream one : fillers) {
            one.close();
        }
        fillers.clear();
    }
}

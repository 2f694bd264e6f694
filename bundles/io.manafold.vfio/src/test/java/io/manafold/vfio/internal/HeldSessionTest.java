package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Descriptor;
import io.manafold.linux.Memfd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A client has its session's thread close what it has sent, and that takes as long as the client wants. */
@Isolated
@Timeout(120)
class HeldSessionTest {
    private static final int HELD_SECONDS = 6;

    @TempDir
    Path folder;

    /** A connection to itself that is full, and waits when it is closed until the other end reads. */
    private static final class Full implements AutoCloseable {
        private final ServerSocketChannel listener = ServerSocketChannel.open();
        private final SocketChannel end;
        private final SocketChannel other;
        private final Descriptor descriptor;

        Full() throws IOException {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Set<Integer> before = sockets();
            end = SocketChannel.open();
            Set<Integer> after = sockets();
            after.removeAll(before);
            descriptor = new Descriptor(after.iterator().next());
            end.setOption(StandardSocketOptions.SO_LINGER, HELD_SECONDS);
            end.connect(listener.getLocalAddress());
            other = listener.accept();
            end.configureBlocking(false);
            while (end.write(ByteBuffer.allocate(1 << 16)) > 0) {
                Thread.onSpinWait();
            }
            end.configureBlocking(true);
        }

        private static Set<Integer> sockets() throws IOException {
            Set<Integer> numbers = new HashSet<>();
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                for (Path one : open.toList()) {
                    if (Files.isSymbolicLink(one) && Files.readSymbolicLink(one).toString().startsWith("socket:")) {
                        numbers.add(Integer.parseInt(one.getFileName().toString()));
                    }
                }
            }
            return numbers;
        }

        @Override
        public void close() throws IOException {
            end.close();
            other.close();
            listener.close();
        }
    }

    private static boolean isThreadThere() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("manafold-vfio-one-client"));
    }

    @Test
    void itDoesNothingToTheFunctionThatIsAnothersByThen() throws Exception {
        try (Server server = new Server(folder); Client client = server.client(); Full held = new Full();
                Memfd ram = Memfd.create("ram", 8192)) {
            assertThat(client.map(0, 4096, 0, 3, ram.descriptor()).errno()).isZero();
            byte[] message = Client.message(9, Client.DMA_MAP, 0, Client.mapBody(0x10000, 4096, 0, 3));
            client.raw(Arrays.copyOf(message, 20), held.descriptor);
            held.end.close();
            client.raw(Arrays.copyOfRange(message, 20, message.length));
            assertThat(client.receive().errno()).isEqualTo(Client.EINVAL);

            server.reception.end(false);
            assertThat(isThreadThere()).as("it is held").isTrue();
            assertThat(server.isClean()).isTrue();
            int resets = server.function.resets.get();
            assertThat(resets).isEqualTo(1);
            server.function.dma().map(0, 4096, ram.descriptor().number(), 0, true);
            Server.eventually("the thread comes back", () -> !isThreadThere());
            assertThat(server.function.resets).hasValue(resets);
            assertThat(server.function.memory.ranges()).isEqualTo(1);
        }
    }
}

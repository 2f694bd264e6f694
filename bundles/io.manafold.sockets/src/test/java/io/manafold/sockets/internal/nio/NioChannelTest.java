package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection as a channel, alone and in turn with its queues. */
@Timeout(300)
class NioChannelTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(ByteChannel channel, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            assertThat(channel.read(buffer)).isPositive();
        }
        return new String(buffer.array(), StandardCharsets.US_ASCII);
    }

    @Test
    void theChannelAndTheQueuesTakeTurns() throws IOException {
        try (Ends ends = new Ends(Knobs.USUAL)) {
            ByteChannel near = ends.near.channel();
            ends.put(0, "posted ");
            ends.near.send(ends.region.key(), 0, 7, 1);
            assertThat(near.write(bytes("written "))).isEqualTo(8);
            ends.near.send(ends.region.key(), 0, 7, 2);
            ends.queues.submit();

            assertThat(read(ends.far.channel(), 15)).isEqualTo("posted written ");
            ends.far.receive(ends.region.key(), 4096, 100, 3);
            int received = ends.until(ends.far, Operation.RECEIVE);
            assertThat(ends.text(4096, ends.completions.length(received))).isEqualTo("posted ");
        }
    }

    @Test
    void theEndOfTheStreamIsTheEndOfTheChannel() throws IOException {
        try (Ends ends = new Ends(Knobs.USUAL)) {
            ends.near.finish(1);
            ends.queues.submit();
            assertThat(ends.far.channel().read(ByteBuffer.allocate(10))).isEqualTo(-1);
            assertThat(ends.far.channel().read(ByteBuffer.allocate(10))).isEqualTo(-1);
            ends.far.channel().close();
            assertThat(ends.far.channel().isOpen()).isFalse();
            assertThatExceptionOfType(ClosedChannelException.class)
                    .isThrownBy(() -> ends.far.channel().write(bytes("x")));
        }
    }

    /** Peers of plain Java, hundreds of virtual threads, one thread of ours. */
    @Test
    void virtualThreadsBlockOnChannels() throws Exception {
        int connections = 50;
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        try (ServerSocket server = new ServerSocket(0, connections, InetAddress.getLoopbackAddress());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> {
                while (true) {
                    Socket socket = server.accept();
                    threads.submit(() -> echo(socket));
                }
            });
            List<Future<?>> talks = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                int seed = i;
                talks.add(threads.submit(() -> {
                    talk(context, (InetSocketAddress) server.getLocalSocketAddress(), seed);
                    return null;
                }));
            }
            try {
                for (Future<?> talk : talks) {
                    talk.get(120, TimeUnit.SECONDS);
                }
            } finally {
                // so that who accepts ends
                server.close();
            }
        }
        context.close();
        assertThat(memory.blocks()).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch(thread -> thread.getName()
                .startsWith("manafold-nio-channels") && thread.isAlive());
    }

    private static Void echo(Socket socket) throws IOException {
        try (socket; InputStream in = socket.getInputStream()) {
            in.transferTo(socket.getOutputStream());
        }
        return null;
    }

    private static void talk(Context context, InetSocketAddress to, int seed) throws Exception {
        Endpoint endpoint = context.connect(to, EndpointPlan.USUAL, Duration.ofSeconds(60));
        try (ByteChannel channel = endpoint.channel()) {
            byte[] sent = new byte[100_000];
            new Random(seed).nextBytes(sent);
            CompletableFuture<Void> writing = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                try {
                    channel.write(ByteBuffer.wrap(sent));
                    writing.complete(null);
                } catch (IOException failed) {
                    writing.completeExceptionally(failed);
                }
            });
            ByteBuffer received = ByteBuffer.allocateDirect(sent.length);
            while (received.hasRemaining()) {
                assertThat(channel.read(received)).isPositive();
            }
            writing.get(60, TimeUnit.SECONDS);
            byte[] came = new byte[sent.length];
            received.flip().get(came);
            assertThat(came).isEqualTo(sent);
        }
    }

    @Test
    void connectingForAChannelIsRefusedWithTheKernelsNumber() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Context context = new Context(new NioTransport(), "test", Blocks.source());
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> context.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), EndpointPlan.USUAL,
                Duration.ofSeconds(60)))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ECONNREFUSED));
        context.close();
    }
}

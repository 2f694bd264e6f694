package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.Ends;
import io.manafold.streams.Way;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What queues hold, they hold: more waits in the kernel, and goes on when there is room. */
@Timeout(300)
class RoomTest {
    private static final int ENTRIES = 16;
    private static final int SMALL = 64 << 10;
    private static final Duration SECOND = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void noMoreCompletionsThanWasAskedFor(String transport) throws Exception {
        MemorySource memory = Blocks.source();
        Way way = new TcpWay(transport, List.of());
        Context context = new Context(way.make(), "test", memory);
        try (AutoCloseable _ = context::close; MemoryBlock block = memory.make("test", 1 << 20)) {
            Region region = context.register(block, Region.SEND | Region.RECEIVE);
            Queues queues = context.queues(QueuesPlan.USUAL.withEntries(ENTRIES));
            ReceivePool pool = queues.pool(region, 256, 1024);
            Listener listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    EndpointPlan.USUAL, 1);
            Completions completions = new Completions(4096);
            List<Socket> peers = new ArrayList<>();
            List<Endpoint> endpoints = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                peers.add(new Socket(listener.local().getAddress(), listener.local().getPort()));
            }
            while (endpoints.size() < peers.size()) {
                assertThat(filled(queues, completions)).as("connections at once").isBetween(1, ENTRIES);
                for (int i = 0; i < completions.count(); i++) {
                    endpoints.add(completions.endpoint(i));
                }
            }
            byte[] sent = new byte[200_000];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = (byte) (i * 7 + (i >> 8));
            }
            endpoints.getFirst().receive(pool, 3);
            assertThat(queues.room()).as("the end has its place").isEqualTo(ENTRIES - 1);
            Socket peer = peers.stream().filter(one -> one.getLocalPort() == endpoints.getFirst().remote().getPort())
                    .findFirst().orElseThrow();
            peer.getOutputStream().write(sent);
            peer.shutdownOutput();
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            for (boolean ended = false; !ended;) {
                assertThat(filled(queues, completions)).as("completions at once").isBetween(1, ENTRIES);
                for (int i = 0; i < completions.count(); i++) {
                    assertThat(completions.errno(i)).isZero();
                    if (completions.has(i, Completions.POOLED)) {
                        byte[] part = new byte[(int) completions.length(i)];
                        block.segment().asSlice(completions.offset(i), part.length).asByteBuffer().get(part);
                        got.writeBytes(part);
                        pool.giveBack(completions.buffer(i));
                    }
                    ended |= completions.has(i, Completions.END);
                }
            }
            assertThat(got.toByteArray()).isEqualTo(sent);
            for (Socket one : peers) {
                one.close();
            }
        }
        assertThat(memory.blocks()).isEmpty();
    }

    /** Lets as many come as can, and takes them. */
    private static int filled(Queues queues, Completions completions) throws InterruptedException {
        queues.submit();
        queues.await(SECOND);
        for (int i = 0; i < 3; i++) {
            // it looks for more, which there is no room for
            queues.wakeup();
            queues.await(Duration.ofMillis(1));
        }
        return queues.poll(completions);
    }

    private static CompletableFuture<byte[]> readAll(ServerSocket server) {
        return CompletableFuture.supplyAsync(() -> {
            try (Socket peer = server.accept(); InputStream in = peer.getInputStream()) {
                return in.readAllBytes();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("io.manafold.sockets.internal.uring.TcpWay#all")
    void aChannelWaitsUntilTheProgramsOwnSendsLeaveRoom(Way way) throws Exception {
        try (Ends ends = new Ends(way); ServerSocket server = new ServerSocket()) {
            // the kernel is not to have room for all of it
            server.setReceiveBufferSize(SMALL);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Endpoint endpoint = ends.context.connect(ends.queues, new InetSocketAddress(server.getInetAddress(),
                    server.getLocalPort()), EndpointPlan.USUAL.with(way.knobs().with(Knob.BUFFERS,
                    Integer.toString(SMALL))).withQueues(2, 2), 9);
            assertThat(ends.next(endpoint, Operation.CONNECT).errno()).isZero();
            ends.fill(0, 2 << 20, 5);
            ByteChannel channel = endpoint.channel();
            endpoint.send(ends.region.key(), 0, 1 << 20, 1);
            endpoint.send(ends.region.key(), 1 << 20, 1 << 20, 2);
            CompletableFuture<Integer> other = new CompletableFuture<>();
            Thread writing = Thread.ofVirtual().start(() -> {
                try {
                    other.complete(channel
                            .write(ByteBuffer.wrap("of another thread".getBytes(StandardCharsets.US_ASCII))));
                } catch (IOException failed) {
                    other.completeExceptionally(failed);
                }
            });
            ends.turn(Duration.ofMillis(20));
            assertThat(other).as("written although the queue is full").isNotDone();
            CompletableFuture<byte[]> read = readAll(server);
            while (!other.isDone()) {
                ends.turn(Duration.ofMillis(100));
            }
            assertThat(other.get()).isEqualTo(17);
            writing.join();
            // the thread that serves the queues turns them itself
            endpoint.send(ends.region.key(), 0, 1000, 3);
            endpoint.send(ends.region.key(), 1000, 1000, 4);
            assertThat(channel.write(ByteBuffer.wrap("of this thread".getBytes(StandardCharsets.US_ASCII))))
                    .isEqualTo(14);
            endpoint.finish(5);
            while (!read.isDone()) {
                ends.turn(Duration.ofMillis(100));
            }
            byte[] all = read.get(60, TimeUnit.SECONDS);
            assertThat(all).hasSize((2 << 20) + 17 + 2000 + 14);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            expected.writeBytes(ends.bytes(0, 2 << 20));
            expected.writeBytes("of another thread".getBytes(StandardCharsets.US_ASCII));
            expected.writeBytes(ends.bytes(0, 2000));
            expected.writeBytes("of this thread".getBytes(StandardCharsets.US_ASCII));
            assertThat(all).isEqualTo(expected.toByteArray());
        }
    }
}

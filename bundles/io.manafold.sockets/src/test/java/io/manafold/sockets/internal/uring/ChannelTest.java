package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.streams.StreamQueues;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection as a channel, alone and in turn with its queues, over rings as over channels of Java. */
@Timeout(120)
class ChannelTest {
    private static final int ECANCELED = 125;
    private static final int KIB = 1024;

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

    private static void put(Ends ends, long offset, String text) {
        ends.block.segment().asSlice(offset, text.length()).copyFrom(MemorySegment.ofArray(
                text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String text(Ends ends, Done received) {
        return new String(ends.bytes(received.offset(), received.length()), StandardCharsets.US_ASCII);
    }

    /** Lets the queues go on until something is so. */
    private static void turnUntil(Ends ends, BooleanSupplier so) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!so.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds late").isNegative();
            ends.turn(Duration.ofMillis(5));
        }
    }

    @ParameterizedTest
    @MethodSource("io.manafold.sockets.internal.uring.TcpWay#all")
    void theChannelAndTheQueuesTakeTurns(Way way) throws IOException {
        try (Ends ends = new Ends(way)) {
            put(ends, 0, "posted ");
            ends.near.send(ends.region.key(), 0, 7, 1);
            assertThat(ends.near.channel().write(bytes("written "))).isEqualTo(8);
            ends.near.send(ends.region.key(), 0, 7, 2);
            ends.queues.submit();
            assertThat(read(ends.far.channel(), 15)).isEqualTo("posted written ");
            ends.far.receive(ends.region.key(), 4096, 100, 3);
            assertThat(text(ends, ends.next(ends.far, Operation.RECEIVE))).isEqualTo("posted ");
            ends.near.finish(4);
            ends.queues.submit();
            assertThat(ends.far.channel().read(ByteBuffer.allocate(10))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.manafold.sockets.internal.uring.TcpWay#all")
    void whatLiesInThePoolIsReadFirst(Way way) throws Exception {
        try (Ends ends = new Ends(way); ReceivePool pool = ends.queues.pool(ends.region, 4096, 4)) {
            put(ends, 100 * KIB, "in the pool");
            ends.near.send(ends.region.key(), 100 * KIB, 11, 2);
            turnUntil(ends, () -> ends.near.state().statistics().inFlight() == 0);
            ends.far.receive(pool, 1);
            // delivered, and not taken by the program
            for (int i = 0; i < 1000 && ends.far.state().statistics().receivedBytes() < 11; i++) {
                ends.queues.submit();
                ends.queues.await(Duration.ofMillis(50));
            }
            assertThat(pool.free()).as("buffers that are not lent").isEqualTo(3);
            assertThat(read(ends.far.channel(), 3)).isEqualTo("in ");
            Done rest = ends.next(ends.far, Operation.RECEIVE);
            assertThat(text(ends, rest)).as("what the channel has left").isEqualTo("the pool");
            pool.giveBack(rest.buffer());
            assertThat(ends.near.channel().write(bytes("and more"))).isEqualTo(8);
            assertThat(read(ends.far.channel(), 8)).isEqualTo("and more");
            ends.far.cancelReceives();
            assertThat(ends.next(ends.far, Operation.RECEIVE).errno()).isEqualTo(ECANCELED);
            assertThat(pool.free()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("io.manafold.sockets.internal.uring.TcpWay#all")
    void whatLiesInAPoolIsReadThoughAnotherIsArmed(Way way) throws Exception {
        try (Ends ends = new Ends(way);
                ReceivePool first = ends.queues.pool(ends.context.register(ends.block, 0, 32 * KIB, 2), 4096, 4);
                ReceivePool second = ends.queues.pool(ends.context.register(ends.block, 1 << 20, 32 * KIB, 2), 4096,
                        4)) {
            put(ends, 100 * KIB, "of the first");
            ends.near.send(ends.region.key(), 100 * KIB, 12, 2);
            turnUntil(ends, () -> ends.near.state().statistics().inFlight() == 0);
            ends.far.receive(first, 1);
            // delivered, and not taken by the program
            for (int i = 0; i < 1000 && ends.far.state().statistics().receivedBytes() < 12; i++) {
                ends.queues.submit();
                ends.queues.await(Duration.ofMillis(50));
            }
            ends.far.cancelReceives();
            arm(ends, second);
            assertThat(read(ends.far.channel(), 12)).isEqualTo("of the first");
            assertThat(first.free()).as("buffers that came back").isEqualTo(4);
            ends.far.cancelReceives();
            turnUntil(ends, () -> ends.seen.stream().filter(done -> done.errno() == ECANCELED).count() == 2);
        }
    }

    /** The reading thread has seen an open channel, and asks for bytes when the connection has ended meanwhile. */
    @Test
    void aReadThatCrossesTheEndIsToldOfIt() throws Exception {
        try (Ends ends = new Ends(new TcpWay("nio", List.of()));
                ReceivePool pool = ends.queues.pool(ends.region, 4096, 4)) {
            put(ends, 100 * KIB, "in the pool");
            ends.near.send(ends.region.key(), 100 * KIB, 11, 2);
            turnUntil(ends, () -> ends.near.state().statistics().inFlight() == 0);
            ends.far.receive(pool, 1);
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (ends.far.state().statistics().receivedBytes() < 11) {
                assertThat(System.nanoTime() - limit).as("nanoseconds late").isNegative();
                // delivered, and not taken by the program
                ends.queues.submit();
                ends.queues.await(Duration.ofMillis(50));
            }
            ByteChannel channel = ends.far.channel();
            CompletableFuture<Integer> came = new CompletableFuture<>();
            Thread reading = Thread.ofPlatform().daemon().unstarted(() -> {
                try {
                    came.complete(channel.read(ByteBuffer.allocate(3)));
                } catch (Throwable failed) {
                    came.completeExceptionally(failed);
                }
            });
            ((StreamQueues) ends.queues).run(() -> {
                // done after this, and before what the reading thread asks
                ends.far.close();
                reading.start();
                while (reading.getState() != Thread.State.WAITING && !came.isDone()) {
                    Thread.onSpinWait();
                }
            });
            assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> came.get(60, TimeUnit.SECONDS))
                    .withCauseInstanceOf(ClosedChannelException.class);
            Done left = ends.next(done -> done.operation() == Operation.RECEIVE && done.length() > 0);
            assertThat(text(ends, left)).isEqualTo("in the pool");
            pool.giveBack(left.buffer());
        }
    }

    /** As soon as what was taken back has come back; what completes meanwhile is not taken. */
    private static void arm(Ends ends, ReceivePool pool) throws IOException {
        while (true) {
            try {
                ends.far.receive(pool, 3);
                return;
            } catch (Refusal busy) {
                assertThat(busy.errno()).isEqualTo(Errno.EBUSY);
                // which takes what has come
                ends.far.channel().write(bytes("x"));
            }
        }
    }

    /** The kernel has little room in between. */
    private static Way small(Way way) {
        return new Way() {
            @Override
            public Transport make() {
                return way.make();
            }

            @Override
            public Knobs knobs() {
                return way.knobs().with(Knob.BUFFERS, Integer.toString(64 * KIB));
            }
        };
    }

    private static <T> CompletableFuture<T> onAThread(Callable<T> what) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(what.call());
            } catch (Throwable failed) {
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    @ParameterizedTest
    @MethodSource("io.manafold.sockets.internal.uring.TcpWay#all")
    void whatTheProgramTakesBackIsItsOwnAndNotTheChannels(Way way) throws Exception {
        try (Ends ends = new Ends(small(way))) {
            CompletableFuture<String> reading = onAThread(() -> read(ends.far.channel(), 5));
            turnUntil(ends, () -> ends.far.state().statistics().inFlight() == 1);
            assertThat(ends.far.cancelReceives()).as("receives of the program").isZero();
            ends.far.receive(ends.region.key(), 0, 100, 5);
            assertThat(ends.far.cancelReceives()).isEqualTo(1);
            Done back = ends.next(ends.far, Operation.RECEIVE);
            assertThat(back.errno()).isEqualTo(ECANCELED);
            assertThat(back.tag()).isEqualTo(5);
            assertThat(reading).isNotDone();
            put(ends, 0, "hello");
            ends.near.send(ends.region.key(), 0, 5, 6);
            turnUntil(ends, reading::isDone);
            assertThat(reading.get()).isEqualTo("hello");
            ends.next(ends.near, Operation.SEND);
            // more than the kernel has room for, so that what is behind it waits
            ends.fill(0, 3 << 20, 9);
            ends.near.send(ends.region.key(), 0, 3 << 20, 7);
            ends.turn(Duration.ofMillis(20));
            CompletableFuture<Integer> writing = onAThread(() -> ends.near.channel().write(bytes("of the channel")));
            turnUntil(ends, () -> ends.near.state().statistics().inFlight() == 2);
            ends.near.send(ends.region.key(), 0, 100, 8);
            assertThat(ends.near.cancelSends()).as("sends of the program").isEqualTo(1);
            assertThat(ends.next(done -> done.endpoint() == ends.near && done.tag() == 8).errno())
                    .isEqualTo(ECANCELED);
            long got = 0;
            byte[] last = new byte[0];
            while (got < (3 << 20) + 14) {
                ends.far.receive(ends.region.key(), 3 << 20, 1 << 20, 9);
                Done come = ends.next(ends.far, Operation.RECEIVE);
                assertThat(come.errno()).isZero();
                last = ends.bytes(come.offset(), come.length());
                got += come.length();
            }
            assertThat(new String(last, StandardCharsets.ISO_8859_1)).endsWith("of the channel");
            turnUntil(ends, writing::isDone);
            assertThat(writing.get()).isEqualTo(14);
        }
    }

    private static Void echo(Socket socket) throws IOException {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        }
        return null;
    }

    private static Void talk(Context context, InetSocketAddress to, int seed) throws Exception {
        Endpoint endpoint = context.connect(to, EndpointPlan.USUAL, Duration.ofSeconds(60));
        try (ByteChannel channel = endpoint.channel()) {
            byte[] sent = new byte[100_000];
            new Random(seed).nextBytes(sent);
            CompletableFuture<Integer> writing = onAThread(() -> channel.write(ByteBuffer.wrap(sent)));
            ByteBuffer received = ByteBuffer.allocate(sent.length);
            while (received.hasRemaining()) {
                assertThat(channel.read(received)).isPositive();
            }
            assertThat(writing.get(60, TimeUnit.SECONDS)).isEqualTo(sent.length);
            assertThat(received.array()).isEqualTo(sent);
        }
        return null;
    }

    /** Peers of plain Java, tens of virtual threads that connect, write and read, and one thread of ours. */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void virtualThreadsBlockOnChannels(String transport) throws Exception {
        int connections = 30;
        MemorySource memory = Blocks.source();
        Context context = new Context(new TcpWay(transport, List.of()).make(), "test", memory);
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
                talks.add(threads.submit(() -> talk(context, (InetSocketAddress) server.getLocalSocketAddress(),
                        seed)));
            }
            try {
                for (Future<?> talk : talks) {
                    talk.get(60, TimeUnit.SECONDS);
                }
            } finally {
                // so that who accepts ends
                server.close();
            }
        }
        context.close();
        assertThat(memory.blocks()).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch(thread -> thread.getName()
                .equals("manafold-" + transport + "-channels") && thread.isAlive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void whoIsInterruptedLeavesNoConnection(String transport) throws Exception {
        Context context = new Context(new TcpWay(transport, List.of()).make(), "test", Blocks.source());
        try (AutoCloseable _ = context::close; ServerSocket server = new ServerSocket(0, 1,
                InetAddress.getLoopbackAddress())) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> context.connect((InetSocketAddress)
                    server.getLocalSocketAddress(), EndpointPlan.USUAL, Duration.ofSeconds(60)));
            try (Socket peer = server.accept()) {
                peer.setSoTimeout(20_000);
                assertThat(peer.getInputStream().read()).as("the end of the stream").isEqualTo(-1);
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!context.endpoints().isEmpty()) {
                assertThat(System.nanoTime() - end).as("nanoseconds late").isNegative();
                Thread.sleep(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void aChannelThatHasNoMemoryLeavesNone(String transport) {
        try (Ends ends = new Ends(new TcpWay(transport, List.of()))) {
            int blocks = ends.memory.blocks().size();
            for (int i = ends.context.regions().size(); i < 4096; i++) {
                ends.context.register(ends.block, 2);
            }
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(Refusal.class).isThrownBy(ends.near::channel)
                        .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOSPC));
            }
            assertThat(ends.memory.blocks()).hasSize(blocks);
        }
    }

    private static void assertRefused(Context context, InetSocketAddress to, Duration limit, Errno errno) {
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> context.connect(to, EndpointPlan.USUAL, limit))
                .satisfies(refusal -> assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(errno));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void connectingForAChannelIsRefusedWithTheKernelsNumber(String transport) throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new TcpWay(transport, List.of()).make(), "test", memory);
        try (AutoCloseable _ = context::close; ServerSocket full = new ServerSocket(0, 1,
                InetAddress.getLoopbackAddress()); ServerSocket gone = new ServerSocket(0, 1,
                InetAddress.getLoopbackAddress())) {
            gone.close();
            Duration enough = Duration.ofSeconds(60);
            assertRefused(context, new InetSocketAddress(InetAddress.getLoopbackAddress(), gone.getLocalPort()), enough,
                    Errno.ECONNREFUSED);
            // TCP has no way to a group
            assertRefused(context, new InetSocketAddress("224.0.0.1", 7), enough, Errno.ENETUNREACH);
            List<Socket> ahead = new ArrayList<>();
            try {
                // a backlog that is full answers nothing
                for (int i = 0; i < 2; i++) {
                    ahead.add(new Socket(full.getInetAddress(), full.getLocalPort()));
                }
                assertRefused(context, (InetSocketAddress) full.getLocalSocketAddress(), Duration.ofMillis(300),
                        Errno.ETIMEDOUT);
            } finally {
                for (Socket one : ahead) {
                    one.close();
                }
            }
        }
        assertThat(memory.blocks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void whereNoWayLeadsOrNoAnswerComesConnectingIsACompletionThatSaysSo(String transport) throws Exception {
        try (Ends ends = new Ends(new TcpWay(transport, List.of())); ServerSocket full = new ServerSocket(0, 1,
                InetAddress.getLoopbackAddress())) {
            Endpoint lost = ends.context.connect(ends.queues, new InetSocketAddress("224.0.0.1", 7), EndpointPlan.USUAL,
                    10);
            assertThat(ends.next(lost, Operation.CONNECT).errno()).isEqualTo(Errno.ENETUNREACH.number());
            assertThat(lost.failure()).contains("224.0.0.1");
            List<Endpoint> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                all.add(ends.context.connect(ends.queues, (InetSocketAddress) full.getLocalSocketAddress(),
                        EndpointPlan.USUAL.withConnectLimit(Duration.ofMillis(300)), 11));
            }
            Done late = ends.next(done -> done.tag() == 11 && done.errno() != 0);
            assertThat(late.operation()).isEqualTo(Operation.CONNECT);
            assertThat(late.errno()).isEqualTo(Errno.ETIMEDOUT.number());
            assertThat(late.endpoint().failure()).contains("time");
            for (Endpoint one : all) {
                one.close();
                ends.next(one, Operation.CLOSE);
            }
        }
    }
}

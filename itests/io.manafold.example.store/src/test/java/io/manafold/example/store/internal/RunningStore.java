package io.manafold.example.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.memory.SharedBlocks;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Context;
import io.manafold.sockets.internal.uring.UringTransport;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A store on the loopback without a framework. */
final class RunningStore implements AutoCloseable {
    private static final int LIMIT_MILLIS = 60_000;

    final MemorySource memory = new SharedBlocks(new SharedBlocks.Config() {
        @Override
        public int blocks() {
            return 16;
        }

        @Override
        public long bytes() {
            return 1L << 30;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    });
    final Thread thread;
    private final Context sockets;
    private final MemoryBlock block;
    private final Server server;

    /** @param transport {@code nio} or {@code uring} */
    RunningStore(String transport, int mebibytes, int clients) {
        sockets = new Context(transport.equals("nio") ? new NioTransport() : new UringTransport(), "store", memory);
        block = memory.make("store", ((long) mebibytes << 20) + (long) clients * Server.BYTES_OF_CLIENT);
        server = new Server(sockets, block, new Server.Plan(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                clients, QueuesPlan.USUAL, EndpointPlan.USUAL.withQueues(Replies.SENDS, 1).withPieces(Replies.PIECES)));
        thread = Thread.ofPlatform().daemon().start(server);
    }

    int port() throws InterruptedException {
        while (server.local() == null) {
            assertThat(thread.isAlive()).as("the store runs").isTrue();
            Thread.sleep(5);
        }
        return server.local().getPort();
    }

    Socket connect() throws IOException, InterruptedException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads as many characters as an answer has that is expected. */
    static String read(Socket socket, int length) throws IOException {
        byte[] bytes = new byte[length];
        new DataInputStream(socket.getInputStream()).readFully(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Reads to the end of the stream. */
    static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    static void ask(Socket socket, String command, String answer) throws IOException {
        send(socket, command);
        assertThat(read(socket, answer.length())).isEqualTo(answer);
    }

    static String command(String... words) {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return command.toString();
    }

    static String bulk(String value) {
        return "$" + value.length() + "\r\n" + value + "\r\n";
    }

    @Override
    public void close() throws InterruptedException {
        server.stop();
        thread.join();
        sockets.close();
        block.close();
        assertThat(memory.blocks()).as("memory that is held still").isEmpty();
    }
}

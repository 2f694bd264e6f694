package io.manafold.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Small messages there and back on many connections: a selector and a thread at each end. */
final class NioMany implements Carrier {
    private final TcpCase what;
    private final Selector near = Selector.open();
    private final Selector far = Selector.open();
    private final List<SocketChannel> ends = new ArrayList<>();
    private final ByteBuffer message;
    private final ByteBuffer answer;
    private final Thread other;
    private volatile boolean stopping;
    private volatile long farCalls;
    private long nearCalls;
    private long trips;
    private boolean isOver;

    NioMany(TcpCase what) throws IOException {
        this.what = what;
        message = ByteBuffer.allocateDirect(what.bytes());
        answer = ByteBuffer.allocateDirect(what.bytes());
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), what.connections());
            for (int i = 0; i < what.connections(); i++) {
                end(SocketChannel.open(server.getLocalAddress()), near);
                end(server.accept(), far);
            }
        }
        other = Thread.ofPlatform().daemon().name("nio-echoes").start(this::serve);
    }

    private void end(SocketChannel channel, Selector selector) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        ends.add(channel);
    }

    private void serve() {
        try {
            while (!stopping) {
                far.select(this::echo);
                farCalls = farCalls + 1;
            }
        } catch (IOException closed) {
            // its end
        }
    }

    private void echo(SelectionKey key) {
        try {
            SocketChannel channel = (SocketChannel) key.channel();
            answer.clear();
            if (channel.read(answer) > 0) {
                channel.write(answer.flip());
            }
            farCalls = farCalls + 2;
        } catch (IOException closed) {
            key.cancel();
        }
    }

    private void came(SelectionKey key) {
        try {
            SocketChannel channel = (SocketChannel) key.channel();
            message.clear();
            // so short a message is whole
            if (channel.read(message) == what.bytes()) {
                trips++;
                nearCalls++;
                if (!isOver) {
                    channel.write(message.flip());
                    nearCalls++;
                }
            }
        } catch (IOException closed) {
            key.cancel();
        }
    }

    @Override
    public Slice run(long millis) throws IOException {
        long begin = System.nanoTime();
        long cpu = Cpu.nanos();
        long sends = nearCalls;
        long receives = farCalls;
        long before = trips;
        isOver = false;
        for (int i = 0; i < ends.size(); i += 2) {
            ends.get(i).write(message.clear());
            nearCalls++;
        }
        long posted = what.connections();
        for (long out = posted; out > 0;) {
            long known = trips;
            isOver = System.nanoTime() - begin >= millis * 1_000_000;
            near.select(this::came);
            nearCalls++;
            out -= isOver ? trips - known : 0;
        }
        return new Slice((trips - before) * what.bytes(), Cpu.nanos() - cpu, System.nanoTime() - begin,
                nearCalls - sends, farCalls - receives, Double.NaN);
    }

    @Override
    public long[] threads() {
        return new long[] {Thread.currentThread().threadId(), other.threadId()};
    }

    @Override
    public void close() throws Exception {
        stopping = true;
        far.wakeup();
        other.join();
        for (SocketChannel end : ends) {
            end.close();
        }
        near.close();
        far.close();
    }
}

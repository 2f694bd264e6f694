package io.manafold.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Channels of Java that block, a thread at each end; a write for each message, or one for many. */
final class NioStream implements Carrier {
    private static final int READ = 256 << 10;

    private final SocketChannel near;
    private final SocketChannel far;
    private final Thread other;
    private final Received received = new Received();
    private final ByteBuffer[] messages;
    private final boolean gathers;
    private volatile long reads;
    private long writes;
    private long sent;

    /** @param sendBuffer bytes of the kernel's send buffer, 0 as the kernel sizes it */
    NioStream(TcpCase what, boolean gathers, int sendBuffer) throws IOException {
        this.gathers = gathers;
        messages = new ByteBuffer[what.burst()];
        ByteBuffer memory = ByteBuffer.allocateDirect(what.bytes() * messages.length);
        for (int i = 0; i < messages.length; i++) {
            messages[i] = memory.slice(i * what.bytes(), what.bytes());
        }
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open(server.getLocalAddress());
            far = server.accept();
            if (sendBuffer > 0) {
                near.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
            }
        }
        other = Thread.ofPlatform().daemon().name("nio-receiver").start(this::receive);
    }

    private void receive() {
        ByteBuffer into = ByteBuffer.allocateDirect(READ);
        try (far) {
            for (int got = 0; got >= 0;) {
                into.clear();
                got = far.read(into);
                count();
                received.add(Math.max(0, got));
            }
        } catch (IOException closed) {
            // its end
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void count() {
        reads = reads + 1;
    }

    @Override
    public Slice run(long millis) throws IOException {
        long begin = System.nanoTime();
        long cpu = Cpu.nanos();
        long sends = writes;
        long receives = reads;
        long before = sent;
        do {
            for (ByteBuffer message : messages) {
                message.rewind();
            }
            if (gathers) {
                while (messages[messages.length - 1].hasRemaining()) {
                    sent += near.write(messages);
                    writes++;
                }
            } else {
                for (ByteBuffer message : messages) {
                    while (message.hasRemaining()) {
                        sent += near.write(message);
                        writes++;
                    }
                }
            }
        } while (System.nanoTime() - begin < millis * 1_000_000);
        received.await(sent);
        return new Slice(sent - before, Cpu.nanos() - cpu, System.nanoTime() - begin, writes - sends, reads - receives,
                Double.NaN);
    }

    @Override
    public long[] threads() {
        return new long[] {Thread.currentThread().threadId(), other.threadId()};
    }

    @Override
    public void close() throws Exception {
        near.close();
        other.join();
    }
}

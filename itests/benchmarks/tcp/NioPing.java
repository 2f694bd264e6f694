package io.manafold.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/** A message there and back over channels of Java, which block or are read again and again. */
final class NioPing implements Carrier {
    private final TcpCase what;
    private final ByteBuffer message;
    private final HalfTrips trips = new HalfTrips();
    private final SocketChannel near;
    private final SocketChannel far;
    private final Thread other;
    private volatile boolean isResting;
    private volatile boolean isOpen = true;

    NioPing(TcpCase what) throws IOException {
        this.what = what;
        message = ByteBuffer.allocateDirect(what.bytes());
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open(server.getLocalAddress());
            far = server.accept();
        }
        for (SocketChannel end : new SocketChannel[] {near, far}) {
            end.setOption(StandardSocketOptions.TCP_NODELAY, true);
            end.configureBlocking(!what.spins());
        }
        other = Thread.ofPlatform().daemon().name("nio-echo").start(this::answer);
    }

    private void answer() {
        ByteBuffer there = ByteBuffer.allocateDirect(what.bytes());
        try (far) {
            while (read(far, there)) {
                write(far, there);
            }
        } catch (IOException closed) {
            // its end
        }
    }

    private boolean read(SocketChannel from, ByteBuffer into) throws IOException {
        into.clear();
        while (into.hasRemaining()) {
            int got = from.read(into);
            if (got < 0) {
                return false;
            }
            while (got == 0 && isResting && isOpen) {
                // who waits awake would take a processor from the others
                LockSupport.parkNanos(100_000);
            }
        }
        return true;
    }

    private static void write(SocketChannel into, ByteBuffer from) throws IOException {
        from.flip();
        while (from.hasRemaining()) {
            into.write(from);
        }
    }

    @Override
    public Slice run(long millis) throws IOException {
        isResting = false;
        long cpu = Cpu.nanos();
        long begin = trips.begin();
        while (trips.now() - begin < millis * 1_000_000 && !trips.isFull()) {
            message.position(message.capacity());
            write(near, message);
            if (!read(near, message)) {
                throw new IOException("the other end has closed");
            }
            trips.end();
        }
        long wall = System.nanoTime() - begin;
        long used = Cpu.nanos() - cpu;
        trips.close();
        isResting = what.spins();
        return new Slice((long) what.bytes() * trips.count(), used, wall, -1, -1, 2 * trips.median());
    }

    @Override
    public long[] threads() {
        return new long[] {Thread.currentThread().threadId(), other.threadId()};
    }

    @Override
    public void close() throws Exception {
        isOpen = false;
        near.close();
        other.join();
    }
}

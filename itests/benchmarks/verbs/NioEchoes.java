package io.manafold.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The same message there and back over TCP through the loopback device, a thread at each end that waits in the kernel.
 */
final class NioEchoes implements Peer {
    private final ByteBuffer message;
    private final HalfTrips trips = new HalfTrips();
    private final SocketChannel near;
    private final SocketChannel far;
    private final Thread other;

    NioEchoes(RdmaCase what) throws IOException {
        message = ByteBuffer.allocateDirect(what.bytes());
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open(server.getLocalAddress());
            far = server.accept();
        }
        near.setOption(StandardSocketOptions.TCP_NODELAY, true);
        far.setOption(StandardSocketOptions.TCP_NODELAY, true);
        other = Thread.ofPlatform().daemon().name("loopback").start(this::answer);
    }

    private void answer() {
        ByteBuffer there = ByteBuffer.allocateDirect(message.capacity());
        try (far) {
            while (read(far, there)) {
                write(far, there);
            }
        } catch (IOException closed) {
            // its end
        }
    }

    private static boolean read(SocketChannel from, ByteBuffer into) throws IOException {
        into.clear();
        while (into.hasRemaining()) {
            if (from.read(into) < 0) {
                return false;
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
    public boolean isByTheClock() {
        return true;
    }

    @Override
    public double slice(long millis) throws IOException {
        long begin = trips.begin();
        while (trips.now() - begin < millis * 1_000_000 && !trips.isFull()) {
            message.position(message.capacity());
            write(near, message);
            if (!read(near, message)) {
                throw new IOException("the other end has closed");
            }
            trips.end();
        }
        trips.close();
        return trips.median();
    }

    @Override
    public void close() {
        try {
            near.close();
            other.join();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}

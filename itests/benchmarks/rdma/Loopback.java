package io.manafold.benchmark;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A stream over TCP through the loopback device, a thread at each end. Nanoseconds are of the clock. */
final class Loopback implements Peer {
    private final int bytes;
    private final boolean fromMemory;
    /** Its own, since what a virtual machine may have in direct buffers is limited. */
    private final Arena arena = Arena.ofShared();
    private final ByteBuffer source = arena.allocate(RdmaEndpoint.BYTES).asByteBuffer();
    private final SocketChannel sender;
    private final SocketChannel receiver;
    private final Thread thread;
    private int at;

    Loopback(RdmaCase what) throws IOException {
        bytes = what.bytes();
        fromMemory = what.fromMemory();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender = SocketChannel.open(server.getLocalAddress());
            receiver = server.accept();
        }
        thread = Thread.ofPlatform().daemon().name("loopback").start(this::receive);
    }

    private void receive() {
        int place = 0;
        try (receiver) {
            ByteBuffer into = arena.allocate(RdmaEndpoint.BYTES).asByteBuffer();
            for (int got = 0; got >= 0;) {
                place = !fromMemory || place + 2 * bytes > RdmaEndpoint.BYTES ? 0 : place + bytes;
                into.limit(place + bytes).position(place);
                while (got >= 0 && into.hasRemaining()) {
                    got = receiver.read(into);
                }
            }
        } catch (IOException closed) {
            // its end
        }
    }

    @Override
    public boolean isByTheClock() {
        return true;
    }

    @Override
    public double slice(long millis) throws IOException {
        long begin = System.nanoTime();
        long end = begin + millis * 1_000_000;
        long messages = 0;
        do {
            source.limit(at + bytes).position(at);
            while (source.hasRemaining()) {
                sender.write(source);
            }
            at = !fromMemory || at + 2 * bytes > RdmaEndpoint.BYTES ? 0 : at + bytes;
            messages++;
        } while (System.nanoTime() - end < 0);
        return (System.nanoTime() - begin) / (double) messages;
    }

    @Override
    public void close() {
        try {
            sender.close();
            thread.join();
            arena.close();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}

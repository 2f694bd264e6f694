package io.manafold.ethernet.internal.function;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketFilter;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.ethernet.internal.queue.Sends;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A user above a device for tests: sends what it is given, keeps copies of what arrives. */
final class Station implements PacketUser, AutoCloseable {
    /** A packet as it arrived. */
    record Arrived(byte[] bytes, int flags, int hash, int tag, int queue) {
    }

    final NetDevice device;
    final BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
    final List<PacketBuffer> kept = new CopyOnWriteArrayList<>();
    final PacketPort port;
    volatile boolean keeping;

    Station(NetDevice device) {
        this.device = device;
        port = device.attach(this);
    }

    Station(NetDevice device, int etherType) {
        this.device = device;
        port = device.attach(this, etherType);
    }

    Station(NetDevice device, PacketFilter filter) {
        this.device = device;
        port = device.attach(this, filter);
    }

    @Override
    public String name() {
        return "station";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            byte[] bytes = new byte[packet.length()];
            packet.get(0, bytes, 0, bytes.length);
            arrived.add(new Arrived(bytes, packet.flags(), packet.hash(), packet.tag(), packet.queue()));
            if (keeping) {
                kept.add(packet);
            } else {
                packet.release();
            }
        }
    }

    /** Sends a frame; waits until it is accepted. */
    void send(byte[] frame) {
        send(frame, _ -> { });
    }

    /** Sends a frame with something wanted of it, in as many buffers as it takes. */
    void send(byte[] frame, Consumer<PacketBuffer> wanted) {
        long deadline = System.nanoTime() + Bench.PATIENCE;
        while (!trySend(frame, Integer.MAX_VALUE, wanted)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("nothing is accepted");
            }
            Thread.onSpinWait();
        }
    }

    /** Sends a frame in pieces of a size; false if it was not accepted. */
    boolean trySend(byte[] frame, int piece, Consumer<PacketBuffer> wanted) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        boolean taken = port.execute(() -> {
            try {
                done.complete(sendNow(frame, piece, wanted));
            } catch (RuntimeException failed) {
                done.completeExceptionally(failed);
            }
        });
        if (!taken) {
            return false;
        }
        return done.orTimeout(Bench.PATIENCE, TimeUnit.NANOSECONDS).join();
    }

    private boolean sendNow(byte[] frame, int piece, Consumer<PacketBuffer> wanted) {
        PacketBuffer[] one = new PacketBuffer[1];
        PacketBuffer first = null;
        PacketBuffer last = null;
        for (int at = 0; at < frame.length; ) {
            if (port.take(one, 0, 1) == 0) {
                if (first != null) {
                    Sends.release(first);
                }
                return false;
            }
            PacketBuffer buffer = one[0];
            int bytes = Math.min(piece, Math.min(frame.length - at, buffer.capacity() - buffer.headroom()));
            buffer.place(buffer.headroom(), bytes);
            buffer.put(0, frame, at, bytes);
            at += bytes;
            if (first == null) {
                first = buffer;
            } else {
                last.next(buffer);
            }
            last = buffer;
        }
        wanted.accept(first);
        one[0] = first;
        if (port.send(one, 0, 1) == 1) {
            return true;
        }
        Sends.release(first);
        return false;
    }

    Arrived next() {
        try {
            Arrived one = arrived.poll(Bench.PATIENCE, TimeUnit.NANOSECONDS);
            if (one == null) {
                throw new AssertionError("nothing has arrived at " + device.name());
            }
            return one;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** A frame to another device with a number in it. */
    byte[] frame(NetDevice to, int number, int length) {
        byte[] frame = new byte[length];
        for (int i = 0; i < length; i++) {
            frame[i] = (byte) (i * 31 + number);
        }
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (to.mac().value() >>> 40 - 8 * i);
            frame[6 + i] = (byte) (device.mac().value() >>> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }

    @Override
    public void close() {
        port.close();
        kept.forEach(PacketBuffer::release);
    }
}

package io.manafold.fabric.internal;

import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A port of the test's own: sends what it is given, each byte array as a burst of its own or several together. */
final class Station implements Plug, AutoCloseable {
    private static final int MEMORY = 1 << 20;

    private final String name;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(MEMORY);
    private final MemorySegment copied = arena.allocate(1 << 16);
    private final FrameBurst burst = new FrameBurst(256, 1024);
    private final ConcurrentLinkedQueue<List<byte[]>> outgoing = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<byte[]> incoming = new LinkedBlockingQueue<>();
    private volatile Wire wire;
    /** Into how many pieces frames are cut. */
    volatile int pieces = 1;
    /** Says of each frame in one piece but the first that it repeats the addresses before it, whatever they are. */
    volatile boolean repeating;
    volatile Consumer<Station> onWork = station -> { };
    volatile Runnable onReceive = () -> { };
    volatile long cycles;
    volatile boolean unplugged;
    volatile boolean calledAfterwards;

    Station(String name) {
        this.name = name;
    }

    static Station on(Link link, String name) {
        Station station = new Station(name);
        station.plugInto(link);
        return station;
    }

    void plugInto(Link link) {
        unplugged = false;
        wire = link.plug(this);
        wire.wake();
    }

    CompanionWire plugBeside(Link link, String port) {
        CompanionWire beside = link.plugBeside(port, this);
        wire = beside;
        beside.wake();
        return beside;
    }

    Wire wire() {
        return wire;
    }

    void send(byte[]... frames) {
        outgoing.add(List.of(frames));
        Wire to = wire;
        if (to != null) {
            to.wake();
        }
    }

    /** What arrived next, or null after a while. */
    byte[] next() throws InterruptedException {
        return incoming.poll(60, TimeUnit.SECONDS);
    }

    List<byte[]> take(int count) throws InterruptedException {
        List<byte[]> all = new ArrayList<>();
        while (all.size() < count) {
            byte[] one = next();
            if (one == null) {
                throw new AssertionError(name + " got " + all.size() + " frames of " + count);
            }
            all.add(one);
        }
        return all;
    }

    int waiting() {
        return incoming.size();
    }

    List<byte[]> drain() {
        List<byte[]> all = new ArrayList<>();
        incoming.drainTo(all);
        return all;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int doWork() {
        calledAfterwards |= unplugged;
        cycles++;
        onWork.accept(this);
        Wire to = wire;
        List<byte[]> frames = to == null ? null : outgoing.poll();
        if (frames == null) {
            return 0;
        }
        burst.clear();
        long offset = 0;
        for (byte[] frame : frames) {
            MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, offset, frame.length);
            int cut = Math.min(pieces, frame.length);
            if (repeating && !burst.isEmpty()) {
                burst.addWhole(0, memory.address() + offset, frame.length);
                burst.repeat();
                offset += frame.length;
                continue;
            }
            burst.begin(0);
            int done = 0;
            for (int piece = 0; piece < cut; piece++) {
                int length = piece == cut - 1 ? frame.length - done : frame.length / cut;
                burst.add(memory.address() + offset + done, length);
                done += length;
            }
            offset += frame.length;
        }
        to.send(burst);
        return frames.size();
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        calledAfterwards |= unplugged;
        onReceive.run();
        for (int frame = from; frame < to; frame++) {
            byte[] bytes = new byte[frames.length(frame)];
            Pieces.copy(frames, frame, copied.address(), bytes.length);
            MemorySegment.copy(copied, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
            incoming.add(bytes);
        }
    }

    void unplug() {
        wire.close();
        unplugged = true;
    }

    @Override
    public void close() {
        if (wire != null) {
            wire.close();
        }
        arena.close();
    }

    /** A frame of a length whose payload begins with a number. */
    static byte[] frame(long to, long from, int number, int length) {
        java.nio.ByteBuffer frame = java.nio.ByteBuffer.allocate(length);
        frame.putShort((short) (to >>> 32)).putInt((int) to).putShort((short) (from >>> 32)).putInt((int) from);
        frame.putShort((short) 0x88b5);
        if (length >= 18) {
            frame.putInt(number);
        }
        for (int i = 18; i < length; i++) {
            frame.put(i, (byte) (number * 31 + i));
        }
        return frame.array();
    }

    static int number(byte[] frame) {
        return java.nio.ByteBuffer.wrap(frame).getInt(14);
    }

    /** Waits until something holds, for a minute at most; what is asserted next says if it does not. */
    static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}

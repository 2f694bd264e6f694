package io.manafold.benchmark;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A port of the link that sends frames out of memory of its own, a burst in each turn of the link's thread and each
 * burst to another queue of the receiver, as long as those that went before have all been taken.
 */
final class FrameSource implements Plug, AutoCloseable {
    static final String PORT = "source/1";
    private static final int BURST = 64;
    private static final int TURNS = 32;
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;
    private static final long PATIENCE = 20_000_000_000L;

    private final Arena memory = Arena.ofShared();
    private final FrameBurst[] bursts;
    private final long[] headers;
    private final FrameSink sink;
    private Wire wire;
    private volatile int phase = IDLE;
    private volatile long nanos;
    private boolean begun;
    private boolean stopping;
    private int turns;
    private int next;
    private long sent;
    private long sum;
    private volatile boolean met;
    private long cpuBegin;
    private long allocatedBegin;
    private long packetsBegin;
    private double cpuEach;
    private double allocatedEach;

    /** @param frames one for each queue of the receiver */
    FrameSource(byte[][] frames, FrameSink sink) {
        this.sink = sink;
        bursts = new FrameBurst[frames.length];
        headers = new long[frames.length];
        for (int i = 0; i < frames.length; i++) {
            MemorySegment copy = memory.allocate(frames[i].length, 64);
            MemorySegment.copy(frames[i], 0, copy, ValueLayout.JAVA_BYTE, 0, frames[i].length);
            headers[i] = copy.get(FrameSink.WORD, FrameSink.FIRST) + copy.get(FrameSink.WORD, FrameSink.SECOND);
            bursts[i] = new FrameBurst(BURST, BURST);
            for (int k = 0; k < BURST; k++) {
                bursts[i].addWhole(Frames.IP_GOOD | Frames.L4_GOOD, copy.address(), frames[i].length);
            }
        }
    }

    void plugged(Wire into) {
        wire = into;
    }

    /** Sends for so much processor time of the link's thread; what a packet cost is known then. */
    void run(long processorNanos) {
        nanos = processorNanos;
        begun = false;
        phase = RUNNING;
        wire.wake();
        await(() -> phase == OVER, "not all frames have arrived");
        phase = IDLE;
    }

    double cpuEach() {
        return cpuEach;
    }

    double allocatedEach() {
        return allocatedEach;
    }

    /** What the headers of all packets sum up to. */
    long sum() {
        return sum;
    }

    /** Waits until a station is heard, so that the switch knows where it is. */
    void meet() {
        await(() -> met, "the receiver is not heard");
    }

    @Override
    public String toString() {
        return sent + " sent, " + sink.received() + " received";
    }

    private void await(BooleanSupplier condition, String otherwise) {
        long limit = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(200_000);
            if (System.nanoTime() - limit > 0) {
                throw new IllegalStateException(otherwise + ": " + this);
            }
        }
    }

    @Override
    public String name() {
        return PORT;
    }

    @Override
    public int doWork() {
        if (phase != RUNNING) {
            return 0;
        }
        if (!begun) {
            begin();
        }
        if (sink.received() < sent) {
            return 1;
        }
        if (++turns == TURNS) {
            turns = 0;
            if (Clock.threadNanos() - cpuBegin >= nanos) {
                end();
                return 1;
            }
        }
        wire.send(bursts[next]);
        sum += BURST * headers[next];
        next = next + 1 == bursts.length ? 0 : next + 1;
        sent += BURST;
        return 1;
    }

    private void begin() {
        begun = true;
        packetsBegin = sink.received();
        allocatedBegin = Clock.allocatedHere();
        cpuBegin = Clock.threadNanos();
    }

    private void end() {
        double packets = sink.received() - packetsBegin;
        cpuEach = (Clock.threadNanos() - cpuBegin) / packets;
        // what asking costs is not the packets'
        allocatedEach = Math.max(0, Clock.allocatedHere() - allocatedBegin - 512) / packets;
        phase = OVER;
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        met = true;
    }

    @Override
    public void close() {
        wire.close();
        memory.close();
    }
}

package io.manafold.benchmark;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;

/**
 * Who stands above the two devices: one fills buffers and sends them, a batch in each cycle, the other looks at what
 * arrives and lets it go. Both are on the thread that the devices share.
 */
final class DriverTraffic implements Pairs.Ours, AutoCloseable {
    static final String THREAD = "manafold-driver";
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;
    private static final int MEETING = 3;
    /** Frames under way at most, some less than the rings hold. */
    private static final int WINDOW = 768;
    private static final int TURNS = 64;
    private static final int TYPE = 0x88b5;
    private static final long PATIENCE = 20_000_000_000L;

    private final long left;
    private final long right;
    private final int length;
    private final int batch;
    private final PacketBuffer[] burst;
    private final PacketPort from;
    private final PacketPort to;
    private volatile int phase;
    private volatile long stopAt;
    /** Now and then, for a person who looks on. */
    private volatile long progress;

    private long sent;
    private long received;
    private long sum;
    private int turns;
    private boolean begun;
    private boolean stopping;
    private long cpuBegin;
    private long wallBegin;
    private long packetsBegin;
    private long packets;
    private long wallNanos;
    private long cpuNanos;

    DriverTraffic(NetDevice left, NetDevice right, DriverCase what) {
        this.left = left.mac().value();
        this.right = right.mac().value();
        length = what.frame();
        batch = what.batch();
        burst = new PacketBuffer[batch];
        from = left.attach(new Source());
        to = right.attach(new Sink());
    }

    /** Lets the switch know where frames go. */
    void meet() {
        phase = MEETING;
        to.wake();
        await("the switch hears of no station", System.nanoTime() + PATIENCE);
    }

    @Override
    public void run(long nanos, boolean oneThread) {
        begin(nanos);
        await("frames do not all arrive; " + this, System.nanoTime() + nanos + PATIENCE);
    }

    /** Has it run for a while. */
    void begin(long nanos) {
        begun = false;
        stopAt = System.nanoTime() + nanos;
        phase = RUNNING;
        from.wake();
    }

    private void await(String otherwise, long until) {
        while (phase != OVER) {
            Memif.pause(1);
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException(otherwise);
            }
        }
        phase = IDLE;
    }

    /** How many have arrived, some time ago. */
    long progress() {
        return progress;
    }

    @Override
    public long packets() {
        return packets;
    }

    @Override
    public long wallNanos() {
        return wallNanos;
    }

    @Override
    public long cpuNanos() {
        return cpuNanos;
    }

    @Override
    public long[] threads(boolean oneThread) {
        long link = Clock.thread("manafold-link-loop");
        return oneThread ? new long[] {link} : new long[] {link, Clock.thread(THREAD)};
    }

    @Override
    public String toString() {
        return sent + " sent, " + received + " received";
    }

    /** Whether each frame has arrived once and whole. */
    boolean isComplete() {
        return sent == received && sum == sent * (sent - 1) / 2;
    }

    @Override
    public void close() {
        from.close();
        to.close();
    }

    private void address(PacketBuffer packet, long target, long source) {
        packet.place(packet.headroom(), length);
        packet.put64(0, target << 16 | source >>> 32);
        packet.put64(8, source << 32 | (long) TYPE << 16);
        packet.queue(0);
    }

    /** Above the first device. */
    private final class Source implements PacketUser {
        @Override
        public String name() {
            return "source";
        }

        @Override
        public void receive(PacketBuffer[] several, int count) {
            for (int i = 0; i < count; i++) {
                several[i].release();
            }
            if (phase == MEETING) {
                phase = OVER;
            }
        }

        @Override
        public int doWork() {
            if (phase != RUNNING) {
                return 0;
            }
            if (!begun) {
                startClock();
            }
            if (++turns == TURNS) {
                turns = 0;
                progress = received;
                stopping |= System.nanoTime() - stopAt >= 0;
                if (stopping && received == sent) {
                    stopClock();
                    return 1;
                }
            }
            if (!stopping && sent - received + batch <= WINDOW) {
                send();
            }
            return 1;
        }

        private void startClock() {
            begun = true;
            stopping = false;
            packetsBegin = received;
            wallBegin = System.nanoTime();
            cpuBegin = Clock.threadNanos();
        }

        private void stopClock() {
            cpuNanos = Clock.threadNanos() - cpuBegin;
            wallNanos = System.nanoTime() - wallBegin;
            packets = received - packetsBegin;
            phase = OVER;
        }

        private void send() {
            int taken = from.take(burst, 0, batch);
            for (int i = 0; i < taken; i++) {
                address(burst[i], right, left);
                burst[i].put64(length - 8, sent + i);
            }
            int accepted = from.send(burst, 0, taken);
            sent += accepted;
            for (int i = accepted; i < taken; i++) {
                burst[i].release();
            }
        }
    }

    /** Above the second device. */
    private final class Sink implements PacketUser {
        private final PacketBuffer[] hello = new PacketBuffer[1];

        @Override
        public String name() {
            return "sink";
        }

        @Override
        public void receive(PacketBuffer[] several, int count) {
            for (int i = 0; i < count; i++) {
                PacketBuffer packet = several[i];
                sum += packet.get64(packet.length() - 8);
            }
            PacketBuffer.release(several, 0, count);
            received += count;
        }

        @Override
        public int doWork() {
            if (phase != MEETING) {
                return 0;
            }
            if (hello[0] == null && to.take(hello, 0, 1) == 1) {
                address(hello[0], left, right);
                to.send(hello, 0, 1);
            }
            return 1;
        }
    }
}

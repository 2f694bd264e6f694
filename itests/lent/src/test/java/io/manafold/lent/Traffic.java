package io.manafold.lent;

import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.time.Duration;

/** A driver with two ports that has the first send to the second, on a thread of its own, until it is told to stop. */
final class Traffic {
    private static final ChannelLimits LIMITS =
            new ChannelLimits(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60),
                    Duration.ofSeconds(60), 32);
    private static final int FRAME = 300;
    private static final int BURST = 16;
    private static final int QUEUES = 2;

    final EthernetSession session;
    private final PortSession left;
    private final PortSession right;
    private final byte[] frame = new byte[FRAME];
    private Thread thread;
    private volatile boolean stopping;
    private volatile long received;
    private volatile Throwable failure;

    Traffic(Borrowed function, DmaArena memory) {
        session = EthernetSession.open(function, memory, LIMITS, (type, data) -> { });
        left = new PortSession(session, 0, PortSettings.small(QUEUES), (at, length, flags, hash) -> { });
        right = new PortSession(session, 1, PortSettings.small(QUEUES), (at, length, flags, hash) -> received++);
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (right.mac().value() >> 40 - 8 * i);
            frame[6 + i] = (byte) (left.mac().value() >> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
    }

    void start() {
        thread = Thread.ofPlatform().daemon().name("traffic").start(() -> {
            try {
                while (!stopping) {
                    turn();
                }
            } catch (RuntimeException failed) {
                failure = failed;
            }
        });
    }

    private void turn() {
        for (int queue = 0; queue < QUEUES; queue++) {
            for (int i = 0; i < BURST && left.send(queue).send(frame, FRAME); i++) {
                left.send(queue).ring();
            }
        }
        if (left.poll() + right.poll() == 0) {
            right.await(1);
        }
    }

    /** Until so many frames have arrived. */
    void await(long frames) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (received < frames) {
            if (failure != null || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(received + " frames have arrived, not " + frames, failure);
            }
            Thread.sleep(1);
        }
    }

    /** The thread is over; what it had under way stays where it is. */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    /** As a driver leaves that is unloaded. */
    void close() {
        left.close();
        right.close();
        session.close();
    }
}

package io.manafold.itests.raw;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PacketHandler;
import io.manafold.testkit.RawPort;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Numbered frames to a station that sends them back. A thread of its own. */
final class RawTraffic implements Runnable, PacketHandler, AutoCloseable {
    private static final int WINDOW = 48;
    private static final int LENGTH = 100;
    private static final int NUMBER = 16;
    private static final long REST = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);

    private final RawPort port;
    private final AtomicLong returned;
    private final AtomicLong wrong;
    private final AtomicLong lost;
    private final byte[] frame = new byte[LENGTH];
    private final Thread thread = Thread.ofPlatform().name("raw traffic").unstarted(this);
    private volatile boolean ending;
    private int next;
    private int expected;

    RawTraffic(RawPort port, MacAddress peer, AtomicLong returned, AtomicLong wrong, AtomicLong lost) {
        this.port = port;
        this.returned = returned;
        this.wrong = wrong;
        this.lost = lost;
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (peer.value() >>> 40 - 8 * i);
            frame[6 + i] = (byte) (port.vport().mac().value() >>> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb6;
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        long last = System.nanoTime();
        try {
            while (!ending) {
                int sent = 0;
                while (next - expected < WINDOW && send()) {
                    sent++;
                }
                if (sent > 0) {
                    port.ring();
                }
                int before = expected;
                port.poll(this);
                if (expected != before || sent > 0) {
                    last = System.nanoTime();
                } else if (System.nanoTime() - last > PATIENCE) {
                    // those on their way were dropped somewhere
                    lost.addAndGet(next - expected);
                    expected = next;
                }
                // the processor is left to the drivers and the device, which are what is tested
                LockSupport.parkNanos(REST);
            }
        } catch (Refusal gone) {
            // the function was reset under it, and the part goes next
        }
    }

    private boolean send() {
        for (int i = 0; i < 4; i++) {
            frame[NUMBER + i] = (byte) (next >>> 8 * i);
        }
        for (int i = NUMBER + 4; i < LENGTH; i++) {
            frame[i] = (byte) (next + i);
        }
        if (!port.send(frame, LENGTH)) {
            return false;
        }
        next++;
        return true;
    }

    @Override
    public void packet(long pointer, int length, int flags, int hash) {
        int number = RawMemory.get32(pointer + NUMBER);
        boolean good = length == LENGTH;
        for (int i = NUMBER + 4; good && i < LENGTH; i++) {
            good = (byte) RawMemory.get8(pointer + i) == (byte) (number + i);
        }
        if (!good || number - next >= 0) {
            wrong.incrementAndGet();
        } else if (number - expected >= 0) {
            lost.addAndGet(number - expected);
            expected = number + 1;
            returned.incrementAndGet();
        }
    }

    @Override
    public void close() throws InterruptedException {
        ending = true;
        thread.join(TimeUnit.SECONDS.toMillis(4));
    }
}

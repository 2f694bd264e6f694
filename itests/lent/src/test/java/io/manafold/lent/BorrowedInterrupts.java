package io.manafold.lent;

import io.manafold.api.device.Interrupts;
import io.manafold.linux.EventFd;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/** Vectors that come as counters of the kernel's; one thread waits for all of them and calls whom they are for. */
final class BorrowedInterrupts implements Interrupts, AutoCloseable {
    private static final int MSI_X = 2;
    private static final int EVENTFD_TRIGGER = 0x24;

    private record Target(EventFd event, Runnable callback) {
    }

    private final Wire wire;
    private final int count;
    private final EventFd wake;
    private final TreeMap<Integer, Target> targets = new TreeMap<>();
    private final Thread thread;
    private volatile boolean closed;

    BorrowedInterrupts(Wire wire) throws SystemCallException {
        this.wire = wire;
        count = wire.answer(Wire.GET_IRQ_INFO, Wire.body(16).putInt(0, 16).putInt(8, MSI_X)).getInt(12);
        wake = EventFd.create();
        thread = Thread.ofPlatform().daemon().name("borrowed-interrupts").start(this::run);
    }

    private void run() {
        Poll poll = new Poll(count + 1);
        try {
            while (!closed) {
                Target[] now;
                synchronized (targets) {
                    now = targets.values().toArray(Target[]::new);
                }
                poll.clear();
                poll.add(wake.descriptor(), Poll.READABLE);
                for (Target target : now) {
                    poll.add(target.event.descriptor(), Poll.READABLE);
                }
                poll.await(-1);
                wake.take();
                for (Target target : now) {
                    deliver(target);
                }
            }
        } catch (SystemCallException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Under the lock, so that {@link #clear} can promise that it runs no more. */
    private void deliver(Target target) {
        synchronized (targets) {
            if (targets.containsValue(target) && target.event.take() > 0) {
                target.callback.run();
            }
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void target(int vector, Runnable callback) {
        try {
            Target fresh = new Target(EventFd.create(), callback);
            replace(vector, fresh);
            wire.answer(Wire.SET_IRQS, irqs(vector), fresh.event.descriptor().number());
        } catch (SystemCallException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void clear(int vector) {
        wire.answer(Wire.SET_IRQS, irqs(vector));
        replace(vector, null);
    }

    /** Takes all targets away, as after a driver that left without a word. */
    void clear() {
        Integer[] all;
        synchronized (targets) {
            all = targets.keySet().toArray(Integer[]::new);
        }
        for (int vector : all) {
            clear(vector);
        }
    }

    private void replace(int vector, Target fresh) {
        Target old;
        synchronized (targets) {
            old = fresh == null ? targets.remove(vector) : targets.put(vector, fresh);
        }
        wake.signal();
        if (old != null) {
            old.event.close();
        }
    }

    private static ByteBuffer irqs(int vector) {
        return Wire.body(20).putInt(0, 20).putInt(4, EVENTFD_TRIGGER).putInt(8, MSI_X).putInt(12, vector)
                .putInt(16, 1);
    }

    @Override
    public void close() {
        closed = true;
        wake.signal();
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        synchronized (targets) {
            targets.values().forEach(target -> target.event.close());
            targets.clear();
        }
        wake.close();
    }
}

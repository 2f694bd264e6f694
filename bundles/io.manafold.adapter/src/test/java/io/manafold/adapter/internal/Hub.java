package io.manafold.adapter.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** A link for tests: one agent; what one port sends all others receive. */
final class Hub implements Link, AutoCloseable {
    private final List<Plug> plugs = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Semaphore work = new Semaphore(0);
    private final Thread agent = new Thread(this::run, "hub");
    private volatile boolean closed;

    Hub() {
        agent.start();
    }

    private void run() {
        while (!closed) {
            work.acquireUninterruptibly();
            work.drainPermits();
            int done;
            do {
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                }
                done = 0;
                for (Plug plug : plugs) {
                    done += plug.doWork();
                }
            } while (done > 0);
        }
    }

    @Override
    public String name() {
        return "hub";
    }

    @Override
    public Wire plug(Plug plug) {
        plugs.add(plug);
        return new Wire() {
            @Override
            public void send(Frames frames) {
                for (Plug other : plugs) {
                    if (other != plug) {
                        other.receive(frames, 0, frames.count());
                    }
                }
            }

            @Override
            public void wake() {
                work.release();
            }

            @Override
            public void execute(Runnable command) {
                if (!plugs.contains(plug)) {
                    command.run();
                    return;
                }
                commands.add(command);
                work.release();
            }

            @Override
            public void close() {
                CountDownLatch out = new CountDownLatch(1);
                commands.add(() -> {
                    plugs.remove(plug);
                    out.countDown();
                });
                work.release();
                try {
                    out.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    @Override
    public LinkStatus status() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void impair(Impairments impairments) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CaptureStatus startCapture(Path file, int snap, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CaptureStatus stopCapture(Path file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<CaptureStatus> captures() {
        return List.of();
    }

    @Override
    public void close() {
        closed = true;
        work.release();
        try {
            agent.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

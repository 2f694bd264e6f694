package io.manafold.adapter.internal.ethernet;

import io.manafold.agent.Mistakes;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the ports of an adapter that are plugged into nothing: what they send is lost, but completes. */
public final class SpareAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpareAgent.class);

    private final String name;
    private final CopyOnWriteArrayList<Nothing> plugged = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Mistakes mistakes;
    private volatile boolean resting;
    private volatile boolean closed;
    private Thread thread;

    /** @param name of the adapter; the thread starts when the first port is there */
    public SpareAgent(String name) {
        this.name = name;
        mistakes = new Mistakes(mistake -> LOG.error("adapter {}: a port without a link failed in its work;"
                + " further failures of this kind are not logged", name, mistake));
    }

    Wire plug(Plug plug) {
        Nothing wire = new Nothing(plug);
        synchronized (this) {
            if (closed) {
                wire.gone = true;
                return wire;
            }
            if (thread == null) {
                thread = new Thread(null, this::run, "manafold-adapter-" + name + "-unplugged", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
            }
            commands.add(() -> plugged.add(wire));
        }
        wake();
        return wire;
    }

    private void run() {
        while (!closed || !commands.isEmpty()) {
            if (turn() > 0) {
                continue;
            }
            resting = true;
            VarHandle.fullFence();
            if (turn() == 0 && !closed) {
                long nanos = restNanos();
                if (nanos == DutyCycle.UNTIL_WOKEN) {
                    LockSupport.park(this);
                } else if (nanos > 0) {
                    LockSupport.parkNanos(this, nanos);
                }
            }
            resting = false;
        }
    }

    private int turn() {
        int done = 0;
        try {
            Runnable command;
            while ((command = commands.poll()) != null) {
                command.run();
                done++;
            }
            for (int i = 0; i < plugged.size(); i++) {
                done += plugged.get(i).plug.doWork();
            }
        } catch (Throwable mistake) {
            mistakes.happened(mistake);
        }
        return done;
    }

    private long restNanos() {
        long least = DutyCycle.UNTIL_WOKEN;
        for (int i = 0; i < plugged.size(); i++) {
            least = Math.min(least, plugged.get(i).plug.restNanos());
        }
        return least;
    }

    private void wake() {
        VarHandle.fullFence();
        if (resting) {
            LockSupport.unpark(thread);
        }
    }

    /** Ends its thread; ports are to be closed before. */
    @Override
    public void close() {
        Thread last;
        synchronized (this) {
            closed = true;
            last = thread;
        }
        if (last != null) {
            LockSupport.unpark(last);
        }
    }

    /** What a port is plugged into while it is plugged into nothing. */
    private final class Nothing implements Wire {
        private final Plug plug;
        private boolean gone;

        Nothing(Plug plug) {
            this.plug = plug;
        }

        @Override
        public void send(Frames frames) {
            // nobody is there
        }

        @Override
        public void wake() {
            SpareAgent.this.wake();
        }

        @Override
        public void execute(Runnable command) {
            synchronized (SpareAgent.this) {
                if (!gone && !closed) {
                    commands.add(command);
                    SpareAgent.this.wake();
                    return;
                }
            }
            command.run();
        }

        @Override
        public void close() {
            CountDownLatch over = new CountDownLatch(1);
            synchronized (SpareAgent.this) {
                if (gone || closed) {
                    gone = true;
                    return;
                }
                gone = true;
                commands.add(() -> {
                    plugged.remove(this);
                    over.countDown();
                });
            }
            SpareAgent.this.wake();
            Waiting.until(over);
        }
    }
}

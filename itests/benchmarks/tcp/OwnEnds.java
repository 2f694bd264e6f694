package io.manafold.benchmark;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.memory.SharedBlocks;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Context;
import io.manafold.sockets.internal.uring.UringTransport;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Two endpoints of ours on one connection, a thread and queues for each; the one that accepted runs by itself. */
abstract class OwnEnds implements Carrier {
    static final Duration STEP = Duration.ofMillis(100);
    private static final int SEND_BYTES = 2 << 20;
    private static final int BUFFER = 64 << 10;
    private static final int BUFFERS = 32;

    final TcpCase what;
    final Queues queues;
    final Endpoint endpoint;
    final Region region;
    final Completions completions = new Completions(256);
    volatile Queues farQueues;
    private final MemorySource memory = memory();
    private final Context context;
    private final MemoryBlock block;
    private final Thread other;
    private volatile Listener listener;
    private volatile boolean stopping;
    private volatile boolean isResting;
    private volatile RuntimeException failure;

    OwnEnds(TcpCase what, String transport, Knobs knobs) throws InterruptedException {
        this.what = what;
        context = new Context(transport.equals("nio") ? new NioTransport() : new UringTransport(), "benchmark", memory);
        block = memory.make("send", SEND_BYTES);
        region = context.register(block, Region.SEND | Region.RECEIVE);
        other = Thread.ofPlatform().daemon().name(transport + "-receiver").start(() -> serve(knobs));
        while (listener == null && failure == null) {
            Thread.sleep(1);
        }
        if (failure != null) {
            throw failure;
        }
        queues = context.queues(QueuesPlan.USUAL.named("near").with(knobs));
        endpoint = context.connect(queues, listener.local(), EndpointPlan.USUAL.with(knobs), 0);
        while (count() == 0) {
            // until it is connected
        }
    }

    /** Shared blocks without a framework. */
    static MemorySource memory() {
        return new SharedBlocks(new Limits());
    }

    /** Waits for completions and takes them. */
    final int count() throws InterruptedException {
        queues.await(STEP);
        return queues.poll(completions);
    }

    private void serve(Knobs knobs) {
        try {
            MemoryBlock own = memory.make("receive", (long) BUFFER * BUFFERS);
            Region into = context.register(own, Region.SEND | Region.RECEIVE);
            farQueues = context.queues(QueuesPlan.USUAL.named("far").with(knobs));
            ReceivePool pool = farQueues.pool(into, BUFFER, BUFFERS);
            listener = context.listen(farQueues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    EndpointPlan.USUAL.with(knobs), 0);
            Completions come = new Completions(256);
            while (!stopping) {
                while (isResting && what.spins() && !stopping) {
                    // who waits awake would take a processor from the peer
                    LockSupport.parkNanos(100_000);
                }
                farQueues.await(STEP);
                farQueues.poll(come);
                for (int i = 0; i < come.count(); i++) {
                    if (come.operation(i) == Operation.ACCEPT) {
                        come.endpoint(i).receive(pool, 0);
                    } else {
                        at(come, i, pool);
                    }
                }
                farQueues.submit();
            }
            farQueues.close();
            own.close();
        } catch (RuntimeException failed) {
            failure = failed;
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** A completion at the far end, on its thread. */
    abstract void at(Completions come, int index, ReceivePool pool);

    final void check(int index) {
        if (completions.errno(index) != 0 || failure != null) {
            throw new IllegalStateException(endpoint.failure() + " " + failure);
        }
    }

    /** The same as {@link #run}, while the far end is awake. */
    abstract Slice work(long millis) throws InterruptedException;

    @Override
    public final Slice run(long millis) throws InterruptedException {
        isResting = false;
        Slice slice = work(millis);
        isResting = true;
        farQueues.wakeup();
        return slice;
    }

    @Override
    public final long[] threads() {
        return new long[] {Thread.currentThread().threadId(), other.threadId()};
    }

    @Override
    public final void close() throws Exception {
        stopping = true;
        other.join();
        queues.close();
        context.close();
        block.close();
    }

    /** Of memory: enough. */
    @SuppressWarnings("ClassExplicitlyAnnotation")
    private static final class Limits implements SharedBlocks.Config {
        @Override
        public int blocks() {
            return 16;
        }

        @Override
        public long bytes() {
            return 1L << 28;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    }
}

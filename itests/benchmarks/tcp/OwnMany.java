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
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Small messages there and back on many connections of ours: queues and a thread at each end. */
final class OwnMany implements Carrier {
    private static final int ROOM = 1 << 16;
    private static final int BUFFERS = 4096;

    private final TcpCase what;
    private final MemorySource memory = OwnEnds.memory();
    private final Context context;
    private final MemoryBlock block;
    private final Region region;
    private final Queues queues;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final Completions completions = new Completions(1024);
    private final Thread other;
    private volatile Listener listener;
    private volatile Queues farQueues;
    private volatile boolean stopping;
    private volatile RuntimeException failure;
    private long trips;
    private int out;

    OwnMany(TcpCase what, String transport, Knobs knobs) throws InterruptedException {
        this.what = what;
        context = new Context(transport.equals("nio") ? new NioTransport() : new UringTransport(), "benchmark", memory);
        int slot = what.bytes();
        block = memory.make("many", 2L * slot * what.connections());
        region = context.register(block, Region.SEND | Region.RECEIVE);
        other = Thread.ofPlatform().daemon().name(transport + "-echoes").start(() -> serve(knobs));
        while (listener == null && failure == null) {
            Thread.sleep(1);
        }
        if (failure != null) {
            throw failure;
        }
        queues = context.queues(QueuesPlan.USUAL.named("near").with(knobs).withEntries(ROOM));
        for (int i = 0; i < what.connections(); i++) {
            Endpoint endpoint = context.connect(queues, listener.local(),
                    EndpointPlan.USUAL.with(knobs).withQueues(4, 4), i);
            endpoints.add(endpoint);
            for (boolean isThere = false; !isThere;) {
                poll();
                for (int at = 0; at < completions.count(); at++) {
                    isThere |= completions.operation(at) == Operation.CONNECT;
                }
            }
        }
    }

    private void poll() throws InterruptedException {
        queues.submit();
        queues.await(OwnEnds.STEP);
        queues.poll(completions);
    }

    private void serve(Knobs knobs) {
        try {
            MemoryBlock own = memory.make("echoes", (long) BUFFERS * what.bytes());
            Region into = context.register(own, Region.SEND | Region.RECEIVE);
            farQueues = context.queues(QueuesPlan.USUAL.named("far").with(knobs).withEntries(ROOM));
            ReceivePool pool = farQueues.pool(into, what.bytes(), BUFFERS);
            listener = context.listen(farQueues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    EndpointPlan.USUAL.with(knobs).withQueues(4, 4), 0);
            Completions come = new Completions(1024);
            while (!stopping) {
                farQueues.await(OwnEnds.STEP);
                farQueues.poll(come);
                for (int i = 0; i < come.count(); i++) {
                    if (come.operation(i) == Operation.ACCEPT) {
                        come.endpoint(i).receive(pool, 0);
                    } else if (come.has(i, Completions.POOLED)) {
                        come.endpoint(i).send(into.key(), come.offset(i), (int) come.length(i), come.buffer(i));
                    } else if (come.operation(i) == Operation.SEND && come.has(i, Completions.FREE)) {
                        pool.giveBack((int) come.tag(i));
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

    private void begin(Endpoint endpoint, int number) {
        endpoint.receive(region.key(), (2L * number + 1) * what.bytes(), what.bytes(), number);
        endpoint.send(region.key(), 2L * number * what.bytes(), what.bytes(), number);
        out++;
    }

    @Override
    public Slice run(long millis) throws InterruptedException {
        long begin = System.nanoTime();
        long cpu = Cpu.nanos();
        long sends = queues.systemCalls();
        long receives = farQueues.systemCalls();
        long before = trips;
        for (int i = 0; i < endpoints.size(); i++) {
            begin(endpoints.get(i), i);
        }
        while (out > 0) {
            poll();
            boolean isOver = System.nanoTime() - begin >= millis * 1_000_000;
            for (int i = 0; i < completions.count(); i++) {
                if (completions.errno(i) != 0 || failure != null) {
                    throw new IllegalStateException(completions.endpoint(i).failure() + " " + failure);
                }
                if (completions.operation(i) == Operation.RECEIVE) {
                    trips++;
                    out--;
                    if (!isOver) {
                        begin(completions.endpoint(i), (int) completions.tag(i));
                    }
                }
            }
        }
        return new Slice((trips - before) * what.bytes(), Cpu.nanos() - cpu, System.nanoTime() - begin,
                queues.systemCalls() - sends, farQueues.systemCalls() - receives, Double.NaN);
    }

    @Override
    public long[] threads() {
        return new long[] {Thread.currentThread().threadId(), other.threadId()};
    }

    @Override
    public void close() throws Exception {
        stopping = true;
        farQueues.wakeup();
        other.join();
        queues.close();
        context.close();
        block.close();
    }
}

package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** One end of all connections of a comparison, on a thread of its own. What comes is taken and not looked at. */
abstract class CompareEnd implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int BUFFERS = 32;
    private static final int POSTED = 2;
    /** Of a send that is of no stream. */
    private static final long ALONE = -1;
    private static final Duration LIMIT = Duration.ofHours(1);

    private final Workload load;
    private final MemoryBlock block;
    private final Queues queues;
    private final CompletableFuture<Void> failure;
    private final Thread thread;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final Completions completions = new Completions(256);
    private Region outgoing;
    private Region incoming;
    private ReceivePool pool;
    private volatile boolean isClosing;

    /** A connection, as its end sees it. */
    static final class Line {
        private final Endpoint endpoint;
        private final boolean isPooled;
        private long come;
        private long begunNanos;

        Line(Endpoint endpoint) {
            this.endpoint = endpoint;
            isPooled = endpoint.state().knobs().stream().anyMatch(knob -> knob.knob() == Knob.RECEIVE && !knob.got()
                    .equals(Knob.RECEIVE.classic()));
        }

        Endpoint endpoint() {
            return endpoint;
        }

        /** So much of a message has come; whether that is all of it. */
        boolean isWhole(long length, int message) {
            come += length;
            if (come < message) {
                return false;
            }
            come = 0;
            return true;
        }

        long begunNanos() {
            return begunNanos;
        }

        void begin() {
            begunNanos = System.nanoTime();
        }
    }

    /** @param failure completes when the end cannot go on */
    CompareEnd(MemorySource memory, Workload load, String name, CompletableFuture<Void> failure) {
        this.load = load;
        this.failure = failure;
        block = memory.make("sock compare", load.outgoingBytes() + (long) BUFFERS * BUFFER);
        try {
            outgoing = load.sockets().register(block, 0, load.outgoingBytes(), Region.SEND);
            incoming = load.sockets().register(block, load.outgoingBytes(), (long) BUFFERS * BUFFER, Region.RECEIVE);
            queues = load.sockets().queues(QueuesPlan.USUAL.named(name).with(load.knobs())
                    .withEntries(load.completions()));
        } catch (RuntimeException refused) {
            closeMemory();
            throw refused;
        }
        thread = Thread.ofPlatform().daemon().name("manafold-" + name.replace(' ', '-')).unstarted(this::serve);
    }

    final void start() {
        thread.start();
    }

    private void serve() {
        try {
            begin();
            while (true) {
                queues.submit();
                queues.await(LIMIT);
                queues.poll(completions);
                for (int i = 0; i < completions.count(); i++) {
                    come(i);
                }
            }
        } catch (RuntimeException ended) {
            if (!isClosing) {
                failure.completeExceptionally(ended);
            }
        } catch (InterruptedException _) {
            failure.completeExceptionally(new Refusal(Errno.EINTR, "The comparison was interrupted."));
        }
    }

    private void come(int index) {
        int number = completions.errno(index);
        if (number != 0) {
            Errno errno = Errno.of(number);
            Endpoint endpoint = completions.endpoint(index);
            throw new Refusal(errno == null ? Errno.EIO : errno, endpoint == null || endpoint.failure() == null
                    ? "A connection of the comparison ended." : endpoint.failure());
        }
        Endpoint endpoint = completions.endpoint(index);
        switch (completions.operation(index)) {
            case CONNECT, ACCEPT -> {
                Line line = new Line(endpoint);
                endpoint.attach(line);
                lines.add(line);
                receive(line);
                joined(line);
            }
            case RECEIVE -> received(index, (Line) endpoint.attachment());
            case SEND -> {
                if (completions.has(index, Completions.FREE) && completions.tag(index) != ALONE) {
                    streamed((Line) endpoint.attachment(), completions.tag(index));
                }
            }
            default -> {
                // nothing else is begun here
            }
        }
    }

    private void receive(Line line) {
        if (line.isPooled) {
            if (pool == null) {
                pool = queues.pool(incoming, BUFFER, BUFFERS);
            }
            line.endpoint.receive(pool, 0);
        } else {
            for (int i = 0; i < POSTED; i++) {
                line.endpoint.receive(incoming.key(), (long) i * BUFFER, BUFFER, i);
            }
        }
    }

    private void received(int index, Line line) {
        if (completions.has(index, Completions.END)) {
            throw new Refusal(Errno.EPIPE, "A connection of the comparison ended before its time.");
        }
        if (completions.has(index, Completions.POOLED)) {
            pool.giveBack(completions.buffer(index));
        } else {
            line.endpoint.receive(incoming.key(), completions.offset(index), BUFFER, completions.tag(index));
        }
        received(line, completions.length(index));
    }

    /** Sends a message of a stream, one of those that may be under way together. */
    final void stream(Line line, long slot) {
        line.endpoint.send(outgoing.key(), slot * load.message(), load.message(), slot);
    }

    /** Sends a message that is of no stream. */
    final void send(Line line) {
        line.endpoint.send(outgoing.key(), 0, load.message(), ALONE);
    }

    final Workload load() {
        return load;
    }

    final Queues queues() {
        return queues;
    }

    final Thread thread() {
        return thread;
    }

    /** How the connections are, for any thread. */
    final List<EndpointState> states() {
        return lines.stream().map(line -> line.endpoint.state()).toList();
    }

    /** Listens or connects. */
    abstract void begin();

    abstract void joined(Line line);

    abstract void received(Line line, long length);

    /** A message of a stream has left. */
    abstract void streamed(Line line, long slot);

    final List<Line> lines() {
        return lines;
    }

    final EndpointPlan plan() {
        return EndpointPlan.USUAL.with(load.knobs());
    }

    /** Ends the connections of this end, and its thread; memory is free when this returns. */
    @Override
    public void close() {
        isClosing = true;
        queues.close();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException _) {
            interrupted = true;
        }
        closeMemory();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeMemory() {
        if (outgoing != null) {
            outgoing.close();
        }
        if (incoming != null) {
            incoming.close();
        }
        block.close();
    }
}

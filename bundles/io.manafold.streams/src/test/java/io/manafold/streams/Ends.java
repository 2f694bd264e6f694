package io.manafold.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/** Two ends of a connection of this machine with itself, on queues of one thread, and memory for them. */
public final class Ends implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    public static final int BYTES = 4 << 20;

    /** One completion, kept. */
    public record Done(Endpoint endpoint, Operation operation, long tag, int flags, int errno, long length, long offset,
            int buffer) {
        public boolean has(int bits) {
            return (flags & bits) == bits;
        }
    }

    private final Way way;
    public final MemorySource memory = Blocks.source();
    public final Context context;
    public final Queues queues;
    public final MemoryBlock block;
    public final Region region;
    public final Listener listener;
    public final Deque<Done> seen = new ArrayDeque<>();
    private final Completions completions = new Completions(64);
    public Endpoint near;
    public Endpoint far;

    public Ends(Way way) {
        this(way, EndpointPlan.USUAL);
    }

    public Ends(Way way, EndpointPlan plan) {
        this.way = way;
        context = new Context(way.make(), "test", memory);
        queues = context.queues(QueuesPlan.USUAL.named("both ends").with(way.knobs()));
        block = memory.make("test", BYTES);
        region = context.register(block, Region.SEND | Region.RECEIVE);
        listener = context.listen(queues, new InetSocketAddress(way.at(), 0), plan.with(way.knobs()), 1);
        near = context.connect(queues, listener.local(), plan.with(way.knobs()), 2);
        far = next(done -> done.operation() == Operation.ACCEPT).endpoint();
        assertThat(next(done -> done.operation() == Operation.CONNECT).errno()).isZero();
    }

    /** Takes the first completion that is such; what else comes is kept. */
    public Done next(Predicate<Done> wanted) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            for (Done done : seen) {
                if (wanted.test(done)) {
                    seen.remove(done);
                    return done;
                }
            }
            assertThat(System.nanoTime() - end).as("such a completion comes; there are " + seen).isNegative();
            turn(Duration.ofSeconds(1));
        }
    }

    public Done next(Endpoint of, Operation operation) {
        return next(done -> done.endpoint() == of && done.operation() == operation);
    }

    /** Submits, waits a while and keeps what has come. */
    public void turn(Duration limit) {
        queues.submit();
        try {
            queues.await(limit);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        poll();
    }

    public void poll() {
        queues.poll(completions);
        for (int i = 0; i < completions.count(); i++) {
            seen.add(new Done(completions.endpoint(i), completions.operation(i), completions.tag(i),
                    completions.flags(i), completions.errno(i), completions.length(i), completions.offset(i),
                    completions.buffer(i)));
        }
    }

    /** Bytes that tell where they are from. */
    public void fill(long offset, int length, int seed) {
        MemorySegment all = block.segment();
        for (int i = 0; i < length; i++) {
            all.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (i * 31 + (i >>> 8) + seed));
        }
    }

    public byte[] bytes(long offset, long length) {
        return block.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        context.close();
        block.close();
        assertThat(block.holders()).as("who holds the memory still").isEmpty();
        way.close();
    }
}

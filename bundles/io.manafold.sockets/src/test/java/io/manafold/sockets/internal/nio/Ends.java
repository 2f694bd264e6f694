package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.IntPredicate;

/** Two ends of a connection on the loopback, on queues of one thread, and memory for them. */
final class Ends implements AutoCloseable {
    static final long LIMIT_SECONDS = 60;

    final MemorySource memory = Blocks.source();
    final Context context;
    final Queues queues;
    final MemoryBlock block;
    final Region region;
    final Completions completions = new Completions(64);
    final Listener listener;
    Endpoint near;
    Endpoint far;

    Ends(Knobs knobs) {
        this(knobs, EndpointPlan.USUAL);
    }

    Ends(Knobs knobs, EndpointPlan plan) {
        context = new Context(new NioTransport(), "test", memory);
        queues = context.queues(QueuesPlan.USUAL.named("both ends").with(knobs));
        block = memory.make("test", 1 << 20);
        region = context.register(block, Region.SEND | Region.RECEIVE);
        listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                plan.with(knobs), 1);
        near = context.connect(queues, listener.local(), plan.with(knobs), 2);
        while (far == null || near.remote() == null || near.local() == null) {
            next(index -> {
                if (completions.operation(index) == Operation.ACCEPT) {
                    far = completions.endpoint(index);
                }
                return true;
            });
        }
    }

    /** Submits, waits and looks at all completions that come. */
    void next(IntPredicate each) {
        queues.submit();
        try {
            assertThat(queues.await(Duration.ofSeconds(LIMIT_SECONDS))).as("a completion comes").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        queues.poll(completions);
        for (int i = 0; i < completions.count(); i++) {
            each.test(i);
        }
    }

    /** Goes on until one completion is such as is looked for; what is looked for is at that index then. */
    int until(IntPredicate wanted) {
        int[] found = {-1};
        while (found[0] < 0) {
            next(index -> {
                if (found[0] < 0 && wanted.test(index)) {
                    found[0] = index;
                }
                return true;
            });
        }
        return found[0];
    }

    int until(Endpoint of, Operation operation) {
        return until(index -> completions.endpoint(index) == of && completions.operation(index) == operation);
    }

    void put(long offset, String text) {
        for (int i = 0; i < text.length(); i++) {
            block.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, offset + i, (byte) text.charAt(i));
        }
    }

    String text(long offset, long length) {
        StringBuilder text = new StringBuilder();
        for (long i = 0; i < length; i++) {
            text.append((char) block.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, offset + i));
        }
        return text.toString();
    }

    @Override
    public void close() {
        context.close();
        block.close();
    }
}

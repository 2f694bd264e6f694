package io.manafold.guests;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.SocketStatistics;
import io.manafold.api.sockets.Transfer;
import io.manafold.memory.SharedBlocks;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Context;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A program for a machine, with the rooms of sockets and no framework around them: sends a file from registered memory
 * over the transport uring, whose parts it uses again as soon as they are said to be free, and says what it counted and
 * what became of the last sends. A framework takes an emulated processor many minutes to start.
 */
final class SocketsSender {
    private static final int PARTS = 8;
    private static final int PART = 64 << 10;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Endpoint endpoint;
    private final Region region;
    private final MemoryBlock block;
    private final FileChannel file;
    private boolean isOver;
    private boolean isPeerOver;
    private int underWay;

    /** As the memory's room has it without a configuration. */
    private record Limits(int blocks, long bytes) implements SharedBlocks.Config {
        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    }

    private SocketsSender(Endpoint endpoint, Region region, MemoryBlock block, FileChannel file) {
        this.endpoint = endpoint;
        this.region = region;
        this.block = block;
        this.file = file;
    }

    /** {@code ADDRESS PORT FILE KNOB=VALUE...} */
    public static void main(String[] words) throws Exception {
        Knobs knobs = Knobs.parse(List.of(words).subList(3, words.length));
        MemorySource memory = new SharedBlocks(new Limits(16, 16 << 20));
        Context context = new Context(new UringTransport(), "guest", memory);
        try (FileChannel file = FileChannel.open(Path.of(words[2]));
                MemoryBlock block = memory.make("parts", (PARTS + 1) * PART)) {
            Region region = context.register(block, Region.SEND | Region.RECEIVE);
            Queues queues = context.queues(QueuesPlan.USUAL.named("sender").with(knobs));
            Endpoint endpoint = context.connect(queues,
                    new InetSocketAddress(InetAddress.ofLiteral(words[0]), Integer.parseInt(words[1])),
                    EndpointPlan.USUAL.with(knobs).withConnectLimit(PATIENCE), 0);
            new SocketsSender(endpoint, region, block, file).run(queues);
            tell(endpoint);
        } finally {
            context.close();
        }
    }

    private void run(Queues queues) throws Exception {
        Completions completions = new Completions(64);
        while (!isOver || underWay > 0 || !isPeerOver) {
            queues.submit();
            if (!queues.await(PATIENCE)) {
                throw new IllegalStateException("Nothing completes, with " + underWay + " sends under way.");
            }
            queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                completed(completions, i);
            }
        }
    }

    private void completed(Completions completions, int index) throws Exception {
        if (completions.errno(index) != 0) {
            throw new IllegalStateException(completions.operation(index) + ": errno " + completions.errno(index) + ", "
                    + endpoint.failure());
        }
        switch (completions.operation(index)) {
            case CONNECT -> {
                for (int part = 0; part < PARTS; part++) {
                    send(part);
                }
                endpoint.receive(region.key(), (long) PARTS * PART, PART, PARTS);
            }
            case SEND -> {
                if (completions.has(index, Completions.FREE)) {
                    underWay--;
                    send(completions.tag(index));
                }
            }
            case RECEIVE -> isPeerOver = completions.has(index, Completions.END);
            default -> {
                // the end of the stream has left
            }
        }
    }

    private void send(long part) throws Exception {
        if (isOver) {
            return;
        }
        int length = file.read(block.segment().asSlice(part * PART, PART).asByteBuffer());
        if (length < 0) {
            isOver = true;
            endpoint.finish(0);
            return;
        }
        endpoint.send(region.key(), part * PART, length, part);
        underWay++;
    }

    private static void tell(Endpoint endpoint) {
        SocketStatistics counted = endpoint.state().statistics();
        result("sent", counted.sentBytes());
        result("sends", counted.sentTransfers());
        result("zerocopy", counted.zeroCopy());
        result("copied", counted.copied());
        result("unreported", counted.unreported());
        Set<String> kernel = new TreeSet<>();
        Set<String> because = new TreeSet<>();
        for (Transfer one : endpoint.explain()) {
            if (one.operation() == Operation.SEND) {
                kernel.add(one.path() + "/" + one.kernel());
                because.add((one.inferred() ? "inferred: " : "") + one.because());
            }
        }
        result("kernel", String.join("; ", kernel));
        result("because", String.join("; ", because));
        for (KnobState knob : endpoint.state().knobs()) {
            result(knob.knob().word(), knob.got() + ", " + knob.why());
        }
    }

    private static void result(String name, Object value) {
        System.out.println("RESULT " + name + " " + value);
    }
}

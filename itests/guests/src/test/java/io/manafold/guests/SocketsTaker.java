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
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.SocketStatistics;
import io.manafold.api.sockets.Transfer;
import io.manafold.memory.SharedBlocks;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Context;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A program for a machine, with the rooms of sockets and no framework around them: takes what a peer sends into pages
 * of a pool over the transport uring, hashes it where it lies, and says by which way it came. It gives pages back in
 * lots, so that the pool runs empty again and again.
 */
final class SocketsTaker {
    private static final int PAGE = 4096;
    private static final int PAGES = 32;
    private static final int LOT = 24;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** As the memory's room has it without a configuration. */
    private record Limits(int blocks, long bytes) implements SharedBlocks.Config {
        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    }

    private SocketsTaker() {
    }

    /** {@code ADDRESS PORT KNOB=VALUE...} */
    public static void main(String[] words) throws Exception {
        Knobs knobs = Knobs.parse(List.of(words).subList(2, words.length));
        MemorySource memory = new SharedBlocks(new Limits(16, 16 << 20));
        Context context = new Context(new UringTransport(), "guest", memory);
        MemoryBlock block = memory.make("pages", PAGES * PAGE);
        try {
            Region region = context.register(block, Region.RECEIVE);
            Queues queues = context.queues(QueuesPlan.USUAL.named("taker").with(knobs));
            ReceivePool pool = queues.pool(region, PAGE, PAGES);
            Endpoint endpoint = context.connect(queues,
                    new InetSocketAddress(InetAddress.ofLiteral(words[0]), Integer.parseInt(words[1])),
                    EndpointPlan.USUAL.with(knobs).withConnectLimit(PATIENCE), 0);
            endpoint.receive(pool, 1);
            take(queues, endpoint, pool, block);
        } finally {
            context.close();
            block.close();
        }
        System.out.println("RESULT holders " + block.holders().size());
    }

    private static void take(Queues queues, Endpoint endpoint, ReceivePool pool, MemoryBlock block) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        Completions completions = new Completions(64);
        int[] lent = new int[PAGES];
        int lots = 0;
        for (boolean isOver = false; !isOver;) {
            queues.submit();
            if (!queues.await(PATIENCE)) {
                throw new IllegalStateException("Nothing comes, with " + pool.free() + " pages free.");
            }
            queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                if (completions.errno(i) != 0) {
                    throw new IllegalStateException(completions.operation(i) + ": errno " + completions.errno(i) + ", "
                            + endpoint.failure());
                }
                if (completions.has(i, Completions.END)) {
                    isOver = true;
                } else if (completions.has(i, Completions.POOLED)) {
                    digest.update(block.segment().asSlice(completions.offset(i), completions.length(i)).asByteBuffer());
                    lent[lots++] = completions.buffer(i);
                }
            }
            if (lots >= LOT || isOver || pool.free() == 0) {
                while (lots > 0) {
                    pool.giveBack(lent[--lots]);
                }
            }
        }
        System.out.println("RESULT hash " + HexFormat.of().formatHex(digest.digest()));
        tell(endpoint);
    }

    private static void tell(Endpoint endpoint) {
        SocketStatistics counted = endpoint.state().statistics();
        System.out.println("RESULT received " + counted.receivedBytes());
        System.out.println("RESULT pooled " + counted.pooled());
        System.out.println("RESULT area " + counted.area());
        Set<String> ways = new TreeSet<>();
        for (Transfer one : endpoint.explain()) {
            if (one.operation() == Operation.RECEIVE && one.bytes() > 0) {
                ways.add(one.path() + ", " + one.because());
            }
        }
        System.out.println("RESULT ways " + String.join("; ", ways));
        for (KnobState knob : endpoint.state().knobs()) {
            System.out.println("RESULT " + knob.knob().word() + " " + knob.got() + ", " + knob.why());
        }
    }
}

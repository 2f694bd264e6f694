package io.manafold.fabric.internal;

import static io.manafold.api.fabric.PacketRule.ANY;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The agent's thread allocates nothing however many frames it moves. */
@Timeout(120)
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The compiler has other work, too. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private enum Way {
        SWITCHED, FLOODED, CABLED, IMPAIRED, DELAYED, CAPTURED, RESTING, QUEUED, RULED
    }

    /**
     * Frames wait and are marked, and senders are asked to stop and go on with every burst, so that nothing is rare.
     */
    private static final Queueing CONGESTED = new Queueing(Queueing.MOST_RATE, 64 << 10, 1_000, 32_000, 50, 0xff, 2_000,
            1_000);

    @TempDir
    Path folder;

    private static final class Pump implements Plug {
        private final String name;
        private final FrameBurst burst = new FrameBurst(32, 64);
        private final long scratch;
        private final boolean rests;
        final AtomicLong moved = new AtomicLong();
        volatile Wire wire;
        volatile boolean on;
        private boolean rested;

        Pump(String name, Arena arena, byte[] frame, boolean rests) {
            this.name = name;
            this.rests = rests;
            MemorySegment memory = arena.allocate(1 << 14);
            MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
            scratch = memory.address() + 4096;
            for (int i = 0; i < 32; i++) {
                burst.begin(0);
                burst.add(memory.address(), 60);
                burst.add(memory.address() + 60, frame.length - 60);
            }
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int doWork() {
            rested = !rested;
            if (!on || rests && rested) {
                return 0;
            }
            wire.send(burst);
            return 32;
        }

        @Override
        public long restNanos() {
            return on ? 70_000 : UNTIL_WOKEN;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            for (int frame = from; frame < to; frame++) {
                RawMemory.copy(frames.address(frame, 0), scratch, frames.length(frame, 0));
            }
            moved.setOpaque(moved.getPlain() + to - from);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void nothingIsAllocatedPerFrame(Way way) throws Exception {
        LinkPlan.Kind kind = way == Way.CABLED ? LinkPlan.Kind.DIRECT : LinkPlan.Kind.SWITCH;
        Impairments impairments = switch (way) {
            case IMPAIRED -> new Impairments(10, 10, 10, 0, 1);
            case DELAYED -> new Impairments(0, 1, 1, 1000, 1);
            default -> Impairments.NONE;
        };
        try (Arena arena = Arena.ofShared(); FabricLink link = FabricLink.open(
                new LinkPlan("alloc", kind, List.of("a/1", "b/1"), null, impairments,
                        way == Way.QUEUED ? CONGESTED : null))) {
            long to = way == Way.FLOODED ? 0xffffffffffffL : 0x020000000002L;
            byte[] packet = Packets.roce(4, 26, 1, 4, 1, 1, 36);
            boolean packets = way == Way.QUEUED || way == Way.RULED;
            Pump a = new Pump("a/1", arena, packets ? packet : Station.frame(to, 0x020000000001L, 1, 100),
                    way == Way.RESTING);
            Pump b = new Pump("b/1", arena, packets ? packet
                    : Station.frame(0x020000000001L, 0x020000000002L, 1, 100), way == Way.RESTING);
            if (way == Way.RULED) {
                for (PacketRule.Action action : PacketRule.Action.values()) {
                    link.impair(new PacketRule(ANY, ANY, ANY, ANY, action,
                            action == PacketRule.Action.DELAY ? 1000 : 0, 5_000));
                }
                link.impair(new PacketRule(ANY, ANY, ANY, ANY, PacketRule.Action.CORRUPT, 0, 0));
            }
            a.wire = link.plug(a);
            b.wire = link.plug(b);
            if (way == Way.CAPTURED) {
                link.startCapture(folder.resolve("c.pcapng"), 64);
            }
            a.on = true;
            b.on = true;
            a.wire.wake();
            int frames = way == Way.RESTING ? 500 : 50_000;
            awaitMore(a, frames * 2L);
            long least = Long.MAX_VALUE;
            // what is not compiled yet, on a machine that has other work, may allocate; a frame never does
            long patience = System.nanoTime() + PATIENCE.toNanos();
            while (least > 0 && System.nanoTime() - patience < 0) {
                // an agent that rests again and again may be without a thread, or have another one
                Thread agent = link.agent().thread();
                long before = agent == null ? 0 : THREADS.getThreadAllocatedBytes(agent.threadId());
                awaitMore(a, frames);
                if (agent != null && link.agent().thread() == agent) {
                    least = Math.min(least, THREADS.getThreadAllocatedBytes(agent.threadId()) - before);
                }
            }
            assertThat(least).as("bytes for " + frames + " frames").isZero();
            a.on = false;
            b.on = false;
            assertThat(link.status().problems()).isEmpty();
            a.wire.close();
            b.wire.close();
        }
    }

    private static void awaitMore(Pump pump, long frames) {
        long until = pump.moved.getOpaque() + frames;
        while (pump.moved.getOpaque() < until) {
            Thread.onSpinWait();
        }
    }
}

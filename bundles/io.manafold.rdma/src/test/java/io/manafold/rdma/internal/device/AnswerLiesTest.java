package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.memory.RawMemory;
import io.manafold.rdma.internal.connection.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A device that answers anything to what the RDMA driver asks by the hardware channel: verbs answer or are refused, in
 * bounded time, and all memory comes home.
 */
@Timeout(3600)
class AnswerLiesTest {
    private static final int LIES = Integer.getInteger("manafold.rdma.answers", 20_000);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final ChannelLimits LIMITS = new ChannelLimits(Duration.ofSeconds(30), Duration.ofSeconds(30),
            SHORT, SHORT, 4);
    private static final int[] ABSURD = {0, 1, -1, 2, 255, 256, 257, 4095, 4096, 0xffff, 0x10000, 0x7fff_ffff,
        0x8000_0000, 65, 1 << 20};
    private static final long SEED = 20261127;
    /** Lies after which another driver comes. */
    private static final int MOST = 5_000;
    /** Words of an answer up to its status, and those behind it that may mean something. */
    private static final int STATUS = 6;
    private static final int BODY = 24;
    /** What takes longer has met a channel that does not answer any more. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private int told;

    @Test
    void answersOfRdmaSayAnything() {
        for (int round = 0; told < LIES; round++) {
            long seed = SEED + round;
            try (TestSwitch net = new TestSwitch("liar/1")) {
                Node node = new Node("liar", net, Neighbours.NONE, Timing.USUAL, LIMITS);
                try {
                    lie(node, new Random(seed));
                } catch (RuntimeException | Error crashed) {
                    throw new AssertionError("seed " + seed, crashed);
                } finally {
                    node.function.before(vector -> { });
                    node.close();
                }
                assertThat(node.borrower.pagesInUse()).as("pages of rings, seed %d", seed).isZero();
                assertThat(node.borrower.blocks()).as("blocks, seed %d", seed).isZero();
            }
        }
    }

    private void lie(Node node, Random random) {
        Random lying = new Random(random.nextLong());
        byte[] before = node.bytes(0, Node.BYTES);
        int end = told + MOST;
        node.function.before(vector -> {
            if (vector == 0) {
                lie(node.function.pointer() + 4L * Limits.CHANNEL_QUEUE + 4L * Limits.MESSAGE, lying);
            }
        });
        boolean answers = true;
        while (answers && told < end) {
            answers = took(() -> use(node.context, node)).compareTo(PATIENCE) < 0;
        }
        node.device.close();
        took(() -> {
            try (VerbsDevice next = new VerbsDevice("mana.rdma.1", "mana_1", node.ethernet.function(), node.borrower,
                    List.of(Node.port(node.ethernet.vports().getFirst().mac())), node.book, Timing.USUAL)) {
                use(next.open(), node);
            }
        });
        assertThat(node.bytes(0, Node.BYTES)).as("memory that nothing was to write to").isEqualTo(before);
    }

    private void lie(long answers, Random lying) {
        for (int i = 0; i < 4; i++) {
            int first = lying.nextInt(4000) == 0 ? 0 : lying.nextInt(8) == 0 ? STATUS : STATUS + 1;
            RawMemory.put32(answers + (long) i * Limits.MESSAGE + 4L * (first + lying.nextInt(BODY)),
                    lying.nextInt(4) == 0 ? lying.nextInt() : ABSURD[lying.nextInt(ABSURD.length)]);
            told++;
        }
    }

    /** What a bundle may ask for, once each; a refusal ends it. Returns how long it took. */
    private static Duration took(Runnable use) {
        long begin = System.nanoTime();
        try {
            use.run();
        } catch (Refusal refused) {
            assertThat(refused.getMessage()).endsWith(".");
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(took).isLessThan(BOUND);
        return took;
    }

    private static void use(VerbsContext context, Node node) {
        Deque<AutoCloseable> made = new ArrayDeque<>();
        try {
            context.counters(1);
            ProtectionDomain domain = context.allocateDomain();
            made.push(domain);
            MemoryRegion region = domain.register(node.block, Node.ALL);
            made.push(region);
            CompletionQueue queue = context.createCompletionQueue(64);
            made.push(queue);
            QueuePair pair = domain.createQueuePair(QueuePairPlan.reliable(queue, 16, 16));
            made.push(pair);
            pair.modify(QueuePairAttributes.init(Node.ALL));
            queue.poll(node.completions);
        } finally {
            made.forEach(AnswerLiesTest::quietly);
        }
    }

    private static void quietly(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Refusal refused) {
            assertThat(refused.getMessage()).endsWith(".");
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }
}

package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ImpairingTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(1 << 16);
    private final List<Integer> arrived = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final Jack[] jacks = {new Jack("a/1", 0), new Jack("b/1", 1)};
    private final Counters counters = new Counters();
    private long now = 1_000_000;
    private final Forwarding recorder = new Forwarding() {
        @Override
        public void forward(Jack from, Frames frames, int begin, int end) {
            byte[] bytes = new byte[1 << 14];
            for (int i = begin; i < end; i++) {
                RawMemory.copy(frames.address(i, 0), bytes, 0, frames.length(i));
                int number = Station.number(bytes);
                assertThat(java.util.Arrays.copyOf(bytes, frames.length(i))).isEqualTo(bytes(number));
                assertThat(frames.marks(i)).isEqualTo(number & 7);
                arrived.add(number);
                times.add(now);
            }
        }

        @Override
        public void forget(Jack jack) {
            // remembers nothing
        }

        @Override
        public Map<String, String> stations() {
            return Map.of();
        }
    };
    private final DelayLine line = new DelayLine(1 << 16, 64);
    private final ReorderBuffer hold = new ReorderBuffer(2);
    private Impairing impairing = new Impairing(jacks, recorder, counters, () -> now);

    @AfterEach
    void close() {
        arena.close();
        line.close();
        hold.close();
    }

    private static byte[] bytes(int number) {
        return frame(1, 2, number, 60 + number % 100);
    }

    private void pass(Jack from, int first, int count) {
        FrameBurst burst = new FrameBurst(count, count);
        long offset = 0;
        for (int i = first; i < first + count; i++) {
            byte[] bytes = bytes(i);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
            burst.begin(i & 7);
            burst.add(memory.address() + offset, bytes.length);
            offset += bytes.length;
        }
        impairing.pass(from, burst, 0, count);
        memory.fill((byte) 0x55);
    }

    /** All frames from 0 on, in bursts of random size, and what is left at the end. */
    private List<Integer> run(Impairments what, int frames, long cutting) {
        impairing = new Impairing(jacks, recorder, counters, () -> now);
        impairing.use(what, line, hold);
        arrived.clear();
        times.clear();
        Random random = new Random(cutting);
        for (int next = 0; next < frames;) {
            int burst = Math.min(frames - next, 1 + random.nextInt(32));
            pass(jacks[0], next, burst);
            next += burst;
            now += 1000;
            impairing.release();
        }
        while (impairing.restNanos() != DutyCycle.UNTIL_WOKEN) {
            now += impairing.restNanos();
            impairing.release();
        }
        return List.copyOf(arrived);
    }

    @Test
    void theSameSeedDoesTheSameToTheSameFramesHoweverTheyCome() {
        Impairments what = new Impairments(5, 5, 5, 0, 7);
        List<Integer> first = run(what, 2000, 1);
        assertThat(run(what, 2000, 2)).isEqualTo(first);
        assertThat(run(new Impairments(5, 5, 5, 0, 8), 2000, 1)).isNotEqualTo(first);
        assertThat(run(new Impairments(5, 5, 5, 900, 7), 2000, 3)).as("later, but the same").isEqualTo(first);
    }

    @Test
    void whatOtherPortsSendChangesNothing() {
        Impairments what = new Impairments(20, 0, 0, 0, 7);
        List<Integer> alone = run(what, 300, 1);
        impairing = new Impairing(jacks, recorder, counters, () -> now);
        impairing.use(what, line, hold);
        arrived.clear();
        for (int i = 0; i < 300; i++) {
            pass(jacks[0], i, 1);
            pass(jacks[1], 1000 + i, 1 + i % 3);
        }
        assertThat(arrived.stream().filter(number -> number < 1000).toList()).isEqualTo(alone);
        assertThat(arrived.stream().filter(number -> number >= 1000).map(number -> number - 1000).distinct().toList())
                .as("dice of its own").isNotEqualTo(alone);
    }

    @Test
    void lossIsTheShareThatWasAskedFor() {
        assertThat(run(new Impairments(0.5, 0, 0, 0, 1), 20_000, 1).size()).isBetween(19_850, 19_950);
        assertThat(run(new Impairments(100, 0, 0, 0, 1), 500, 1)).isEmpty();
        assertThat(run(new Impairments(25, 0, 0, 0, 3), 20_000, 1).size()).isBetween(14_700, 15_300);
        assertThat(counters.lost.get()).isBetween(5_000L, 6_000L);
        assertThat(counters.copied.get()).isZero();
    }

    @Test
    void duplicatesComeRightAfterwards() {
        List<Integer> twice = run(new Impairments(0, 100, 0, 0, 1), 100, 1);
        assertThat(twice).isEqualTo(IntStream.range(0, 200).map(i -> i / 2).boxed().toList());
        List<Integer> some = run(new Impairments(0, 10, 0, 0, 1), 10_000, 1);
        assertThat(some.size()).isBetween(10_850, 11_150);
        assertThat(some).isSorted();
        assertThat(new HashSet<>(some)).hasSize(10_000);
    }

    @Test
    void whatIsReorderedComesAfterItsSuccessor() {
        List<Integer> some = run(new Impairments(0, 0, 10, 0, 4), 5000, 1);
        assertThat(some).hasSize(5000).doesNotHaveDuplicates();
        int swapped = 0;
        for (int i = 0; i < some.size(); i++) {
            assertThat(some.get(i)).isBetween(i - 1, i + 1);
            swapped += some.get(i) < i ? 1 : 0;
        }
        assertThat(swapped).isBetween(380, 520);
        assertThat(run(new Impairments(0, 0, 100, 0, 4), 4, 1)).containsExactly(1, 0, 3, 2);
    }

    @Test
    void whoHasNoSuccessorIsNotHeldForever() {
        assertThat(run(new Impairments(0, 0, 100, 0, 1), 1, 1)).containsExactly(0);
        assertThat(run(new Impairments(0, 100, 100, 0, 1), 1, 1)).containsExactly(0, 0);
        assertThat(impairing.restNanos()).isEqualTo(DutyCycle.UNTIL_WOKEN);
    }

    @Test
    void delayIsExactInOrderAndBounded() {
        impairing.use(new Impairments(0, 0, 0, 2_000_000, 1), line, hold);
        long start = now;
        pass(jacks[0], 0, 10);
        now += 500;
        pass(jacks[1], 10, 10);
        assertThat(impairing.release()).isZero();
        assertThat(impairing.restNanos()).isEqualTo(2_000_000 - 500);
        now = start + 2_000_000;
        assertThat(impairing.release()).isEqualTo(10);
        now += 500;
        assertThat(impairing.release()).isEqualTo(10);
        assertThat(arrived).isEqualTo(IntStream.range(0, 20).boxed().toList());
        pass(jacks[0], 20, 100);
        assertThat(counters.overflow.get()).isEqualTo(36);
        now += 2_000_000;
        impairing.release();
        assertThat(arrived).isEqualTo(IntStream.range(0, 84).boxed().toList());
    }

    @Test
    void whatComesAfterFramesThatWaitDoesNotOvertakeThemWhenTheDelayEnds() {
        impairing.use(new Impairments(0, 0, 0, 2_000_000, 1), line, hold);
        pass(jacks[0], 0, 3);
        impairing.use(Impairments.NONE, line, hold);
        pass(jacks[0], 3, 3);
        assertThat(arrived).isEmpty();
        now += 2_000_000;
        impairing.release();
        pass(jacks[0], 6, 2);
        assertThat(arrived).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(impairing.restNanos()).isEqualTo(DutyCycle.UNTIL_WOKEN);
    }

    @Test
    void aLinkDelaysAndItsStatusSaysSo() throws Exception {
        Impairments what = new Impairments(0, 0, 0, 3_000_000, 1);
        try (FabricLink link = FabricLink.open(new LinkPlan("slow", LinkPlan.Kind.DIRECT, List.of("a/1", "b/1"), null,
                what)); Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            long before = System.nanoTime();
            a.send(bytes(1), bytes(2));
            assertThat(b.take(2)).containsExactly(bytes(1), bytes(2));
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(3_000_000);
            assertThat(link.status().impairments()).isEqualTo(what);
            assertThat(link.status().counters()).containsEntry("delayed", 2L).containsEntry("copied", 2L);
            link.impair(new Impairments(100, 0, 0, 0, 1));
            a.send(bytes(3));
            while (link.status().counters().get("lost") == 0) {
                Thread.onSpinWait();
            }
            link.impair(Impairments.NONE);
            a.send(bytes(4));
            assertThat(b.next()).isEqualTo(bytes(4));
        }
    }
}

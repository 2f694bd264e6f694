package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputQueueTest {
    private static final long GIGABIT = 1_000_000_000;

    private record Waiting(byte[] bytes, int marks, int owner) {
        int size() {
            return Math.max(64, bytes.length);
        }
    }

    @Test
    void framesLeaveInOrderAndWholeAndExactlyWhatFitsIsTaken() {
        Queueing queueing = new Queueing(GIGABIT, 20_000, 0, 0, 0, 0, 0, 0);
        Random random = new Random(2);
        try (Arena arena = Arena.ofConfined(); Packets packets = new Packets()) {
            long now = Long.MAX_VALUE - 10_000_000;
            OutputQueue queue = new OutputQueue(arena.allocate(OutputQueue.memory(queueing), 64).address(), queueing,
                    now);
            FrameBurst out = new FrameBurst(16, 16);
            ArrayDeque<Waiting> model = new ArrayDeque<>();
            long waiting = 0;
            long highest = 0;
            int refused = 0;
            int passed = 0;
            for (int step = 0; step < 100_000; step++) {
                if (random.nextInt(8) < 5) {
                    int frames = 1 + random.nextInt(4);
                    packets.clear();
                    byte[][] all = new byte[frames][];
                    for (int i = 0; i < frames; i++) {
                        all[i] = new byte[1 + random.nextInt(random.nextInt(20) == 0 ? OutputQueue.LONGEST : 400)];
                        random.nextBytes(all[i]);
                        packets.add(all[i], step + i & 7, 1 + random.nextInt(Math.min(5, all[i].length)));
                    }
                    boolean kept = random.nextInt(4) > 0;
                    long staged = waiting;
                    for (int i = 0; i < frames; i++) {
                        int size = Math.max(64, all[i].length);
                        boolean fits = staged + size <= 20_000;
                        assertThat(queue.stage(packets.all(), i)).isEqualTo(fits);
                        if (!fits) {
                            refused++;
                            continue;
                        }
                        staged += size;
                        if (kept) {
                            model.add(new Waiting(all[i], step + i & 7, step % 100));
                        }
                    }
                    packets.overwrite();
                    if (!kept) {
                        queue.takeBack();
                    }
                    while (queue.staged() > 0) {
                        queue.keep(step % 100, now);
                    }
                    waiting = kept ? staged : waiting;
                    highest = Math.max(highest, waiting);
                } else {
                    now += random.nextInt(20_000);
                    queue.fill(out, now);
                    for (int i = 0; i < out.count(); i++) {
                        Waiting expected = model.remove();
                        assertThat(Packets.bytes(out, i)).isEqualTo(expected.bytes());
                        assertThat(out.marks(i)).isEqualTo(expected.marks());
                        assertThat(queue.owner()).isEqualTo(expected.owner());
                        assertThat(queue.free()).isEqualTo(expected.size());
                        waiting -= expected.size();
                        passed++;
                    }
                }
                assertThat(queue.waiting()).isEqualTo(waiting);
                assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
            }
            assertThat(refused).isGreaterThan(1000);
            assertThat(passed).isGreaterThan(10_000);
            assertThat(queue.status("a/1", 3)).isEqualTo(new QueueStatus("a/1", waiting, highest, 0, 0, 3));
        }
    }

    @Test
    void framesThatAreTooLongOrEmptyAreNotTaken() {
        Queueing queueing = new Queueing(GIGABIT, 1 << 20, 0, 0, 0, 0, 0, 0);
        try (Arena arena = Arena.ofConfined(); Packets packets = new Packets()) {
            OutputQueue queue = new OutputQueue(arena.allocate(OutputQueue.memory(queueing), 64).address(), queueing,
                    0);
            packets.add(new byte[OutputQueue.LONGEST + 1], 0, 1).add(new byte[0], 0, 1)
                    .add(new byte[OutputQueue.LONGEST], 0, 1);
            assertThat(queue.stage(packets.all(), 0)).isFalse();
            assertThat(queue.stage(packets.all(), 1)).isFalse();
            assertThat(queue.stage(packets.all(), 2)).isTrue();
        }
    }

    @Test
    void theShortestFramesFillTheBufferExactly() {
        Queueing queueing = new Queueing(GIGABIT, Queueing.LEAST_BUFFER, 0, 0, 0, 0, 0, 0);
        try (Arena arena = Arena.ofConfined(); Packets packets = new Packets()) {
            OutputQueue queue = new OutputQueue(arena.allocate(OutputQueue.memory(queueing), 64).address(), queueing,
                    0);
            packets.add(new byte[14], 0, 1);
            for (int i = 0; i < 256; i++) {
                assertThat(queue.stage(packets.all(), 0)).isTrue();
                queue.keep(0, 0);
            }
            assertThat(queue.stage(packets.all(), 0)).isFalse();
            assertThat(queue.waiting()).isEqualTo(Queueing.LEAST_BUFFER);
        }
    }
}

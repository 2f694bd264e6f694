package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelayLineTest {
    private record Waiting(int place, long due, int marks, byte[] bytes) {
    }

    @Test
    void whatGoesInComesOutInOrderAndWhole() {
        Random random = new Random(11);
        try (Arena arena = Arena.ofConfined(); DelayLine line = new DelayLine(16 << 10, 64)) {
            MemorySegment memory = arena.allocate(4096);
            FrameBurst in = new FrameBurst(1, 8);
            FrameBurst out = new FrameBurst(16, 16);
            ArrayDeque<Waiting> model = new ArrayDeque<>();
            byte[] read = new byte[4096];
            long now = Long.MAX_VALUE - 5000;
            int refused = 0;
            int passed = 0;
            for (int step = 0; step < 50_000; step++) {
                now++;
                if (random.nextInt(5) < 3) {
                    byte[] bytes = new byte[random.nextInt(random.nextInt(8) == 0 ? 4096 : 300)];
                    random.nextBytes(bytes);
                    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
                    in.clear();
                    in.begin(step & 7);
                    int first = bytes.length / 3;
                    in.add(memory.address(), first);
                    in.add(memory.address() + first, bytes.length - first);
                    int place = random.nextInt(2);
                    if (line.add(place, in, 0, now + 20)) {
                        model.add(new Waiting(place, now + 20, step & 7, bytes));
                    } else {
                        refused++;
                    }
                } else {
                    int place = line.due(now, out);
                    if (place == DelayLine.NO_PLACE) {
                        assertThat(model.isEmpty() || model.peek().due() - now > 0).isTrue();
                        continue;
                    }
                    for (int i = 0; i < out.count(); i++) {
                        Waiting expected = model.remove();
                        assertThat(expected.place()).isEqualTo(place);
                        assertThat(expected.due() - now).isLessThanOrEqualTo(0);
                        assertThat(out.marks(i)).isEqualTo(expected.marks());
                        io.manafold.memory.RawMemory.copy(out.address(i, 0), read, 0, out.length(i));
                        assertThat(java.util.Arrays.copyOf(read, out.length(i))).isEqualTo(expected.bytes());
                        passed++;
                    }
                    line.free(out.count());
                }
            }
            assertThat(refused).isPositive();
            assertThat(passed).isGreaterThan(5000);
            assertThat(line.isEmpty()).isEqualTo(model.isEmpty());
        }
    }
}

package io.manafold.example.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Memory is divided, counted and joined again. */
class ChunksTest {
    private static final int BYTES = 1 << 20;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 16);
    private final Chunks chunks = new Chunks(memory);

    private record Taken(int chunk, int keyLength, int valueLength, byte mark) {
    }

    private void fill(Taken taken) {
        memory.asSlice(chunks.keyAt(taken.chunk()), taken.keyLength()).fill(taken.mark());
        memory.asSlice(chunks.valueAt(taken.chunk()), taken.valueLength()).fill(taken.mark());
    }

    private void check(Taken taken) {
        MemorySegment key = memory.asSlice(chunks.keyAt(taken.chunk()), taken.keyLength());
        MemorySegment reply = memory.asSlice(chunks.replyAt(taken.chunk()), chunks.replyLength(taken.chunk()));
        String mark = String.valueOf((char) taken.mark());
        assertThat(text(key)).isEqualTo(mark.repeat(taken.keyLength()));
        assertThat(text(reply)).isEqualTo("$" + taken.valueLength() + "\r\n" + mark.repeat(taken.valueLength())
                + "\r\n");
    }

    private static String text(MemorySegment segment) {
        return new String(segment.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    @Test
    void whatIsTakenStaysAsItIsAndComesBack() {
        Random random = new Random(5);
        List<Taken> all = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            if (all.isEmpty() || random.nextInt(100) < 52) {
                int keyLength = random.nextInt(40);
                int valueLength = random.nextInt(8) == 0 ? random.nextInt(20_000) : random.nextInt(200);
                int chunk = chunks.allocate(keyLength, valueLength);
                if (chunk == Chunks.NONE) {
                    refused++;
                } else {
                    Taken taken = new Taken(chunk, keyLength, valueLength, (byte) ('a' + random.nextInt(26)));
                    fill(taken);
                    all.add(taken);
                }
            } else {
                Taken taken = all.remove(random.nextInt(all.size()));
                if (i % 8 == 0) {
                    check(taken);
                }
                chunks.letGo(taken.chunk());
            }
        }
        assertThat(refused).as("the memory was full at times").isPositive();
        all.forEach(this::check);
        all.forEach(taken -> chunks.letGo(taken.chunk()));
        assertThat(chunks.used()).isZero();
        int last = chunks.allocate(0, BYTES - 64);
        assertThat(last).as("all of it is one piece again").isNotEqualTo(Chunks.NONE);
    }

    @Test
    void whatIsNeededStays() {
        int chunk = chunks.allocate(1, 10);
        chunks.hold(chunk);
        chunks.letGo(chunk);
        assertThat(chunks.used()).isEqualTo(64);
        chunks.letGo(chunk);
        assertThat(chunks.used()).isZero();
    }

    @Test
    void moreThanThereIsIsRefused() {
        assertThat(chunks.allocate(0, BYTES)).isEqualTo(Chunks.NONE);
        assertThat(chunks.allocate(0, Integer.MAX_VALUE - 8)).isEqualTo(Chunks.NONE);
        assertThat(chunks.used()).isZero();
    }

    @Test
    void keysHashByWhatIsInThemAndBySecret() {
        MemorySegment key = MemorySegment.ofArray("a key of some length".getBytes(StandardCharsets.US_ASCII));
        KeyHash hash = new KeyHash(1, 2);
        for (int length = 1; length <= key.byteSize(); length++) {
            assertThat(hash.of(key, 0, length)).isNotEqualTo(hash.of(key, 0, length - 1))
                    .isNotEqualTo(new KeyHash(1, 3).of(key, 0, length));
        }
    }
}

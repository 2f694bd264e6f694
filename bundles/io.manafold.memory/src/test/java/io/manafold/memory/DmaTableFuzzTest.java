package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table against a list of ranges in numbers that cannot overflow. */
class DmaTableFuzzTest {
    private static final int PAGE = RawMemory.PAGE;
    private static final int PAGES = 64;
    private static final BigInteger END = BigInteger.ONE.shiftLeft(64);

    private final List<Range> model = new ArrayList<>();

    private record Range(BigInteger first, BigInteger end, long offset, boolean writable) {
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theTableAnswersAsAListWould(long seed) {
        Random random = new Random(seed);
        try (DmaBlock block = new DmaBlock("test", PAGES * PAGE); DmaTable table = new DmaTable()) {
            // each page tells its own number
            for (int page = 0; page < PAGES; page++) {
                for (int at = 0; at < PAGE; at += 8) {
                    RawMemory.put64(block.address() + page * PAGE + at, page * PAGE + at);
                }
            }
            for (int step = 0; step < 6000; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> map(table, block, random);
                    case 2 -> unmap(table, random);
                    default -> look(table, random);
                }
                assertThat(table.ranges()).isEqualTo(model.size());
                assertThat(table.bytes()).isEqualTo(
                        model.stream().mapToLong(range -> range.end.subtract(range.first).longValue()).sum());
                if (random.nextInt(1000) == 0) {
                    table.clear();
                    model.clear();
                }
            }
        }
    }

    private void map(DmaTable table, DmaBlock block, Random random) {
        long address = address(random) & -PAGE | (random.nextInt(20) == 0 ? random.nextInt(PAGE) : 0);
        long length = (random.nextInt(6) * (long) PAGE) + (random.nextInt(20) == 0 ? 1 : 0);
        long offset = random.nextInt(PAGES + 1) * (long) PAGE;
        boolean writable = random.nextBoolean();
        BigInteger first = unsigned(address);
        BigInteger end = first.add(BigInteger.valueOf(length));
        Errno expected = null;
        if (length <= 0 || length % PAGE != 0 || address % PAGE != 0 || end.compareTo(END) > 0) {
            expected = Errno.EINVAL;
        } else if (model.stream().anyMatch(range -> overlap(range, first, end))) {
            expected = Errno.EEXIST;
        } else if (offset + length > PAGES * PAGE) {
            expected = Errno.EINVAL;
        }
        assertThat(errno(() -> table.map(address, length, block.fd(), offset, writable))).isEqualTo(expected);
        if (expected == null) {
            model.add(new Range(first, end, offset, writable));
        }
    }

    private void unmap(DmaTable table, Random random) {
        long address = address(random) & -PAGE;
        long length = (1 + random.nextInt(12)) * (long) PAGE;
        if (random.nextInt(3) == 0 && !model.isEmpty()) {
            Range range = model.get(random.nextInt(model.size()));
            address = range.first.longValue();
            length = range.end.subtract(range.first).longValue();
        }
        long start = address;
        long count = length;
        BigInteger first = unsigned(start);
        BigInteger end = first.add(BigInteger.valueOf(count));
        List<Range> touched = model.stream().filter(range -> overlap(range, first, end)).toList();
        Errno expected = null;
        if (end.compareTo(END) > 0) {
            expected = Errno.EINVAL;
        } else if (touched.isEmpty()) {
            expected = Errno.ENOENT;
        } else if (touched.stream().anyMatch(range -> range.first.compareTo(first) < 0
                || range.end.compareTo(end) > 0)) {
            expected = Errno.EINVAL;
        }
        assertThat(errno(() -> table.unmap(start, count))).isEqualTo(expected);
        if (expected == null) {
            model.removeAll(touched);
        }
    }

    private void look(DmaTable table, Random random) {
        long dma = address(random);
        long length = switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> 0;
            case 2 -> 1L + random.nextInt(6 * PAGE);
            default -> 1L + random.nextInt(64);
        };
        boolean write = random.nextBoolean();
        Range holding = holding(unsigned(dma), write);
        long pointer = table.pointer(dma, length, write);
        boolean inside = holding != null && length > 0
                && unsigned(dma).add(BigInteger.valueOf(length)).compareTo(holding.end) <= 0;
        assertThat(pointer != 0).isEqualTo(inside);
        long left = holding == null ? 0 : holding.end.subtract(unsigned(dma)).longValue();
        assertThat(table.left(dma, write)).isEqualTo(left);
        if (inside) {
            tells(holding, dma, pointer, length);
        }
        pieces(table, dma, length, write);
    }

    private void pieces(DmaTable table, long dma, long length, boolean write) {
        long[] pointers = new long[3];
        long[] lengths = new long[3];
        int expected = 0;
        BigInteger at = unsigned(dma);
        long open = length;
        while (open > 0 && expected >= 0) {
            Range holding = holding(at, write);
            if (holding == null || expected == 3) {
                expected = -1;
            } else {
                long piece = Math.min(open, holding.end.subtract(at).longValue());
                at = at.add(BigInteger.valueOf(piece));
                open -= piece;
                expected++;
            }
        }
        int count = table.runs(dma, length, write, pointers, lengths);
        assertThat(count).isEqualTo(length < 0 ? -1 : expected);
        long done = 0;
        for (int i = 0; i < count; i++) {
            tells(holding(unsigned(dma + done), write), dma + done, pointers[i], lengths[i]);
            done += lengths[i];
        }
        if (count >= 0) {
            assertThat(done).isEqualTo(length);
        }
    }

    /** The memory at a pointer is the part of the file that it should be, up to the last byte. */
    private static void tells(Range range, long dma, long pointer, long length) {
        long place = range.offset + unsigned(dma).subtract(range.first).longValue();
        assertThat(RawMemory.get64(pointer & -8)).isEqualTo(place & -8);
        long last = pointer + length - 1;
        assertThat(RawMemory.get64(last & -8)).isEqualTo(place + length - 1 & -8);
    }

    private Range holding(BigInteger address, boolean write) {
        return model.stream().filter(range -> overlap(range, address, address.add(BigInteger.ONE)))
                .filter(range -> !write || range.writable).findFirst().orElse(null);
    }

    private static boolean overlap(Range range, BigInteger first, BigInteger end) {
        return range.first.compareTo(end) < 0 && range.end.compareTo(first) > 0;
    }

    /** Few places, so that ranges meet: low, around the sign, and at the end of the address space. */
    private static long address(Random random) {
        long base = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> Long.MAX_VALUE - 20L * PAGE + 1;
            default -> -40L * PAGE;
        };
        return base + random.nextInt(40 * PAGE);
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static Errno errno(Runnable request) {
        try {
            request.run();
            return null;
        } catch (Refusal refused) {
            return refused.errno();
        }
    }
}

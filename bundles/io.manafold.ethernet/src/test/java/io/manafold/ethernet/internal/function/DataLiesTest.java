package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.device.Removal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Command;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.LyingFunction;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever stands in the queues of a port, its driver reads nothing outside, goes on or stops the port, leaves in
 * bounded time and gives all memory back.
 */
@Timeout(900)
class DataLiesTest {
    private static final long SEED = 20261123;
    private static final int ROUNDS = Math.max(1, Integer.getInteger("manafold.lies", 20) / 5);
    private static final long BASE = 0x1_0000_0000L;
    private static final int SLOT = CompletionEntry.SIZE;
    private static final int REQUESTS = 4 * Limits.CHANNEL_QUEUE;

    /** The pages of all queues, by their place in the memory that is lent. */
    private final Set<Long> pages = new ConcurrentSkipListSet<>();

    @Test
    void entriesOfQueuesSayAnything() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            long own = random.nextLong();
            pages.clear();
            try (TestSwitch net = new TestSwitch("liar/1", "liar/2");
                    TestAdapter adapter = new TestAdapter("liar", "ports", 2, "queues", 2)) {
                adapter.plug(net.link(), "liar/1", "liar/2");
                try (LyingFunction function = new LyingFunction(adapter.function())) {
                    drive(function, new Random(own), round % 2 == 0 ? Removal.DEVICE_GONE : Removal.UNBIND, own);
                }
            }
        }
    }

    private void drive(LyingFunction function, Random random, Removal why, long seed) {
        function.before(vector -> {
            if (vector == 0) {
                look(function.pointer());
            }
        });
        FunctionDrive drive = FunctionDrive.begin(function, Bench.context(new Alone()));
        List<Long> places = List.copyOf(pages);
        assertThat(places).isNotEmpty();
        int rate = 1 + random.nextInt(8);
        long lies = random.nextLong();
        try (Station left = new Station(drive.offered().get(0)); Station right = new Station(drive.offered().get(1))) {
            talk(left, right, 20);
            Random lying = new Random(lies);
            function.before(vector -> {
                if (vector > 0 && lying.nextInt(rate) == 0) {
                    lie(function.pointer(), places, lying);
                }
            });
            for (int i = 0; i < 30; i++) {
                talk(left, right, 10);
                lie(function.pointer(), places, random);
            }
            function.before(vector -> { });
        } finally {
            drive.remove(why);
        }
        assertThat(drive.memory().pagesInUse()).as("pages, seed %s", seed).isZero();
    }

    private static void talk(Station left, Station right, int frames) {
        for (int i = 0; i < frames; i++) {
            left.trySend(left.frame(right.device, i, 60 + 40 * i), Integer.MAX_VALUE, _ -> { });
            right.trySend(right.frame(left.device, i, 1500 - i), Integer.MAX_VALUE, _ -> { });
        }
    }

    /** Finds what was asked to be made a queue of. */
    private void look(long memory) {
        for (int i = 0; i < ChannelLimits.USUAL.depth(); i++) {
            long request = memory + REQUESTS + (long) i * Limits.MESSAGE;
            int count = RawMemory.get32(request + 0x3c);
            if (RawMemory.get32(request + 4) == Command.CREATE_DMA_REGION.code() && count > 0 && count <= 504) {
                for (int k = 0; k < count; k++) {
                    pages.add(RawMemory.get64(request + 0x40 + 8L * k) - BASE);
                }
            }
        }
    }

    private static void lie(long memory, List<Long> places, Random random) {
        for (int i = 0; i < 40; i++) {
            long page = memory + places.get(random.nextInt(places.size()));
            long entry = page + (long) random.nextInt(RawMemory.PAGE / SLOT) * SLOT;
            long last = entry + CompletionEntry.LAST;
            switch (random.nextInt(7)) {
                case 0 -> RawMemory.put32(last, RawMemory.get32(last) ^ 1 << 29 + random.nextInt(3));
                case 1 -> RawMemory.put32(entry + 4L * random.nextInt(SLOT / 4), random.nextInt());
                case 2 -> RawMemory.put16(entry + ReceiveCompletion.lengthAt(random.nextInt(4)), random.nextInt());
                case 3 -> RawMemory.put32(entry, RawMemory.get32(entry) & ~0x3f | random.nextInt(64));
                case 4 -> RawMemory.put32(last, RawMemory.get32(last) & ~0xff_ffff | random.nextInt(64));
                case 5 -> RawMemory.put32(entry + 4L * random.nextInt(SLOT / 4), -1);
                default -> copy(page + (long) random.nextInt(RawMemory.PAGE / SLOT) * SLOT, entry);
            }
        }
    }

    /** An entry that was true elsewhere. */
    private static void copy(long from, long to) {
        for (int at = 0; at < SLOT; at += 4) {
            RawMemory.put32(to + at, RawMemory.get32(from + at));
        }
    }
}

package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaArena;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.LyingFunction;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whatever the hardware channel says, its driver comes up or refuses, in bounded time, and gives all memory back. */
@Timeout(3600)
@Execution(ExecutionMode.CONCURRENT)
class ChannelLiesTest {
    private static final long SEED = 20261122;
    private static final int ROUNDS = Integer.getInteger("manafold.lies", 20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ChannelLimits LIMITS = new ChannelLimits(Duration.ofSeconds(3), SHORT, SHORT, SHORT, 4);
    private static final int[] ABSURD = {0, 1, -1, 2, 255, 256, 257, 4095, 4096, 4097, 0xffff, 0x10000, 0x7fff_ffff,
        0x8000_0000, 0x4000_0000, 65, 1 << 20};

    private interface Liar {
        void lie(LyingFunction function, TestAdapter adapter, Random random);
    }

    private void rounds(long seed, Liar liar) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            long own = random.nextLong();
            try (TestAdapter adapter = new TestAdapter("liar", "ports", 2, "queues", 4)) {
                try (LyingFunction function = new LyingFunction(adapter.function())) {
                    Random mine = new Random(own);
                    DmaArena memory = new DmaArena(function.dma(), "liar", 0x1_0000_0000L, 64 << 20);
                    try {
                        liar.lie(function, adapter, mine);
                        drive(function, memory, adapter);
                    } catch (Refusal refused) {
                        assertThat(refused.getMessage()).as("seed %s", own).isNotBlank();
                    } catch (RuntimeException | Error crashed) {
                        throw new AssertionError("seed " + own, crashed);
                    }
                    assertThat(memory.pagesInUse()).as("pages, seed %s", own).isZero();
                    memory.close();
                }
            }
        }
    }

    private static void drive(LyingFunction function, DmaArena memory, TestAdapter adapter) {
        try (EthernetSession session = EthernetSession.open(function, memory, LIMITS, (type, data) -> { })) {
            try (PortSession port = new PortSession(session, 0, PortSettings.small(2), (at, n, flags, hash) -> { })) {
                for (int i = 0; i < 5; i++) {
                    session.call(new QueryVportConfig(i % 2));
                    port.poll();
                }
            }
        }
    }

    /** Numbers in answers are changed: ids, lengths, status, limits, ports. */
    @Test
    void answersSayAnything() {
        rounds(SEED, (function, adapter, random) -> {
            int rate = 1 + random.nextInt(12);
            function.before(vector -> {
                if (vector == 0 && random.nextInt(rate) == 0) {
                    // the channel's queues come first, then as many requests as answers
                    long answers = function.pointer() + 4L * Limits.CHANNEL_QUEUE + 4L * Limits.MESSAGE;
                    for (int i = 0; i < 4; i++) {
                        int at = random.nextInt(4) * Limits.MESSAGE + random.nextInt(40) * 4;
                        RawMemory.put32(answers + at, ABSURD[random.nextInt(ABSURD.length)]);
                    }
                }
            });
        });
    }

    /** Entries of the channel's queues are changed: types, owners, lengths, offsets. */
    @Test
    void entriesSayAnything() {
        rounds(SEED + 1, (function, adapter, random) -> {
            int rate = 1 + random.nextInt(12);
            function.before(vector -> {
                if (vector == 0 && random.nextInt(rate) == 0) {
                    for (int i = 0; i < 8; i++) {
                        int at = random.nextInt(2) * Limits.CHANNEL_QUEUE + random.nextInt(256) * 4;
                        int old = RawMemory.get32(function.pointer() + at);
                        RawMemory.put32(function.pointer() + at, random.nextBoolean() ? random.nextInt()
                                : old ^ 1 << random.nextInt(32));
                    }
                }
            });
        });
    }

    /** Answers come late, twice, short, not at all, or say no. */
    @Test
    void answersComeAsTheyLike() {
        Fault.Effect[] effects = Fault.Effect.values();
        rounds(SEED + 2, (function, adapter, random) -> {
            int after = random.nextInt(20);
            int[] seen = new int[1];
            function.before(vector -> {
                if (vector == 0 && seen[0]++ == after) {
                    Fault.Effect effect = effects[random.nextInt(effects.length)];
                    adapter.adapter().inject(new Fault("lie", null, effect,
                            effect == Fault.Effect.STATUS ? 0xc00000bb : 0,
                            effect == Fault.Effect.LATE ? SHORT.toNanos() * 3 / 2 : 0, true));
                }
            });
        });
    }

    /** Registers say where doorbells and the shared memory are, or are not. */
    @Test
    void registersSayAnything() {
        rounds(SEED + 3, (function, adapter, random) -> {
            long offset = 8L * random.nextInt(8);
            long value = random.nextBoolean() ? ABSURD[random.nextInt(ABSURD.length)] : random.nextLong();
            function.bend((at, real) -> at == offset ? value : real);
        });
    }
}

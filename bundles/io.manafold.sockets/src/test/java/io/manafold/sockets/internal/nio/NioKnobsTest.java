package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Pieces;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each knob alone changes how bytes go, and never which arrive. */
@Timeout(300)
class NioKnobsTest {
    private static final int TOTAL = 3 << 20;

    /** All off, as usual, and from there each one at each of its values. */
    static List<Knobs> settings() {
        List<Knobs> settings = new ArrayList<>(List.of(Knobs.CLASSIC, Knobs.USUAL));
        for (Knob knob : Knob.values()) {
            for (String value : knob.words()) {
                settings.add(Knobs.USUAL.prefer(knob, value));
            }
        }
        settings.add(Knobs.USUAL.with(Knob.BUFFERS, "16384"));
        settings.add(Knobs.CLASSIC.with(Knob.GATHER, "on"));
        return settings;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theSameBytesArriveInAPool(Knobs knobs) {
        try (Ends ends = new Ends(knobs, EndpointPlan.USUAL)) {
            byte[] sent = new byte[TOTAL];
            new Random(7).nextBytes(sent);
            Region into = ends.context.register(ends.memory.make("into", 1 << 20), Region.RECEIVE);
            ReceivePool pool = ends.queues.pool(into, 4096, 64);
            ends.far.receive(pool, 1);
            byte[] received = new byte[TOTAL];
            int[] at = {0, 0};
            boolean[] isEnded = {false};
            Random sizes = new Random(1);
            Pieces pieces = new Pieces(2);
            while (!isEnded[0]) {
                while (ends.near.sendRoom() > 96 && at[0] < TOTAL) {
                    int length = Math.min(TOTAL - at[0], 1 + sizes.nextInt(8000));
                    long place = at[0] % (1 << 19);
                    java.lang.foreign.MemorySegment.copy(sent, at[0], ends.block.segment(),
                            java.lang.foreign.ValueLayout.JAVA_BYTE, place, length);
                    int first = Math.max(1, length / 3);
                    if (length > first) {
                        ends.near.send(pieces.clear().add(ends.region.key(), place, first)
                                .add(ends.region.key(), place + first, length - first), 2);
                    } else {
                        ends.near.send(ends.region.key(), place, length, 2);
                    }
                    at[0] += length;
                    if (at[0] == TOTAL) {
                        ends.near.finish(3);
                    }
                }
                ends.next(index -> {
                    assertThat(ends.completions.errno(index)).isZero();
                    if (ends.completions.operation(index) == Operation.RECEIVE) {
                        if (ends.completions.has(index, Completions.END)) {
                            isEnded[0] = true;
                        } else {
                            int length = (int) ends.completions.length(index);
                            java.lang.foreign.MemorySegment.copy(into.block().segment(),
                                    java.lang.foreign.ValueLayout.JAVA_BYTE, into.offset()
                                    + ends.completions.offset(index), received, at[1], length);
                            at[1] += length;
                            pool.giveBack(ends.completions.buffer(index));
                        }
                    }
                    return true;
                });
            }
            assertThat(at[1]).isEqualTo(TOTAL);
            assertThat(received).isEqualTo(sent);
            assertThat(ends.near.state().statistics().sentBytes()).isEqualTo(TOTAL);
            assertThat(ends.near.state().statistics().pinnedBytes()).isZero();
            assertThat(ends.far.state().statistics().receivedBytes()).isEqualTo(TOTAL);
            assertThat(ends.near.explain()).hasSizeLessThanOrEqualTo(256).allSatisfy(transfer -> {
                assertThat(transfer.path()).isEqualTo("copied");
                assertThat(transfer.acceptedNanos()).isGreaterThanOrEqualTo(transfer.postedNanos());
            });
            into.block().close();
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(ints = {0, 100})
    void theKernelAsksSilentPeersOfEitherEnd(int seconds) {
        try (Ends ends = new Ends(Knobs.USUAL.with(Knob.KEEPALIVE, Integer.toString(seconds)))) {
            for (int port : new int[] {ends.near.local().getPort(), ends.far.local().getPort()}) {
                assertThat(KernelTimers.at(port)).hasSize(1)
                        .allSatisfy(timer -> assertThat(KernelTimers.seconds(timer)).as(timer)
                        .isBetween(seconds == 0 ? -1.0 : 50.0, seconds == 0 ? -1.0 : 100.5));
            }
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.CsvSource({"on, 1, 16", "off, 16, 1"})
    void whatIsPostedTogetherLeavesAsOneOperation(String gather, long calls, int gathered) {
        try (Ends ends = new Ends(Knobs.USUAL.with(Knob.GATHER, gather))) {
            long before = ends.near.state().statistics().systemCalls();
            for (int i = 0; i < 16; i++) {
                ends.near.send(ends.region.key(), i * 64L, 64, i);
            }
            ends.queues.submit();

            assertThat(ends.near.state().statistics().systemCalls() - before).isEqualTo(calls);
            assertThat(ends.near.explain()).hasSize(16).allMatch(transfer -> transfer.gathered() == gathered);
        }
    }
}

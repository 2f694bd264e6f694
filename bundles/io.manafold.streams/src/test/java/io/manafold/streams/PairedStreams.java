package io.manafold.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Ends.Done;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * All knobs in pairs: with few settings that have each pair of values of each two knobs, the same bytes arrive both
 * ways, and each knob is as it was asked, or says why it is not. A subclass has the transport.
 */
public abstract class PairedStreams {
    private static final int BYTES = 300_000;
    private static final int POOLED = 64;
    private static final int RANGE = 50_000;

    /** The transport with knobs. */
    protected abstract Way way(Knobs knobs);

    @Test
    void eachPairOfValuesStandsInASettingAndFewDo() {
        List<Knobs> settings = KnobPairs.settings();
        Set<KnobPairs.Pair> seen = new HashSet<>();
        for (Knobs setting : settings) {
            Map<Knob, String> values = new HashMap<>();
            setting.knobs().forEach(knob -> values.put(knob, setting.asked(knob)));
            seen.addAll(KnobPairs.in(values));
        }
        assertThat(seen).isEqualTo(KnobPairs.all());
        assertThat(settings).hasSizeLessThan(20);
    }

    @TestFactory
    List<DynamicTest> theSameBytesArriveWithEachPairOfValues() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Knobs knobs : KnobPairs.settings()) {
            tests.add(DynamicTest.dynamicTest(knobs.toString().replace("prefer:", ""), () -> exchange(knobs)));
        }
        return tests;
    }

    private void exchange(Knobs knobs) {
        try (Ends ends = new Ends(way(knobs), EndpointPlan.USUAL)) {
            for (Endpoint endpoint : List.of(ends.near, ends.far)) {
                endpoint.state().knobs().forEach(state -> assertAnswers(ends, knobs, state));
            }
            ends.fill(0, 2 * BYTES, 5);
            ByteArrayOutputStream near = new ByteArrayOutputStream();
            ByteArrayOutputStream far = new ByteArrayOutputStream();
            Region into = ends.context.register(ends.block, 2 << 20, 1 << 20, Region.RECEIVE);
            try (ReceivePool pool = ends.queues.pool(into, 4096, POOLED)) {
                ends.far.receive(pool, 1);
                ends.near.receive(ends.region.key(), 3 << 20, RANGE, 2);
                send(ends, ends.near, 0);
                send(ends, ends.far, BYTES);
                while (near.size() < BYTES || far.size() < BYTES) {
                    Done done = ends.next(one -> one.operation() == Operation.RECEIVE);
                    assertThat(done.errno()).isZero();
                    if (done.endpoint() == ends.far) {
                        far.writeBytes(ends.bytes((2 << 20) + done.offset(), done.length()));
                        pool.giveBack(done.buffer());
                    } else {
                        near.writeBytes(ends.bytes(done.offset(), done.length()));
                        if (near.size() < BYTES) {
                            ends.near.receive(ends.region.key(), 3 << 20, RANGE, 2);
                        }
                    }
                }
                assertThat(far.toByteArray()).isEqualTo(ends.bytes(0, BYTES));
                assertThat(near.toByteArray()).isEqualTo(ends.bytes(BYTES, BYTES));
                assertExplained(ends);
                ends.near.finish(3);
                Done last = ends.next(ends.far, Operation.RECEIVE);
                assertThat(last.has(Completions.END)).as("the end is seen: %s", last).isTrue();
                for (Endpoint endpoint : List.of(ends.near, ends.far)) {
                    allFree(ends, endpoint);
                    assertThat(endpoint.state().statistics().sentBytes()).isEqualTo(BYTES);
                    assertThat(endpoint.state().statistics().pinnedBytes()).isZero();
                }
            }
        }
    }

    private static void assertExplained(Ends ends) {
        assertThat(ends.near.explain()).allSatisfy(transfer -> assertThat(transfer.pinnedBytes()).isEqualTo(
                transfer.operation() == Operation.SEND ? transfer.bytes() : RANGE));
        assertThat(ends.far.explain()).allSatisfy(transfer -> assertThat(transfer.pinnedBytes()).isEqualTo(
                transfer.operation() == Operation.SEND ? transfer.bytes() : 0));
    }

    private static void send(Ends ends, Endpoint from, int offset) {
        int at = 0;
        for (int length : new int[] {1, 999, 4096, 20_000, 65_536, BYTES - 90_632}) {
            from.send(ends.region.key(), offset + at, length, 10);
            at += length;
        }
        assertThat(at).isEqualTo(BYTES);
    }

    private static void allFree(Ends ends, Endpoint of) {
        for (int free = 0; free < 6;) {
            Done done = ends.next(of, Operation.SEND);
            assertThat(done.errno()).isZero();
            free += done.has(Completions.FREE) ? 1 : 0;
        }
    }

    /** A value that can be had alone is had beside any others; another one says why. */
    private static void assertAnswers(Ends ends, Knobs asked, KnobState state) {
        Knob knob = state.knob();
        String wanted = asked.asked(knob);
        if (ends.context.offer(knob, wanted).available()) {
            assertThat(state.got()).as("%s, because %s", knob, state.why()).isEqualTo(wanted);
        } else {
            assertThat(state.got()).as("%s", knob).isNotEqualTo(wanted);
            assertThat(state.why()).as("%s", knob).isNotBlank();
        }
    }
}

package io.manafold.adapter.internal.shaping;

import static io.manafold.adapter.internal.shaping.Simulation.FRAME;
import static io.manafold.adapter.internal.shaping.Simulation.node;
import static io.manafold.adapter.internal.shaping.Simulation.queue;
import static io.manafold.adapter.internal.shaping.Simulation.vport;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.ShaperValues;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rates, shares and orders, by a clock of the test's own. */
@Timeout(300)
class PortShapersTest {
    private static final long MEGABIT = 1_000_000;
    private static final long GIGABIT = 1_000_000_000;
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @ValueSource(longs = {10 * MEGABIT, 100 * MEGABIT, 999_999_937, 10 * GIGABIT, 100 * GIGABIT, 200 * GIGABIT})
    void aCeilingIsKeptToTheFrame(long rate) {
        Simulation lab = new Simulation(4).set(vport(rate)).flood(0);
        long nanos = rate > GIGABIT ? SECOND / 10 : SECOND;
        lab.run(nanos);
        assertThat(lab.total() * 8.0).isCloseTo(rate * (nanos / 1e9), within(FRAME * 8.0));
    }

    @Test
    void whoComesLateCatchesUpAndTheRateStaysExact() {
        for (long late : new long[] {300, 50_000, 1_000_000, 4_000_000}) {
            Simulation lab = new Simulation(1).set(vport(GIGABIT)).flood(0);
            lab.late = late;
            lab.run(SECOND);
            assertThat(lab.total() * 8.0).as("%s ns late", late)
                    .isCloseTo(GIGABIT, within((late + 20_000) * 1.0));
        }
    }

    @Test
    void neverMoreThanTheCeilingAndTheBurst() {
        long burst = 30_000;
        Simulation lab = new Simulation(1).set(new ShaperValues(1, 0, 0, 0, 0, 0, 0, 0, 100 * MEGABIT, burst));
        Random random = new Random(5);
        for (int i = 0; i < 300; i++) {
            // a pause, a stall, or neither
            lab.waiting[0] = random.nextInt(3) == 0 ? 0 : 1000;
            lab.late = random.nextInt(4) == 0 ? 3_000_000 : 0;
            lab.run(random.nextInt(1000, 8_000_000));
            long before = lab.now;
            lab.waiting[0] = 1000;
            lab.late = 0;
            lab.run(2_000_000);
            assertThat(lab.total()).isLessThanOrEqualTo(burst + (lab.now - before) / 80 + FRAME);
        }
    }

    @Test
    void aPauseIsWorthTheBurst() {
        Simulation lab = new Simulation(1).set(new ShaperValues(1, 0, 0, 0, 0, 0, 0, 0, 10 * MEGABIT, 10 * FRAME));
        lab.flood(0).run(SECOND / 10);
        lab.waiting[0] = 0;
        lab.run(SECOND);
        lab.waiting[0] = 1000;
        lab.run(1000);
        assertThat(lab.frames[0]).isEqualTo(11);
        lab.set(vport(10 * MEGABIT));
        lab.waiting[0] = 0;
        lab.run(SECOND);
        lab.waiting[0] = 1000;
        lab.run(1000);
        assertThat(lab.frames[0]).as("without one, a frame").isEqualTo(1);
    }

    @Test
    void sharesAreAsWeightsWhateverTheFrames() {
        Simulation lab = new Simulation(3).set(vport(GIGABIT)).set(queue(0, 0, 0, 0, 1)).set(queue(1, 0, 0, 0, 2))
                .set(queue(2, 0, 0, 0, 3)).flood(0, 1, 2);
        lab.length[0] = 9014;
        lab.length[2] = 60;
        lab.run(SECOND);
        for (int i = 0; i < 3; i++) {
            assertThat(lab.bytes[i] / (double) lab.total()).isCloseTo((i + 1) / 6.0, within(0.001));
        }
        assertThat(lab.total() * 8.0).isCloseTo(GIGABIT, within(0.0001 * GIGABIT));
    }

    @Test
    void veryUnequalWeightsAreSharesToo() {
        Simulation lab = new Simulation(2).set(vport(10 * GIGABIT)).set(queue(0, 0, 0, 0, 1))
                .set(queue(1, 0, 0, 0, 1000)).flood(0, 1);
        lab.run(SECOND);
        assertThat(lab.bytes[0] / (double) lab.total()).isCloseTo(1 / 1001.0, within(0.00002));
        lab.set(queue(1, 0, 0, 0, -1)).run(SECOND / 10);
        assertThat(lab.bytes[1]).isGreaterThan(lab.bytes[0] * 10_000);
    }

    @Test
    void aGuaranteeHoldsWhileSiblingsFlood() {
        Simulation lab = new Simulation(4).set(vport(GIGABIT)).set(queue(0, 300 * MEGABIT, 0, 0, 1))
                .set(queue(1, 0, 0, 7, 100)).set(queue(2, 0, 0, 7, 100)).flood(0, 1, 2);
        lab.run(SECOND);
        assertThat(lab.bytes[0] * 8.0).isCloseTo(300.0 * MEGABIT, within(0.001 * GIGABIT));
        assertThat(lab.total() * 8.0).isCloseTo(GIGABIT, within(0.0001 * GIGABIT));
        // more than that only of what is left
        lab.set(queue(0, 300 * MEGABIT, 0, 7, 100)).run(SECOND);
        assertThat(lab.bytes[0] * 8.0).isCloseTo(300.0 * MEGABIT + 700.0 * MEGABIT / 3, within(0.01 * GIGABIT));
    }

    @Test
    void theHigherPriorityStarvesTheLower() {
        Simulation lab = new Simulation(3).set(vport(GIGABIT)).set(queue(0, 0, 0, 0, 1)).set(queue(1, 0, 0, 5, 1))
                .set(queue(2, 0, 0, -1, 1)).flood(0, 1);
        lab.run(SECOND / 10);
        assertThat(lab.bytes[0]).isZero();
        lab.flood(2).run(SECOND / 10);
        assertThat(lab.bytes[1]).as("priorities have no sign").isZero();
        lab.waiting[1] = 0;
        lab.waiting[2] = 0;
        lab.run(SECOND / 10);
        assertThat(lab.bytes[0] * 8.0).isCloseTo(GIGABIT / 10.0, within(GIGABIT * 0.001));
    }

    @Test
    void aCeilingOfTheHighLeavesTheRestToTheLow() {
        Simulation lab = new Simulation(2).set(vport(GIGABIT)).set(queue(0, 0, 0, 0, 1))
                .set(queue(1, 0, 400 * MEGABIT, 9, 1)).flood(0, 1);
        lab.run(SECOND);
        assertThat(lab.bytes[1] * 8.0).isCloseTo(400.0 * MEGABIT, within(0.0005 * GIGABIT));
        assertThat(lab.bytes[0] * 8.0).isCloseTo(600.0 * MEGABIT, within(0.0005 * GIGABIT));
    }

    @Test
    void ceilingsAreNested() {
        Simulation lab = new Simulation(8).set(vport(1000 * MEGABIT)).set(node(0, -1, 600 * MEGABIT, 1))
                .set(node(1, 0, 400 * MEGABIT, 1)).group(node(1, 0, 400 * MEGABIT, 1),
                        queue(0, 0, 300 * MEGABIT, 0, 1), queue(1, 0, 300 * MEGABIT, 0, 1));
        lab.flood(0, 1, 2).run(SECOND);
        assertThat(lab.bytes[0] * 8.0).isCloseTo(200.0 * MEGABIT, within(1.0 * MEGABIT));
        assertThat(lab.bytes[1] * 8.0).isCloseTo(200.0 * MEGABIT, within(1.0 * MEGABIT));
        assertThat(lab.bytes[2] * 8.0).isCloseTo(600.0 * MEGABIT, within(1.0 * MEGABIT));
        lab.waiting[1] = 0;
        lab.run(SECOND);
        // a ceiling that was not reached lately makes up for 5 ms
        assertThat(lab.bytes[0] * 8.0).isCloseTo(300.0 * MEGABIT, within(2.0 * MEGABIT));
        lab.waiting[2] = 0;
        lab.run(SECOND);
        assertThat(lab.total() * 8.0).isCloseTo(300.0 * MEGABIT, within(1.0 * MEGABIT));
    }

    @Test
    void packetsAreCountedWhereThatIsTheMetric() {
        Simulation lab = new Simulation(2).set(new ShaperValues(2, 0, 1, 0, 1, 0, 0, 0, 12_345, 0));
        lab.length[0] = 9014;
        lab.flood(0).run(SECOND);
        assertThat(lab.frames[0]).isCloseTo(12_345, within(1L));
    }

    @Test
    void changesCountAtOnceWhileFramesWait() {
        Simulation lab = new Simulation(2).set(vport(1)).flood(0, 1);
        lab.run(SECOND);
        assertThat(lab.frames[0] + lab.frames[1]).as("the next is due in hours").isEqualTo(1);
        lab.set(vport(100 * MEGABIT)).run(SECOND);
        assertThat(lab.total() * 8.0).isCloseTo(100.0 * MEGABIT, within(2.0 * FRAME * 8));
        lab.set(queue(0, 0, 10 * MEGABIT, 0, 1)).run(SECOND);
        assertThat(lab.bytes[0] * 8.0).isCloseTo(10.0 * MEGABIT, within(2.0 * FRAME * 8));
        assertThat(lab.total() * 8.0).isCloseTo(100.0 * MEGABIT, within(2.0 * FRAME * 8));
        lab.shapers.delete(ShaperValues.NETDEV, 0);
        lab.wireNanos = 0.04;
        lab.run(SECOND / 100);
        assertThat(lab.total() * 8.0).isGreaterThan(GIGABIT);
        lab.shapers.delete(ShaperValues.QUEUE, 0);
        assertThat(lab.tree.isEmpty()).isTrue();
    }

    @Test
    void aQueueThatGoesWhileItIsHeldTakesNothingAlong() {
        Simulation lab = new Simulation(2).set(queue(0, 0, MEGABIT, 0, 1)).set(queue(1, 0, 10 * MEGABIT, 0, 1));
        lab.flood(0, 1).run(SECOND / 10);
        lab.waiting[0] = 0;
        lab.tree.forget(0, 17, false, lab.now);
        lab.run(SECOND);
        assertThat(lab.total() * 8.0).isCloseTo(10.0 * MEGABIT, within(2.0 * FRAME * 8));
        QueryShaperStatistics.Entry gone = lab.shapers.statistics(0, 0, slot -> 3).getFirst();
        assertThat(gone.dropped()).isEqualTo(17);
        assertThat(gone.queued()).isEqualTo(3);
        assertThat(gone.heldNanos()).isCloseTo(SECOND / 10, within(SECOND / 100));
    }

    @Test
    void aHoldCountsWhileItLasts() {
        Simulation lab = new Simulation(1).set(queue(0, 0, 1, 0, 1)).flood(0).run(SECOND);
        assertThat(lab.frames[0]).as("the next is due in hours").isEqualTo(1);
        assertThat(held(lab)).isCloseTo(SECOND, within(SECOND / 1000));
        lab.run(SECOND);
        assertThat(held(lab)).isCloseTo(2 * SECOND, within(SECOND / 1000));
        lab.set(queue(0, 0, 0, 0, 1));
        long whole = held(lab);
        lab.wireNanos = 0.04;
        lab.run(SECOND / 100);
        assertThat(held(lab)).as("without a ceiling there is no hold").isEqualTo(whole);
    }

    private static long held(Simulation lab) {
        return lab.shapers.statistics(0, 0, slot -> 0).getFirst().heldNanos();
    }

    @Test
    void limitsFollowTheQueueThatHasTheName() {
        Simulation lab = new Simulation(4).set(queue(0, 0, 10 * MEGABIT, 0, 1)).set(queue(1, 0, 20 * MEGABIT, 0, 1));
        lab.wireNanos = 0.04;
        lab.flood(2, 3).run(SECOND / 1000);
        lab.shapers.name(new int[] {-1, -1, 1, 0});
        lab.run(SECOND);
        assertThat(lab.bytes[2] * 8.0).isCloseTo(20.0 * MEGABIT, within(2.0 * FRAME * 8));
        assertThat(lab.bytes[3] * 8.0).isCloseTo(10.0 * MEGABIT, within(2.0 * FRAME * 8));
    }

    @Test
    void whatIsIdleCostsNothing() {
        Simulation lab = new Simulation(4);
        for (int i = 0; i < 10_000; i++) {
            lab.set(node(i, i % 100 < 10 && i > 0 ? i - 1 : -1, GIGABIT, 1));
        }
        lab.set(vport(GIGABIT)).flood(0).run(SECOND / 100);
        assertThat(lab.total() * 8.0).isCloseTo(GIGABIT / 100.0, within(2.0 * FRAME * 8));
        assertThat(lab.tree.root.shares.size()).as("what is looked at").isEqualTo(1);
        List<QueryShaperStatistics.Entry> page = lab.shapers.statistics(0, 0, slot -> 0);
        int seen = 0;
        while (!page.isEmpty()) {
            seen += page.size();
            page = lab.shapers.statistics(page.getLast().scope(), page.getLast().id() + 1, slot -> 0);
        }
        assertThat(seen).isEqualTo(10_001);
        lab.shapers.clear();
        assertThat(lab.tree.isEmpty()).isTrue();
    }
}

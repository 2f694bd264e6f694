package io.manafold.qualify.internal;

import static io.manafold.qualify.internal.Reports.disturbed;
import static io.manafold.qualify.internal.Reports.measure;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.qualify.Difference;
import io.manafold.api.qualify.Difference.Verdict;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Quartiles;
import io.manafold.api.qualify.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparingTest {
    private static final Measure RATE = measure("rate", 64, Unit.PACKETS_PER_SECOND, 100, 101, 102, 103, 104);

    private static Difference one(Measure before, Measure after) {
        List<Difference> rows = Comparing.rows(Reports.of(before), Reports.of(after));
        assertThat(rows).hasSize(1);
        return rows.getFirst();
    }

    private static Measure rate(double... values) {
        return measure("rate", 64, Unit.PACKETS_PER_SECOND, values);
    }

    @Test
    void quartilesAreTheMiddlesOfTheHalves() {
        assertThat(Quartiles.of(5, 1, 3, 2, 4)).isEqualTo(new Quartiles(2, 3, 4));
        assertThat(Quartiles.of(7)).isEqualTo(new Quartiles(7, 7, 7));
        assertThat(Quartiles.of(0, 10)).isEqualTo(new Quartiles(2.5, 5, 7.5));
    }

    @Test
    void aReportIsAsGoodAsItself() {
        assertThat(Comparing.rows(Reports.usual(), Reports.usual())).hasSize(5)
                .allMatch(row -> row.verdict() == Verdict.SAME);
    }

    @Test
    void onlyWhatIsApartAndFarCounts() {
        assertThat(one(RATE, rate(76, 77, 78, 79, 80)).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(one(RATE, rate(180, 181, 182, 183, 184)).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(one(RATE, rate(90, 91, 92, 93, 94)).verdict()).as("apart, and near").isEqualTo(Verdict.SAME);
        assertThat(one(RATE, rate(50, 60, 70, 102, 110)).verdict()).as("far, not apart").isEqualTo(Verdict.SAME);
        assertThat(one(RATE, rate(0, 0, 0, 0, 0)).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void whatTheMachineDisturbedHasToBeFurther() {
        assertThat(one(RATE, disturbed(rate(76, 77, 78, 79, 80))).verdict()).isEqualTo(Verdict.SAME);
        assertThat(one(disturbed(RATE), rate(50, 51, 52, 53, 54)).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(one(RATE, rate(50, 51, 52, 53, 102)).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(one(RATE, disturbed(rate(50, 51, 52, 53, 102))).verdict()).isEqualTo(Verdict.SAME);
    }

    @Test
    void aRateFarBelowFullSpeedIsThatOfTheMachinesMoments() {
        Measure full = measure("full", 64, Unit.PACKETS_PER_SECOND, 1000, 1010, 1020);
        Measure slower = measure("full", 64, Unit.PACKETS_PER_SECOND, 180, 181, 182);
        assertThat(verdict(full, rate(60, 61, 62))).isEqualTo(Verdict.SAME);
        assertThat(verdict(full, rate(40, 41, 42))).isEqualTo(Verdict.WORSE);
        assertThat(verdict(full, rate(0, 0, 0))).isEqualTo(Verdict.WORSE);
        assertThat(Comparing.rows(Reports.of(RATE, slower), Reports.of(rate(60, 61, 62), slower))).element(0)
                .matches(row -> row.verdict() == Verdict.WORSE, "near full speed before, at a third of it after");
        Measure near = measure("full", 64, Unit.PACKETS_PER_SECOND, 110, 111, 112);
        assertThat(Comparing.rows(Reports.of(RATE, near), Reports.of(rate(60, 61, 62), near))).element(0)
                .matches(row -> row.verdict() == Verdict.WORSE, "more than half of full speed in both");
    }

    /** Of the rate, where full speed is the same before and after. */
    private static Verdict verdict(Measure full, Measure after) {
        return Comparing.rows(Reports.of(full, RATE), Reports.of(full, after)).get(1).verdict();
    }

    @Test
    void lessIsBetterForTimesAndLosses() {
        Measure fast = measure("ping-idle-p50", 0, Unit.SECONDS, 1e-5, 1.1e-5, 1.2e-5);
        Measure slow = measure("ping-idle-p50", 0, Unit.SECONDS, 3e-5, 3.1e-5, 3.2e-5);
        assertThat(one(fast, slow).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(one(slow, fast).verdict()).isEqualTo(Verdict.BETTER);
        Measure full = measure("full", 64, Unit.PACKETS_PER_SECOND, 100, 101, 102);
        assertThat(one(full, measure("full", 64, Unit.PACKETS_PER_SECOND, 75, 76, 77)).verdict())
                .isEqualTo(Verdict.SAME);
        assertThat(one(measure("lost", 64, Unit.PERCENT, 0, 0, 0), measure("lost", 64, Unit.PERCENT, 0.9, 1, 1.1)))
                .matches(row -> row.verdict() == Verdict.WORSE && Double.isNaN(row.ratio()));
    }

    @Test
    void allocatingForPacketsIsWorseWhateverItWasBefore() {
        Measure none = polled("allocated", Unit.BYTES_PER_PACKET, 0, 0, 0.001);
        assertThat(one(none, polled("allocated", Unit.BYTES_PER_PACKET, 0.2, 0.2, 0.3)).verdict())
                .isEqualTo(Verdict.SAME);
        assertThat(one(none, polled("allocated", Unit.BYTES_PER_PACKET, 16, 16, 16)).verdict())
                .isEqualTo(Verdict.WORSE);
    }

    @Test
    void enginesBurstsAndQueuesAreRowsOfTheirOwn() {
        Measure polled = polled("rate", Unit.PACKETS_PER_SECOND, 100);
        assertThat(polled.key()).isEqualTo("pmd-rate-64-b32-q2");
        assertThat(Comparing.rows(Reports.of(RATE), Reports.of(polled))).hasSize(2)
                .allMatch(row -> row.verdict() == Verdict.ONE_SIDED);
        assertThat(one(polled, polled("rate", Unit.PACKETS_PER_SECOND, 50)).verdict()).isEqualTo(Verdict.WORSE);
    }

    private static Measure polled(String name, Unit unit, double... values) {
        return new Measure(name, Engine.PMD, 64, 32, 2, unit, measure(name, 64, unit, values).slices());
    }

    @Test
    void whatOneReportLacksIsSaidAndNotJudged() {
        List<Difference> rows = Comparing.rows(Reports.of(RATE), Reports.of(measure("stream", 0, Unit.BITS_PER_SECOND,
                1)));
        assertThat(rows).extracting(Difference::key).containsExactly("rate-64", "stream");
        assertThat(rows).allMatch(row -> row.verdict() == Verdict.ONE_SIDED);
    }

    @Test
    void whatCouldBeMeasuredBeforeAndNotAfterIsWorse() {
        QualificationReport before = Reports.of(RATE, measure("full", 64, Unit.PACKETS_PER_SECOND, 100),
                measure("ping-idle-p50", 0, Unit.SECONDS, 1e-5), measure("ping-load-p50", 0, Unit.SECONDS, 1e-5),
                polled("rate", Unit.PACKETS_PER_SECOND, 100));
        assertThat(verdicts(before, new LeftOut("rate-64", "Nothing was sent."), new LeftOut("ping-idle", "No answer."),
                new LeftOut("rate-64-b32-q2", "No port."))).containsExactly(Verdict.WORSE, Verdict.ONE_SIDED,
                Verdict.WORSE, Verdict.ONE_SIDED, Verdict.WORSE);
        assertThat(verdicts(before, new LeftOut("rate-64", "no time was left: 58 s are over")))
                .containsOnly(Verdict.ONE_SIDED);
        assertThat(verdicts(before, new LeftOut("rate-6", "Nothing was sent."))).containsOnly(Verdict.ONE_SIDED);
    }

    private static List<Verdict> verdicts(QualificationReport before, LeftOut... leftOut) {
        QualificationReport none = Reports.of();
        return Comparing.rows(before, new QualificationReport(none.made(), true, none.machine(), none.setup(),
                List.of(), List.of(leftOut))).stream().map(Difference::verdict).toList();
    }

    @Test
    void whatTwoHundredGigabitNeedIsThatOfTheWire() {
        assertThat(Math.round(RATE.needed())).isEqualTo(297_619_048);
        assertThat(RATE.coresNeeded()).isEqualTo(RATE.needed() / 102 * 1.5);
    }
}

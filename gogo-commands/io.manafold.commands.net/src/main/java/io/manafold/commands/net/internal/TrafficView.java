package io.manafold.commands.net.internal;

import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;

/** Traffic as tables and objects. */
final class TrafficView {
    private static final double SECOND = 1e9;

    private TrafficView() {
    }

    static Table table(List<TrafficRun> runs) {
        Table table = new Table().column("RUN", "run").column("FROM", "from").column("TO", "to")
                .column("STATE", "state").column("SENT", "sent").column("RECEIVED", "received").column("LOST", "lost")
                .column("PACKETS/S", "packets_per_second");
        for (TrafficRun run : runs) {
            TrafficReport report = run.report();
            table.row(run.number(), run.plan().from(), run.plan().to(), state(run), report.sent(), report.received(),
                    report.lost(), perSecond(report.received(), report.time()));
        }
        return table;
    }

    static Fields fields(TrafficRun run) {
        TrafficPlan plan = run.plan();
        TrafficReport report = run.report();
        return Fields.of("run", run.number()).and("from", plan.from()).and("to", plan.to()).and("state", state(run))
                .and("rate", plan.rate()).and("size", plan.size()).and("flows", plan.flows())
                .and("verify", plan.verify()).and("count", plan.count())
                .and("sent", report.sent()).and("sent_bytes", report.sentBytes())
                .and("received", report.received()).and("received_bytes", report.receivedBytes())
                .and("lost", report.lost()).and("reordered", report.reordered())
                .and("duplicated", report.duplicated()).and("corrupted", report.corrupted())
                .and("seconds", rounded(report.time().toNanos() / SECOND))
                .and("packets_per_second", perSecond(report.received(), report.time()))
                .and("bits_per_second", perSecond(report.receivedBytes() * Byte.SIZE, report.time()))
                .and("longest_gap_ms", rounded(report.longestGap().toNanos() / 1e6)).and("returns", report.returns());
    }

    private static String state(TrafficRun run) {
        return run.isRunning() ? "running" : "over";
    }

    private static long perSecond(long count, Duration time) {
        return time.isZero() ? 0 : Math.round(count / (time.toNanos() / SECOND));
    }

    private static BigDecimal rounded(double number) {
        return BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP);
    }
}

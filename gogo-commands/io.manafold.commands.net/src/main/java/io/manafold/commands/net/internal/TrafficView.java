package io.manafold.commands.net.internal;

import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficLoss;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Traffic as tables and objects. */
final class TrafficView {
    private static final double SECOND = 1e9;
    private static final double ALMOST = 0.98;
    private static final int FEW = 100;

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

    /** Prints all about traffic; for people its queues and losses as lines of their own. */
    static void print(Call call, TrafficRun run) {
        Fields fields = fields(run);
        TrafficReport report = run.report();
        if (call.json()) {
            call.print(fields.and("queues", report.shares().stream().map(share -> Fields.of("queue", share.queue())
                    .and("sent", share.sent()).and("received", share.received())).toList())
                    .and("losses", report.losses().stream().map(loss -> Fields.of("packets", loss.packets())
                            .and("place", loss.place()).and("reason", loss.reason())).toList())
                    .and("rate_missed", missesRate(run.plan(), report)));
            return;
        }
        call.print(fields);
        Table queues = new Table().column("QUEUE", "queue").column("SENT", "sent").column("RECEIVED", "received");
        report.shares().forEach(share -> queues.row(share.queue(), share.sent(), share.received()));
        if (!report.shares().isEmpty()) {
            call.out().println();
            call.print(queues);
        }
        sentences(run, report).forEach(call.out()::println);
    }

    /** What else there is to say. */
    static List<String> sentences(TrafficRun run, TrafficReport report) {
        List<String> sentences = new ArrayList<>();
        long left = report.lost();
        for (TrafficLoss loss : report.losses()) {
            sentences.add(loss.packets() + " " + loss.reason() + " at " + loss.place() + ".");
            left -= loss.packets();
        }
        if (left > 0 && !run.isRunning()) {
            sentences.add(left + " were lost, and no counter of a device or link tells where.");
        }
        if (missesRate(run.plan(), report)) {
            sentences.add("The rate was missed: " + run.plan().rate() + " packets a second were asked for, "
                    + sentPerSecond(report) + " were sent; " + (report.full() > 0 ? run.plan().from()
                    + " had no room for what was due " + report.full() + " times."
                    : "the thread of " + run.plan().from() + " had no more time."));
        }
        return sentences;
    }

    /** How it goes, for people who wait. */
    static String progress(TrafficRun run) {
        TrafficReport report = run.report();
        return String.format(Locale.ROOT, "%d s: %d%s sent, %d received, %d lost, %d packets a second",
                report.time().toSeconds(), report.sent(), run.plan().count() == 0 ? "" : " of "
                + run.plan().count() * run.plan().form().segments(run.plan().size()), report.received(),
                report.lost(), perSecond(report.received(), report.time()));
    }

    private static long sentPerSecond(TrafficReport report) {
        // one packet more than there are times between them
        return perSecond(report.sent() - 1, report.sending());
    }

    /** A little is owed to the clock; of a few packets nothing can be said. */
    private static boolean missesRate(TrafficPlan plan, TrafficReport report) {
        return plan.rate() > 0 && report.sent() >= FEW && sentPerSecond(report) < plan.rate() * ALMOST;
    }

    static Fields fields(TrafficRun run) {
        TrafficPlan plan = run.plan();
        TrafficForm form = plan.form();
        TrafficReport report = run.report();
        Fields fields = Fields.of("run", run.number()).and("from", plan.from()).and("to", plan.to())
                .and("state", state(run)).and("rate", plan.rate()).and("size", plan.size()).and("flows", plan.flows())
                .and("verify", plan.verify()).and("count", plan.count());
        if (form.isIp()) {
            fields.and("transport", form.transport().name().toLowerCase(Locale.ROOT));
        }
        run.addresses().ifPresent(addresses -> fields.and("source", addresses.source())
                .and("destination", addresses.destination()).and("first_port", addresses.firstPort())
                .and("port", addresses.port()));
        if (form.vlan() != 0) {
            fields.and("vlan", form.vlan());
        }
        if (form.large() != 0) {
            fields.and("tso", form.large()).and("large_sends", report.largeSends());
        }
        fields.and("sent", report.sent()).and("sent_bytes", report.sentBytes())
                .and("received", report.received()).and("received_bytes", report.receivedBytes())
                .and("lost", report.lost()).and("reordered", report.reordered())
                .and("duplicated", report.duplicated()).and("corrupted", report.corrupted());
        if (form.isIp()) {
            fields.and("checksums_good", report.checksumsGood());
        }
        return fields.and("seconds", rounded(report.time().toNanos() / SECOND))
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

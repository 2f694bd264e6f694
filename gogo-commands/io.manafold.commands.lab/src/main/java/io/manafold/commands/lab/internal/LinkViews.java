package io.manafold.commands.lab.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Queueing;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Links as tables and objects. */
final class LinkViews {
    private LinkViews() {
    }

    static Table list(List<Link> links) {
        Table table = new Table().column("NAME", "name").column("KIND", "kind").column("PORTS", "ports")
                .column("PLUGGED", "plugged").column("FRAMES", "frames").column("IMPAIRMENTS", "impairments");
        for (Link link : links) {
            LinkStatus status = link.status();
            table.row(status.name(), status.kind(),
                    status.ports().stream().map(LinkStatus.PortStatus::name).toList(),
                    status.ports().stream().filter(LinkStatus.PortStatus::plugged).count(),
                    status.counters().getOrDefault("frames", 0L),
                    new Table.Cell(words(status), fields(status.impairments())));
        }
        return table;
    }

    static void show(Call call, LinkStatus status) {
        Fields fields = Fields.of("name", status.name()).and("kind", status.kind());
        if (call.json()) {
            call.print(fields.and("ports", status.ports().stream().map(LinkViews::port).toList())
                    .and("impairments", fields(status.impairments()))
                    .and("rules", status.rules().stream().map(LinkViews::rule).toList())
                    .and("queueing", status.queueing().map(LinkViews::queueing).orElse(null))
                    .and("queues", status.queues().stream().map(LinkViews::queue).toList())
                    .and("counters", status.counters())
                    .and("stations", status.stations()).and("problems", status.problems()));
            return;
        }
        fields.and("impairments", words(status.impairments()));
        int number = 1;
        for (LinkStatus.RuleStatus rule : status.rules()) {
            fields.and("rule " + number++, RuleOptions.show(rule.rule()) + "; applied "
                    + Numbers.counted(rule.matched(), "time"));
        }
        status.queueing().ifPresent(queueing -> fields.and("queues", words(queueing)));
        fields.and("counters", status.counters());
        status.stations().forEach((mac, port) -> fields.and("station " + mac, port));
        if (!status.problems().isEmpty()) {
            fields.and("problems", String.join(" ", status.problems()));
        }
        call.print(fields);
        call.out().println();
        Table table = new Table().column("PORT", "port").column("PLUGGED", "plugged").column("TX FRAMES", "tx_frames")
                .column("TX BYTES", "tx_bytes").column("RX FRAMES", "rx_frames").column("RX BYTES", "rx_bytes")
                .column("MISTAKES", "mistakes");
        status.ports().forEach(port -> table.row(port.name(), port.plugged(), port.txFrames(), port.txBytes(),
                port.rxFrames(), port.rxBytes(), port.mistakes()));
        call.print(table);
        if (!status.queues().isEmpty()) {
            call.out().println();
            Table queues = new Table().column("PORT", "port").column("QUEUED", "queued").column("HIGHEST", "highest")
                    .column("DROPPED", "dropped").column("MARKED", "marked").column("PAUSES", "pauses");
            status.queues().forEach(queue -> queues.row(queue.port(), queue.bytes(), queue.highest(), queue.dropped(),
                    queue.marked(), queue.pauses()));
            call.print(queues);
        }
    }

    private static Fields rule(LinkStatus.RuleStatus status) {
        PacketRule rule = status.rule();
        return Fields.of("match", PacketWords.show(rule)).and("qpn", number(rule.queuePair()))
                .and("psn", number(rule.sequence())).and("opcode", number(rule.opcode())).and("ecn", number(rule.ecn()))
                .and("action", RuleOptions.word(rule.action())).and("delay_ns", rule.delayNanos())
                .and("count", rule.count()).and("matched", status.matched());
    }

    private static Integer number(int value) {
        return value == PacketRule.ANY ? null : Integer.valueOf(value);
    }

    private static Fields queueing(Queueing queueing) {
        return Fields.of("rate", queueing.rate()).and("buffer", queueing.buffer()).and("ecn_min", queueing.ecnMin())
                .and("ecn_max", queueing.ecnMax()).and("ecn_probability", queueing.ecnProbability())
                .and("pfc", classes(queueing)).and("pfc_xoff", queueing.xoff()).and("pfc_xon", queueing.xon());
    }

    private static List<Integer> classes(Queueing queueing) {
        return IntStream.range(0, 8).filter(queueing::pauses).boxed().toList();
    }

    private static Fields queue(LinkStatus.QueueStatus queue) {
        return Fields.of("port", queue.port()).and("queued", queue.bytes()).and("highest", queue.highest())
                .and("dropped", queue.dropped()).and("marked", queue.marked()).and("pauses", queue.pauses());
    }

    private static String words(Queueing queueing) {
        List<String> words = new ArrayList<>();
        words.add(Quantity.showRate(queueing.rate()));
        words.add("buffer " + Quantity.showSize(queueing.buffer()));
        if (queueing.marks()) {
            words.add("ecn " + Quantity.showSize(queueing.ecnMin()) + " to " + Quantity.showSize(queueing.ecnMax())
                    + " up to " + Quantity.showPercent(queueing.ecnProbability()));
        }
        if (queueing.pauseClasses() != 0) {
            words.add("pfc of class " + String.join(" ", classes(queueing).stream().map(String::valueOf).toList())
                    + " at " + Quantity.showSize(queueing.xoff()) + ", ended at " + Quantity.showSize(queueing.xon()));
        }
        return String.join(", ", words);
    }

    private static String words(LinkStatus status) {
        int rules = status.rules().size();
        if (rules == 0) {
            return words(status.impairments());
        }
        return (status.impairments().isNone() ? "" : words(status.impairments()) + ", ")
                + Numbers.counted(rules, "rule");
    }

    private static Fields port(LinkStatus.PortStatus port) {
        return Fields.of("port", port.name()).and("plugged", port.plugged()).and("tx_frames", port.txFrames())
                .and("tx_bytes", port.txBytes()).and("rx_frames", port.rxFrames()).and("rx_bytes", port.rxBytes())
                .and("mistakes", port.mistakes());
    }

    private static Fields fields(Impairments impairments) {
        return Fields.of("loss", impairments.loss()).and("duplicate", impairments.duplicate())
                .and("reorder", impairments.reorder()).and("delay_ns", impairments.delayNanos())
                .and("seed", impairments.seed());
    }

    static String words(Impairments impairments) {
        List<String> words = new ArrayList<>();
        share(words, "loss", impairments.loss());
        share(words, "duplicate", impairments.duplicate());
        share(words, "reorder", impairments.reorder());
        if (impairments.delayNanos() > 0) {
            words.add("delay " + Quantity.showTime(impairments.delayNanos()));
        }
        return words.isEmpty() ? "none" : String.join(", ", words);
    }

    private static void share(List<String> words, String what, double percent) {
        if (percent > 0) {
            words.add(what + " " + Quantity.showPercent(percent));
        }
    }
}

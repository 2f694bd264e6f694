package io.manafold.commands.lab.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.util.ArrayList;
import java.util.List;

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
                    new Table.Cell(words(status.impairments()), fields(status.impairments())));
        }
        return table;
    }

    static void show(Call call, LinkStatus status) {
        Fields fields = Fields.of("name", status.name()).and("kind", status.kind());
        if (call.json()) {
            call.print(fields.and("ports", status.ports().stream().map(LinkViews::port).toList())
                    .and("impairments", fields(status.impairments())).and("counters", status.counters())
                    .and("stations", status.stations()).and("problems", status.problems()));
            return;
        }
        fields.and("impairments", words(status.impairments())).and("counters", status.counters());
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

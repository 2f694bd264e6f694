package io.manafold.commands.lab.internal;

import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.util.List;

/** Exports as tables and objects. */
final class VfioViews {
    private VfioViews() {
    }

    static void list(Call call, List<ExportStatus> exports) {
        if (call.json()) {
            call.print(exports.stream().map(VfioViews::fields).toList());
            return;
        }
        boolean trouble = exports.stream().anyMatch(export -> !export.problems().isEmpty());
        Table table = new Table().column("NAME", "name").column("ADAPTER", "adapter").column("SOCKET", "socket")
                .column("CONNECTED", "connected");
        if (trouble) {
            table.column("PROBLEMS", "problems");
        }
        for (ExportStatus export : exports) {
            if (trouble) {
                table.row(export.name(), export.adapter(), socket(export), export.connected(),
                        String.join(" ", export.problems()));
            } else {
                table.row(export.name(), export.adapter(), socket(export), export.connected());
            }
        }
        call.print(table);
    }

    /** As text: a path is also the list of its parts, and would be shown as one. */
    private static String socket(ExportStatus export) {
        return export.socket().toString();
    }

    static Fields fields(ExportStatus export) {
        return Fields.of("name", export.name()).and("adapter", export.adapter()).and("function", export.function())
                .and("socket", socket(export)).and("connected", export.connected())
                .and("listening", export.listening()).and("maps", export.maps())
                .and("mapped_bytes", export.mappedBytes()).and("sessions", export.sessions())
                .and("problems", export.problems());
    }

    /** An export in a few words. */
    static String sentence(ExportStatus export) {
        String problems = export.problems().isEmpty() ? "" : "; " + String.join(" ", export.problems());
        if (!export.connected()) {
            return (export.listening() ? "no guest yet" : "nobody can connect") + ", " + export.socket() + problems;
        }
        return "to a guest, " + Words.count(export.maps(), "memory range") + " ("
                + Quantity.showBytes(export.mappedBytes()) + "), " + export.socket() + problems;
    }
}

package io.manafold.commands.lab.internal;

import io.manafold.api.vfio.BorrowStatus;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is lent and what is borrowed as tables and objects. */
final class VfioViews {
    private static final String LENT = "lent";
    private static final String BORROWED = "borrowed";

    private VfioViews() {
    }

    /** @param objects how much memory is in the objects of an adapter, by its name */
    static void list(Call call, List<ExportStatus> exports, List<BorrowStatus> borrowings,
            Function<String, Long> objects) {
        if (call.json()) {
            call.print(Stream.concat(exports.stream()
                    .map(export -> fields(export).and("objects", objects.apply(export.adapter()))),
                    borrowings.stream().map(VfioViews::fields)).toList());
            return;
        }
        boolean hasProblems = exports.stream().anyMatch(export -> !export.problems().isEmpty())
                || borrowings.stream().anyMatch(borrowing -> !borrowing.problems().isEmpty());
        Table table = new Table().column("NAME", "name").column("DIRECTION", "direction")
                .column("FUNCTION", "function").column("SOCKET", "socket").column("CONNECTED", "connected");
        if (hasProblems) {
            table.column("PROBLEMS", "problems");
        }
        for (ExportStatus export : exports) {
            row(table, hasProblems, export.name(), LENT, export.function(), export.socket(), export.connected(),
                    export.problems());
        }
        for (BorrowStatus borrowing : borrowings) {
            row(table, hasProblems, borrowing.name(), BORROWED, borrowing.address(), borrowing.socket(),
                    borrowing.connected(), borrowing.problems());
        }
        call.print(table);
    }

    private static void row(Table table, boolean hasProblems, String name, String direction, Object function,
            Path socket, boolean connected, List<String> problems) {
        // as text: a path is also the list of its parts, and would be shown as one
        if (hasProblems) {
            table.row(name, direction, function, socket.toString(), connected, String.join(" ", problems));
        } else {
            table.row(name, direction, function, socket.toString(), connected);
        }
    }

    static Fields fields(ExportStatus export) {
        return Fields.of("name", export.name()).and("adapter", export.adapter()).and("function", export.function())
                .and("socket", export.socket().toString()).and("connected", export.connected())
                .and("listening", export.listening()).and("maps", export.maps())
                .and("mapped_bytes", export.mappedBytes()).and("most_bytes", export.mostBytes())
                .and("sessions", export.sessions())
                .and("messages", export.costs().messages()).and("system_calls", export.costs().systemCalls())
                .and("interrupts", export.costs().interrupts())
                .and("stuck_interrupts", export.costs().stuckInterrupts())
                .and("problems", export.problems()).and("direction", LENT);
    }

    private static Fields fields(BorrowStatus borrowing) {
        return Fields.of("name", borrowing.name()).and("adapter", null).and("function", borrowing.address())
                .and("socket", borrowing.socket().toString()).and("connected", borrowing.connected())
                .and("listening", false).and("maps", borrowing.maps()).and("mapped_bytes", borrowing.mappedBytes())
                .and("sessions", borrowing.sessions()).and("problems", borrowing.problems())
                .and("direction", BORROWED);
    }

    /** What has just been borrowed. */
    static void print(Call call, BorrowStatus borrowing) {
        if (call.json()) {
            call.print(fields(borrowing));
        } else {
            call.out().println(borrowing.name() + " is at " + borrowing.address());
        }
    }

    /** An export in a few words. */
    static String sentence(ExportStatus export) {
        String problems = export.problems().isEmpty() ? "" : "; " + String.join(" ", export.problems());
        if (!export.connected()) {
            return (export.listening() ? "no guest yet" : "no guest can connect") + ", " + export.socket() + problems;
        }
        return "to a guest, " + Numbers.counted(export.maps(), "memory range") + " ("
                + Quantity.showBytes(export.mappedBytes()) + "), " + export.socket() + problems;
    }
}

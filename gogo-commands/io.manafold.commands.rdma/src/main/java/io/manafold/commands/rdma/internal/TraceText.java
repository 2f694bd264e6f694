package io.manafold.commands.rdma.internal;

import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.RdmaTrace.Event;
import io.manafold.api.adapter.RdmaTrace.Failure;
import io.manafold.api.adapter.RdmaTrace.Operation;
import io.manafold.api.adapter.RdmaTrace.Request;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.PlainText;
import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** What has become of requests, for people and for programs. */
final class TraceText {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS")
            .withZone(ZoneId.systemDefault());
    private static final String INDENT = " ".repeat(17);

    private TraceText() {
    }

    // ---- people

    static void print(PrintStream out, String name, RdmaTrace trace) {
        RdmaQueuePair pair = trace.pair();
        line(out, name + "/" + pair.number() + ": " + pair.type() + ", " + (trace.ended() ? "ended" : pair.state())
                + (pair.peerGid() == null ? ", no peer" : ", to queue pair " + pair.peer() + " at " + pair.peerGid()
                        + ", MTU " + pair.mtu()));
        if (trace.requests().isEmpty()) {
            line(out, "Its driver has posted no request.");
        }
        for (Request request : trace.requests()) {
            out.println();
            line(out, "request " + request.number() + ": " + describe(request) + ", "
                    + CLOCK.format(request.doorbell()));
            TraceStep.of(request).forEach(step -> {
                line(out, String.format(Locale.ROOT, "%+13.3f us  %s", step.nanos() / 1000.0, step.text()));
                explain(out, step.failure());
            });
            String open = open(request, trace);
            if (!open.isEmpty()) {
                line(out, INDENT + " " + open);
            }
        }
        if (!trace.events().isEmpty()) {
            out.println();
            line(out, "of the peer, and of no request above:");
            for (Event event : trace.events()) {
                TraceStep step = TraceStep.of(event, RdmaTrace.NEVER);
                line(out, CLOCK.format(event.at()) + "   " + step.text());
                explain(out, step.failure());
            }
        }
    }

    private static void explain(PrintStream out, Failure failure) {
        if (failure == null) {
            return;
        }
        if (failure.memory() != null) {
            line(out, INDENT + " what: " + failure.memory());
        }
        line(out, INDENT + " rule: " + failure.rule());
        line(out, INDENT + " fix:  " + failure.right());
    }

    private static void line(PrintStream out, String text) {
        out.println(PlainText.oneLine(text));
    }

    private static String describe(Request request) {
        return word(request.operation()).replace('_', ' ') + ", " + Numbers.counted(request.length(), "byte") + ", "
                + TraceStep.psns(request.firstPsn(), request.packets())
                + ", at 0x%x of the send ring".formatted(request.ringOffset());
    }

    /** What is still to come, empty if nothing is. */
    private static String open(Request request, RdmaTrace trace) {
        if (request.events().stream().anyMatch(event -> event.failure() != null)) {
            return "";
        }
        boolean over = trace.ended() || trace.pair().state().equals("ERR");
        if (request.acknowledged() == RdmaTrace.NEVER) {
            return over ? "flushed: a request before it has failed, or the queue pair has ended"
                    : request.sent() == 0 ? "not sent yet" : "not acknowledged yet";
        }
        return request.completed() == RdmaTrace.NEVER ? over ? "no completion was asked for"
                : "no completion was asked for yet" : "";
    }

    static String word(Operation operation) {
        return operation.name().toLowerCase(Locale.ROOT);
    }

    // ---- programs

    static Fields fields(String name, RdmaTrace trace) {
        RdmaQueuePair pair = trace.pair();
        return Fields.of("device", name).and("port", pair.port()).and("qp", pair.number()).and("type", pair.type())
                .and("state", pair.state()).and("ended", trace.ended()).and("peer_gid", pair.peerGid())
                .and("peer_qp", pair.peer()).and("mtu", pair.mtu()).and("last", trace.last())
                .and("requests", trace.requests().stream().map(TraceText::fields).toList())
                .and("events", trace.events().stream().map(event -> TraceStep.of(event, RdmaTrace.NEVER).fields()
                        .and("time", event.at())).toList());
    }

    private static Fields fields(Request request) {
        List<Fields> steps = TraceStep.of(request).stream().map(TraceStep::fields).toList();
        return Fields.of("request", request.number()).and("doorbell", request.doorbell())
                .and("operation", word(request.operation())).and("bytes", request.length())
                .and("ring_offset", request.ringOffset()).and("first_psn", request.firstPsn())
                .and("packets", request.packets()).and("sent", request.sent()).and("acknowledged",
                        request.acknowledged() != RdmaTrace.NEVER)
                        .and("completed", request.completed() != RdmaTrace.NEVER)
                .and("steps", steps);
    }
}

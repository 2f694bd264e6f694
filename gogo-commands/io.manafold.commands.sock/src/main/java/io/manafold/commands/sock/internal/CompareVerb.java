package io.manafold.commands.sock.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Sockets;
import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Table.Cell;
import io.manafold.shell.UsageError;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntBiFunction;
import java.util.stream.Stream;

/** {@code sock compare}: the same work over each transport, knob by knob. */
final class CompareVerb {
    private static final String MESSAGE = "--message";
    private static final String CONNECTIONS = "--connections";
    private static final String TIME = "--time";
    private static final String AT = "--at";
    private static final int MOST_MESSAGE = 16 << 20;
    private static final int MOST_CONNECTIONS = 10_000;

    private final Call call;
    private final Transports transports;

    CompareVerb(Call call, Transports transports) {
        this.call = call;
        this.transports = transports;
    }

    static Syntax.Builder syntax(Completer names) {
        return Syntax.verb("compare", "Measures the classic socket, then with one knob more each time, over each "
                + "transport").shows()
                .option(MESSAGE + " SIZES", "bytes of a message, as 4k,64k,1m; 64k if left out", Completer.NONE)
                .option(CONNECTIONS + " NUMBERS", "how many at the same time, as 1,100; 1 if left out", Completer.NONE)
                .option(TIME + " MILLISECONDS", "how long each is measured; 500 if left out", Completer.NONE)
                .option(Words.TRANSPORT + " NAME", "only this one; can be given again", names)
                .option(AT + " TRANSPORT=ADDRESS", "where a transport's connections come in; if left out the loopback, "
                + "or a device's address; can be given again", Completer.NONE)
                .example("sock compare --message 4k,64k --time 100 --transport nio",
                "MB and GB are 10^6 and 10^9 bytes, and the processor's time is that of both ends");
    }

    void run() throws InterruptedException {
        List<Integer> messages = numbers(MESSAGE, "64k", (what, word) -> (int) Numbers.bytes(what, word, 1,
                MOST_MESSAGE));
        List<Integer> connections = numbers(CONNECTIONS, "1", (what, word) -> Numbers.whole(what, word, 1,
                MOST_CONNECTIONS));
        Duration time = Duration.ofMillis(call.number(TIME, 10, 600_000).orElse(500));
        List<ComparisonSteps.Step> rungs = rungs();
        Comparison comparison = new Comparison(transports.memory());
        Table table = table();
        int all = rungs.size() * messages.size() * connections.size();
        int number = 0;
        for (int message : messages) {
            for (int many : connections) {
                for (ComparisonSteps.Step rung : rungs) {
                    String what = rung.sockets().transport() + ", " + rung.label() + ", " + message + " bytes" + ", "
                            + Numbers.counted(many, "connection");
                    call.err().println(++number + " of " + all + ": " + what);
                    try {
                        row(table, rung, message, many,
                                comparison.run(new Workload(rung.sockets(), rung.knobs(), at(rung.sockets()), message,
                                many), time));
                    } catch (Refusal refused) {
                        call.err().println(what + " is left out: " + refused.getMessage());
                    }
                }
            }
        }
        call.print(table);
    }

    private List<Integer> numbers(String option, String usual, ToIntBiFunction<String, String> read) {
        List<Integer> numbers = new ArrayList<>();
        for (String word : call.option(option).orElse(usual).split(",", -1)) {
            numbers.add(read.applyAsInt("Each of " + option + ", with commas between,", word));
        }
        return numbers;
    }

    private List<ComparisonSteps.Step> rungs() {
        List<String> wanted = call.options(Words.TRANSPORT);
        List<Sockets> chosen = wanted.isEmpty() ? transports.present() : wanted.stream().map(transports::named)
                .toList();
        List<ComparisonSteps.Step> rungs = new ArrayList<>();
        for (Sockets sockets : chosen.stream().sorted(Comparator.comparing(Sockets::transport)).toList()) {
            ComparisonSteps ladder = new ComparisonSteps(sockets);
            if (!ladder.leftOut().isEmpty()) {
                call.err().println(sockets.transport() + " has no " + String.join(", ", ladder.leftOut())
                        + "; 'sock probe " + sockets.transport() + "' says why.");
            }
            rungs.addAll(ladder.rungs());
        }
        return rungs;
    }

    private InetAddress at(Sockets sockets) {
        String prefix = sockets.transport() + "=";
        return call.options(AT).stream().filter(word -> word.startsWith(prefix))
                .map(word -> literal(word.substring(prefix.length())))
                .findFirst().orElseGet(sockets::address);
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException _) {
            throw new UsageError(AT + " takes an address, as rdma=10.77.0.1, not '" + text + "'.");
        }
    }

    private static Table table() {
        Table table = new Table();
        Stream.of("TRANSPORT transport", "KNOBS knobs", "MESSAGE message", "CONNECTIONS connections", "GB/S gb_per_s",
                "CPU.S/GB cpu_s_per_gb", "CALLS/MB.TX syscalls_per_mb_tx", "CALLS/MB.RX syscalls_per_mb_rx",
                "COPIES copies", "ALLOCATED allocated_bytes", "P50.µS p50_us", "P99.µS p99_us")
                .map(column -> column.split(" "))
                .forEach(column -> table.column(column[0].replace('.', ' '), column[1]));
        return table.unwrapped();
    }

    private static void row(Table table, ComparisonSteps.Step rung, int message, int connections, Measured one) {
        String label = rung.label().equals(ComparisonSteps.CLASSIC) && !one.knobs().isEmpty() ? rung.label() + " but "
                + String.join(" ", one.knobs())
                : rung.label();
        table.row(rung.sockets().transport(), new Cell(label, one.knobs()), message, connections, one.gbPerSecond(),
                one.cpuPerGb(), one.sendCalls(), one.receiveCalls(), one.copies(), one.allocated(), one.p50Micros(),
                one.p99Micros());
    }
}

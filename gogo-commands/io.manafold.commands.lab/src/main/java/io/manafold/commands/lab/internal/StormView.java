package io.manafold.commands.lab.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What a storm came to, for people and for programs. */
final class StormView {
    private static final double MILLI = 1e6;

    private StormView() {
    }

    static String line(Storm.Cycle cycle) {
        return "cycle %d: gone after %s, %s, %s, %s".formatted(cycle.number(), millis(cycle.left()),
                cycle.back() == 0 ? "and not back" : "back after " + millis(cycle.back()),
                cycle.gap() == 0 ? "no traffic" : "gap " + millis(cycle.gap()),
                lost(cycle.lost()));
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / MILLI);
    }

    private static String lost(Map<String, Long> lost) {
        if (lost.isEmpty()) {
            return "no frame lost";
        }
        StringBuilder text = new StringBuilder();
        lost.forEach((where, frames) -> text.append(text.isEmpty() ? "" : ", ").append(frames).append(' ')
                .append(where));
        return text.toString();
    }

    static void print(Call call, Storm storm, Map<String, Long> leaks) {
        List<Storm.Cycle> cycles = storm.cycles();
        Map<String, Long> lost = new TreeMap<>();
        cycles.forEach(cycle -> cycle.lost().forEach((where, frames) -> lost.merge(where, frames, Long::sum)));
        if (call.json()) {
            call.print(Fields.of("cycles", cycles.size()).and("gone", times(cycles, Storm.Cycle::left))
                    .and("back", times(cycles, Storm.Cycle::back)).and("gap", times(cycles, Storm.Cycle::gap))
                    .and("lost", lost).and("left_behind", leaks).and("home", storm.home())
                    .and("each", cycles.stream().map(cycle -> Fields.of("cycle", cycle.number())
                            .and("gone_ms", cycle.left() / MILLI).and("back_ms", cycle.back() / MILLI)
                            .and("gap_ms", cycle.gap() / MILLI)
                            .and("lost", cycle.lost())).toList()));
            return;
        }
        call.out().println("%d %s: gone after %s, back after %s".formatted(cycles.size(),
                cycles.size() == 1 ? "cycle" : "cycles", text(cycles, Storm.Cycle::left),
                text(cycles, Storm.Cycle::back)));
        call.out().println(cycles.stream().allMatch(cycle -> cycle.gap() == 0)
                ? "no gap is told: no frames were sent there" : "gap " + text(cycles, Storm.Cycle::gap));
        call.out().println(lost(lost));
        call.out().println(leaks.isEmpty() ? "nothing left behind in the adapter" : "left behind: " + leaks);
        StringBuilder home = new StringBuilder("home:");
        storm.home().forEach((what, count) -> home.append(' ').append(what).append('=').append(count));
        call.out().println(home);
    }

    private static long[] all(List<Storm.Cycle> cycles, ToLongFunction<Storm.Cycle> time) {
        return cycles.stream().mapToLong(time).filter(nanos -> nanos > 0).toArray();
    }

    private static Fields times(List<Storm.Cycle> cycles, ToLongFunction<Storm.Cycle> time) {
        long[] all = all(cycles, time);
        return Fields.of("p50_ms", Storm.percentile(all, 0.5) / MILLI)
                .and("p99_ms", Storm.percentile(all, 0.99) / MILLI).and("max_ms", Storm.percentile(all, 1) / MILLI);
    }

    private static String text(List<Storm.Cycle> cycles, ToLongFunction<Storm.Cycle> time) {
        long[] all = all(cycles, time);
        return all.length == 0 ? "never" : String.format(Locale.ROOT, "%.1f ms (p99 %.1f, most %.1f)",
                Storm.percentile(all, 0.5) / MILLI, Storm.percentile(all, 0.99) / MILLI,
                Storm.percentile(all, 1) / MILLI);
    }
}

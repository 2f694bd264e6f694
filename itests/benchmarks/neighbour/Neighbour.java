package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.fabric.internal.LoopLink;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long a neighbour's longest echo takes while another function on the switch sends messages that ask for as much
 * work as a message can, beside how long it takes while that function sends none. Both take turns; a ratio is of two
 * runs in a row.
 */
public final class Neighbour {
    private static final int ROUNDS = Integer.getInteger("rounds", 9);
    private static final long NANOS = Long.getLong("millis", 1000) * 1_000_000;
    private static final int LEAVES = Integer.getInteger("leaves", 16_000);

    private Neighbour() {
    }

    public static void main(String[] arguments) throws Exception {
        boolean json = List.of(arguments).contains("--json");
        List<Echoes.Run> quiet = new ArrayList<>();
        List<Echoes.Run> hostile = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        String[] ports = {"one/1", "one/2", "hostile/1"};
        try (LoopLink link = new LoopLink("net", List.of(ports));
                LoopAdapter one = new LoopAdapter("one", 2, 1);
                LoopAdapter other = new LoopAdapter("hostile", 1, 64);
                DmaArena memory = one.memory(32);
                DmaArena otherMemory = other.memory(4)) {
            one.plug(link.link(), "one/1", "one/2");
            other.plug(link.link(), "hostile/1");
            try (Echoes echoes = new Echoes(one.function(), memory);
                    EthernetSession session = EthernetSession.open(other.function(), otherMemory, ChannelLimits.USUAL,
                            (type, data) -> { })) {
                Hostile guest = new Hostile(session, LEAVES);
                echoes.run(NANOS);
                against(guest, echoes);
                for (int round = 0; round < ROUNDS; round++) {
                    quiet.add(echoes.run(NANOS));
                    hostile.add(against(guest, echoes));
                    ratios.add(hostile.getLast().longest() / (double) quiet.getLast().longest());
                }
                print(json, quiet, hostile, ratios, guest.messages());
            }
        }
    }

    /** Echoes while the other function sends its messages. */
    private static Echoes.Run against(Hostile guest, Echoes echoes) throws InterruptedException {
        AtomicBoolean end = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().start(() -> guest.run(end));
        try {
            return echoes.run(NANOS);
        } finally {
            end.set(true);
            thread.join();
        }
    }

    private static void print(boolean json, List<Echoes.Run> quiet, List<Echoes.Run> hostile, List<Double> ratios,
            long messages) {
        double idle = longest(quiet);
        double busy = longest(hostile);
        double ratio = median(ratios);
        String form = json ? "[{\"rounds\": %d, \"leaves\": %d, \"messages\": %d, \"idle_us\": %.1f, "
                + "\"hostile_us\": %.1f, \"idle_median_us\": %.2f, \"hostile_median_us\": %.2f, \"ratio\": %.2f}]%n"
                : "ROUNDS %d  LEAVES %d  MESSAGES %d  LONGEST-US idle %.1f hostile %.1f  MEDIAN-US idle %.2f hostile "
                + "%.2f  RATIO %.2f%n";
        System.out.printf(Locale.ROOT, form, ratios.size(), LEAVES, messages, idle, busy,
                usual(quiet), usual(hostile), ratio);
    }

    private static double longest(List<Echoes.Run> runs) {
        return median(runs.stream().map(run -> run.longest() / 1e3).toList());
    }

    private static double usual(List<Echoes.Run> runs) {
        return median(runs.stream().map(run -> run.median() / 1e3).toList());
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }
}

package io.manafold.commands.shaper.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.Shapers;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What the shapers of a device let pass, again and again: asked, measured, held, queued, dropped, and a small plot; and
 * between the looks what becomes of them, by whosever hand.
 */
final class Watching {
    private static final String STEPS = " ▁▂▃▄▅▆▇█";
    private static final int PLOTTED = 24;
    private static final double SECOND = 1e9;

    private final Shapers shapers;
    private final String device;
    private final int index;
    private final LongSupplier clock;
    private final Map<ShaperHandle, Deque<Double>> history = new HashMap<>();
    private final BlockingQueue<ShaperEvent> events = new LinkedBlockingQueue<>();
    private Map<ShaperHandle, ShaperStatus> before = Map.of();
    private long then;
    /** Lines about changes stand alone, a table begins behind an empty line. */
    private boolean begun;

    Watching(Shapers shapers, String device, int index, LongSupplier clock) {
        this.shapers = shapers;
        this.device = device;
        this.index = index;
        this.clock = clock;
    }

    /** @param count how often; 0 for without end */
    void run(Call call, int count, long millis) throws InterruptedException {
        try (Ear ear = listen()) {
            before = status();
            then = clock.getAsLong();
            for (int i = 0; (count == 0 || i < count) && !call.out().checkError(); i++) {
                news(call, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
                show(call);
            }
        }
    }

    /** What is closed without a complaint. */
    private interface Ear extends AutoCloseable {
        @Override
        void close();
    }

    /** Where the place does not tell of changes the table shows them by itself. */
    private Ear listen() {
        try {
            AutoCloseable watch = shapers.watch(event -> {
                if (event.device().equals(device)) {
                    events.add(event);
                }
            });
            return () -> {
                try {
                    watch.close();
                } catch (Exception silent) {
                    events.clear();
                }
            };
        } catch (Refusal nobodyTells) {
            return () -> { };
        }
    }

    /** Tells what changes until a time. */
    private void news(Call call, long until) throws InterruptedException {
        long left = until - System.nanoTime();
        while (left > 0) {
            ShaperEvent event = events.poll(left, TimeUnit.NANOSECONDS);
            if (event != null) {
                Change.show(call, event);
                if (event.now() == null) {
                    history.remove(event.handle());
                }
                begun = true;
            }
            left = until - System.nanoTime();
        }
    }

    private Map<ShaperHandle, ShaperStatus> status() {
        Map<ShaperHandle, ShaperStatus> status = new TreeMap<>();
        shapers.status(device).forEach(one -> status.put(one.handle(), one));
        return status;
    }

    private void show(Call call) {
        Map<ShaperHandle, ShaperStatus> now = status();
        long time = clock.getAsLong();
        double seconds = Math.max(time - then, 1) / SECOND;
        Map<ShaperHandle, Map<String, Object>> limits = limits();
        Table table = new Table().column("SHAPER", "shaper").column("ASKED", "asked").column("MEASURED", "measured")
                .column("HELD", "held").column("QUEUED", "queued").column("DROPPED", "dropped").column("", "plot");
        Map<ShaperHandle, ShaperStatus> rows = new TreeMap<>(now);
        limits.keySet().forEach(handle -> rows.putIfAbsent(handle, null));
        rows.forEach((handle, status) -> {
            Map<String, Object> limit = limits.getOrDefault(handle, Map.of());
            boolean packets = "pps".equals(limit.get("metric"));
            Long asked = limit.get("bw-max") instanceof Long most ? most : null;
            Object shown = asked == null ? null : Rate.shown(asked, packets);
            Reading reading = status == null ? null
                    : Reading.of(before.getOrDefault(handle, status), status, packets, seconds);
            if (call.json()) {
                Fields line = Fields.of("dev", device).and("handle", Wording.handle(handle))
                        .and("metric", packets ? "pps" : "bps").and("asked", asked);
                call.printLine(reading == null ? line : line.and("measured", reading.rate).and("held", reading.held)
                        .and("queued", status.queuedRequests()).and("dropped", reading.dropped));
            } else if (reading == null) {
                table.row(handle.toString(), shown, null, null, null, null, "");
            } else {
                table.row(handle.toString(), shown, Rate.shown(reading.rate, packets), Math.round(reading.held * 100)
                        + "%", status.queuedRequests(), reading.dropped, plot(handle, asked, reading.rate));
            }
        });
        if (!call.json()) {
            call.out().print(begun ? "\n" : "");
            call.print(table);
            begun = true;
        }
        before = now;
        then = time;
    }

    /**
     * What became of a shaper from one look to the next.
     *
     * @param held the share of the time in which it held something back
     */
    private record Reading(long rate, double held, long dropped) {
        static Reading of(ShaperStatus old, ShaperStatus now, boolean packets, double seconds) {
            // a shaper that was made anew begins with nothing
            ShaperStatus from = now.packets() < old.packets() ? now : old;
            long passed = packets ? now.packets() - from.packets() : (now.bytes() - from.bytes()) * Byte.SIZE;
            double held = Math.clamp((now.heldNanos() - from.heldNanos()) / (seconds * SECOND), 0, 1);
            return new Reading(Math.round(passed / seconds), Math.round(held * 1000) / 1000.0,
                    now.dropped() - from.dropped());
        }
    }

    private Map<ShaperHandle, Map<String, Object>> limits() {
        Map<ShaperHandle, Map<String, Object>> limits = new LinkedHashMap<>();
        List<Map<String, Object>> all = shapers.dump("get", Map.of("ifindex", index));
        for (Map<String, Object> shaper : all) {
            if (shaper.get("handle") instanceof Map<?, ?> handle) {
                ShaperScope scope = ShaperScope.valueOf(handle.get("scope").toString().toUpperCase(Locale.ROOT));
                limits.put(new ShaperHandle(scope, handle.get("id") instanceof Long id ? id.intValue() : 0), shaper);
            }
        }
        return limits;
    }

    /** The last readings, each as high as it is of what was asked, or of the highest if nothing was. */
    private String plot(ShaperHandle handle, Long asked, long measured) {
        Deque<Double> readings = history.computeIfAbsent(handle, _ -> new ArrayDeque<>());
        readings.add((double) measured);
        if (readings.size() > PLOTTED) {
            readings.poll();
        }
        double top = asked != null && asked > 0 ? asked : readings.stream().mapToDouble(Double::doubleValue).max()
                .orElse(0);
        StringBuilder plot = new StringBuilder();
        for (double reading : readings) {
            int step = top <= 0 ? 0 : (int) Math.ceil(Math.min(reading / top, 1) * (STEPS.length() - 1));
            plot.append(STEPS.charAt(step));
        }
        return plot.toString();
    }
}

package io.manafold.commands.shaper.internal;

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
import java.util.function.LongSupplier;

/** What the shapers of a device let pass, again and again: asked, measured, queued, dropped, and a small plot. */
final class Watching {
    private static final String STEPS = " ▁▂▃▄▅▆▇█";
    private static final int PLOTTED = 24;
    private static final double SECOND = 1e9;

    private final Shapers shapers;
    private final String device;
    private final int index;
    private final LongSupplier clock;
    private final Map<ShaperHandle, Deque<Double>> history = new HashMap<>();
    private Map<ShaperHandle, ShaperStatus> before = Map.of();
    private long then;

    Watching(Shapers shapers, String device, int index, LongSupplier clock) {
        this.shapers = shapers;
        this.device = device;
        this.index = index;
        this.clock = clock;
    }

    /** @param count how often; 0 for without end */
    void run(Call call, int count, long millis) throws InterruptedException {
        before = status();
        then = clock.getAsLong();
        for (int i = 0; count == 0 || i < count; i++) {
            Thread.sleep(millis);
            show(call, i > 0);
            if (call.out().checkError()) {
                return;
            }
        }
    }

    private Map<ShaperHandle, ShaperStatus> status() {
        Map<ShaperHandle, ShaperStatus> status = new TreeMap<>();
        shapers.status(device).forEach(one -> status.put(one.handle(), one));
        return status;
    }

    private void show(Call call, boolean again) {
        Map<ShaperHandle, ShaperStatus> now = status();
        long time = clock.getAsLong();
        double seconds = Math.max(time - then, 1) / SECOND;
        Map<ShaperHandle, Map<String, Object>> limits = limits();
        Table table = new Table().column("SHAPER", "shaper").column("ASKED", "asked").column("MEASURED", "measured")
                .column("QUEUED", "queued").column("DROPPED", "dropped").column("", "plot");
        Map<ShaperHandle, ShaperStatus> rows = new TreeMap<>(now);
        limits.keySet().forEach(handle -> rows.putIfAbsent(handle, new ShaperStatus(handle, 0, 0, 0, 0, 0)));
        rows.forEach((handle, status) -> {
            Map<String, Object> limit = limits.getOrDefault(handle, Map.of());
            boolean packets = "pps".equals(limit.get("metric"));
            ShaperStatus old = before.getOrDefault(handle, status);
            long passed = packets ? status.packets() - old.packets() : (status.bytes() - old.bytes()) * Byte.SIZE;
            long measured = Math.round(Math.max(passed, 0) / seconds);
            Long asked = limit.get("bw-max") instanceof Long most ? most : null;
            long dropped = Math.max(status.dropped() - old.dropped(), 0);
            if (call.json()) {
                call.printLine(Fields.of("dev", device).and("handle", handle.toString()).and("metric",
                        packets ? "pps" : "bps").and("asked", asked).and("measured", measured)
                        .and("queued", status.queuedRequests()).and("dropped", dropped));
            } else {
                table.row(handle.toString(), asked == null ? null : Rate.shown(asked, packets),
                        Rate.shown(measured, packets), status.queuedRequests(), dropped, plot(handle, asked, measured));
            }
        });
        if (!call.json()) {
            call.out().print(again ? "\n" : "");
            call.print(table);
        }
        before = now;
        then = time;
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
        double top = asked != null && asked > 0 ? asked : readings.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        StringBuilder plot = new StringBuilder();
        for (double reading : readings) {
            int step = top <= 0 ? 0 : (int) Math.ceil(Math.min(reading / top, 1) * (STEPS.length() - 1));
            plot.append(STEPS.charAt(step));
        }
        return plot.toString();
    }
}

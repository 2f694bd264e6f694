package io.manafold.commands.shaper.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.Shapers;
import io.manafold.commands.shaper.internal.Watched.Reading;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Screen;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the shapers of a device let pass, again and again, and between the looks what becomes of them, by whosever hand.
 * A device without any is shown as a whole. On a terminal each look takes the place of the one before, with the latest
 * changes below it; in a pipe everything is a line after the other.
 */
final class Watching {
    private static final double SECOND = 1e9;
    /** Changes that a terminal has room for. */
    private static final int LATEST = 5;
    /** Changes that are held for a reader who is slower than they come. */
    private static final int HELD = 4096;
    private static final String LEFT_OUT = " left out: they came faster than they were read";

    private final Shapers shapers;
    private final String device;
    private final int index;
    private final LongSupplier clock;
    private final Supplier<DeviceTraffic> traffic;
    private final Map<ShaperHandle, Deque<Long>> history = new HashMap<>();
    private final Deque<String> latest = new ArrayDeque<>();
    private final Screen screen = new Screen();
    private final BlockingQueue<ShaperEvent> events = new ArrayBlockingQueue<>(HELD);
    private final AtomicLong lost = new AtomicLong();
    private Map<ShaperHandle, ShaperStatus> before = Map.of();
    private DeviceTraffic sent;
    private long then;
    /** Lines about changes stand alone, a table begins behind an empty line. */
    private boolean begun;
    /** On a terminal, where a line on its own would be written over: since the command began. */
    private long leftOut;

    /** @param traffic what the device has sent, {@code null} while that is not counted */
    Watching(Shapers shapers, String device, int index, LongSupplier clock, Supplier<DeviceTraffic> traffic) {
        this.traffic = traffic;
        this.shapers = shapers;
        this.device = device;
        this.index = index;
        this.clock = clock;
    }

    /** @param count how often; 0 for without end */
    void run(Call call, int count, long millis) throws InterruptedException {
        try (Ear ear = listen()) {
            before = status();
            sent = traffic.get();
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
                if (event.device().equals(device) && !events.offer(event)) {
                    lost.incrementAndGet();
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
            long missed = lost.getAndSet(0);
            if (missed > 0) {
                tell(call, missed);
            }
            if (event != null) {
                tell(call, event);
                if (event.now() == null) {
                    history.remove(event.handle());
                }
            }
            left = until - System.nanoTime();
        }
    }

    private void tell(Call call, ShaperEvent event) {
        if (call.json() || call.columns() == 0) {
            Change.show(call, event);
            begun = true;
            return;
        }
        latest.add(Change.line(event));
        if (latest.size() > LATEST) {
            latest.remove();
        }
    }

    private void tell(Call call, long missed) {
        if (call.json() || call.columns() == 0) {
            call.err().println("manafold: " + missed + LEFT_OUT);
        } else {
            leftOut += missed;
        }
    }

    private Map<ShaperHandle, ShaperStatus> status() {
        Map<ShaperHandle, ShaperStatus> status = new TreeMap<>();
        shapers.status(device).forEach(one -> status.put(one.handle(), one));
        return status;
    }

    private void show(Call call) {
        Map<ShaperHandle, ShaperStatus> now = status();
        DeviceTraffic sentNow = traffic.get();
        long time = clock.getAsLong();
        List<Watched> all = look(now, sentNow, Math.max(time - then, 1) / SECOND);
        before = now;
        sent = sentNow;
        then = time;
        if (call.json()) {
            all.forEach(one -> call.printLine(fields(one)));
            return;
        }
        String text = WatchText.of(all, call.columns());
        if (call.columns() > 0) {
            List<String> below = new ArrayList<>(latest);
            if (leftOut > 0) {
                below.add(leftOut + LEFT_OUT);
            }
            screen.show(call.out(), text + (below.isEmpty() ? "" : "\n" + String.join("\n", below) + "\n"));
        } else {
            call.out().print((begun ? "\n" : "") + text);
        }
        begun = true;
    }

    private List<Watched> look(Map<ShaperHandle, ShaperStatus> now, DeviceTraffic sentNow, double seconds) {
        Map<ShaperHandle, Map<String, Object>> limits = limits();
        Map<ShaperHandle, ShaperStatus> rows = new TreeMap<>(now);
        limits.keySet().forEach(handle -> rows.putIfAbsent(handle, null));
        if (rows.isEmpty() && sentNow != null) {
            rows.put(ShaperHandle.NETDEV, null);
        }
        List<Watched> all = new ArrayList<>();
        rows.forEach((handle, status) -> {
            Map<String, Object> limit = limits.getOrDefault(handle, Map.of());
            boolean packets = "pps".equals(limit.get("metric"));
            Reading reading = null;
            if (status != null) {
                reading = Reading.of(before.getOrDefault(handle, status), status, packets, seconds);
            } else if (sentNow != null && handle.equals(ShaperHandle.NETDEV)) {
                reading = Reading.of(sent == null ? sentNow : sent, sentNow, packets, seconds);
            }
            all.add(new Watched(handle, packets, limit.get("bw-max") instanceof Long most ? most : null, reading,
                    remembered(handle, reading)));
        });
        return all;
    }

    private Deque<Long> remembered(ShaperHandle handle, Reading reading) {
        Deque<Long> rates = history.computeIfAbsent(handle, _ -> new ArrayDeque<>());
        if (reading != null) {
            rates.add(reading.rate());
        }
        if (rates.size() > WatchText.WIDEST) {
            rates.remove();
        }
        return rates;
    }

    private Fields fields(Watched one) {
        Fields line = Fields.of("dev", device).and("handle", Wording.handle(one.handle()))
                .and("metric", one.packets() ? "pps" : "bps").and("asked", one.target());
        Reading reading = one.reading();
        return reading == null ? line : line.and("measured", reading.rate()).and("held", reading.held())
                .and("queued", reading.queued()).and("dropped", reading.dropped());
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
}

package io.manafold.qualify.internal;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What is measured between two stations: loss-free rates of frames by size, then round trips, idle and with half of
 * such a rate beside them.
 */
final class RatesAndTrips {
    private static final double LOAD = 0.5;

    private final FrameSizes sizes;
    private final Frames frames;
    private final Supplier<RoundTrips> trips;
    private final int count;
    /** By size, frames in a second of which a load is made: the least that went without loss, if any did. */
    private final TreeMap<Integer, Double> loads = new TreeMap<>();
    private Map<String, String> setup;

    /** What sends the frames. */
    interface Frames {
        Bisection.Outcome send(int size, long rate) throws InterruptedException;

        /** Begins to send; what it returns ends that. */
        Runnable begin(int size, long rate);
    }

    /**
     * @param trips made for each measurement: addresses may have changed
     * @param count round trips of one measurement
     */
    RatesAndTrips(FrameSizes sizes, Frames frames, Supplier<RoundTrips> trips, int count) {
        this.sizes = sizes;
        this.frames = frames;
        this.trips = trips;
        this.count = count;
    }

    /** @param facts are told what the load is */
    void describe(Map<String, String> facts) {
        setup = facts;
        facts.put("round trips", String.valueOf(count));
    }

    void rates(Subject.Steps steps) throws InterruptedException {
        for (int size : sizes.fitting()) {
            steps.take("rate-" + size, () -> rate(size));
        }
    }

    private List<Value> rate(int size) throws InterruptedException {
        Bisection.Found found = Bisection.search(rate -> frames.send(size, rate));
        loads.merge(size, found.rate() > 0 ? found.rate() : found.full(), Math::min);
        return Subject.values(found, size, 0, 0);
    }

    void trips(Subject.Steps steps) throws InterruptedException {
        steps.take("ping-idle", () -> ask("ping-idle"));
        steps.take("udp-idle", () -> ask("udp-idle"));
        if (!loads.isEmpty()) {
            steps.take("ping-load", () -> askUnderLoad("ping-load"));
            steps.take("udp-load", () -> askUnderLoad("udp-load"));
        }
    }

    private List<Value> ask(String name) throws InterruptedException {
        RoundTrips now = trips.get();
        return (name.startsWith("ping") ? now.ask(count) : now.askByDatagrams(count)).values(name);
    }

    private List<Value> askUnderLoad(String name) throws InterruptedException {
        int size = FrameSizes.middle(List.copyOf(loads.keySet()));
        long rate = Math.max(1, Math.round(loads.get(size) * LOAD));
        setup.put("load", rate + " frames of " + size + " bytes in a second");
        Runnable end = frames.begin(size, rate);
        try {
            return ask(name);
        } finally {
            end.run();
        }
    }
}

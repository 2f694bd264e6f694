package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.NetDevice;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One qualification under way. A round measures everything once, so that a machine that changes in the meantime changes
 * all measures alike, and so that there is something of each when it is ended early.
 */
final class Measuring {
    /** Header and checksum of a frame. */
    private static final int AROUND_MTU = 18;
    private static final int LEAST_WARM = 20;
    private static final int MOST_WARM = 60;
    private static final double FASTER = 1.1;
    private static final int WARM_TRIPS = 200;
    private static final double LOAD = 0.5;
    private static final double MILLISECOND = 1e6;

    private final QualificationPlan plan;
    private final NetDevice from;
    private final NetDevice to;
    private final Adapter adapter;
    private final Hosts hosts;
    private final Consumer<String> progress;
    private final TrafficTrials trials;
    private final List<Integer> sizes;
    /** Bytes of the largest frame that both devices take. */
    private final int largest;
    private final Collected collected = new Collected();
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private final Map<String, String> setup = new LinkedHashMap<>();
    /** By size, packets in a second of which a load is made: the least that went without loss, if any did. */
    private final TreeMap<Integer, Double> loads = new TreeMap<>();
    private final long began = System.nanoTime();
    private int round;

    /**
     * @param hosts {@code null} if there are none
     * @param adapter that is taken away and put back, or {@code null}
     */
    Measuring(QualificationPlan plan, NetDevice from, NetDevice to, Traffic traffic, Hosts hosts, Adapter adapter,
            Consumer<String> progress) {
        this.plan = plan;
        this.from = from;
        this.to = to;
        this.hosts = hosts;
        this.adapter = adapter;
        this.progress = progress;
        trials = new TrafficTrials(traffic, from.name(), to.name(), plan.slice());
        largest = Math.min(from.mtu(), to.mtu()) + AROUND_MTU;
        sizes = plan.sizes().stream().filter(size -> size <= largest).sorted().toList();
        plan.sizes().stream().filter(size -> size > largest).sorted().forEach(size -> leftOut.put("rate-" + size,
                "needs an MTU of " + (size - AROUND_MTU) + "; " + from.name() + " has " + from.mtu() + " and "
                + to.name() + " " + to.mtu()));
    }

    /** A measurement that gives one value or more. */
    @FunctionalInterface
    private interface Step {
        List<Value> take() throws InterruptedException;
    }

    private record Value(String name, int frame, Unit unit, double value) {
    }

    QualificationReport run() {
        Instant made = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Map<String, String> machine = MachineFacts.read();
        describe();
        boolean finished = false;
        try {
            warmUp();
            rounds();
            finished = true;
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
        // what drivers and refusals say may be anything
        setup.replaceAll((_, value) -> ReportReader.plain(value));
        leftOut.replaceAll((_, value) -> ReportReader.plain(value));
        setup.put("took", Math.round((System.nanoTime() - began) / MILLISECOND / 1000) + " s");
        return new QualificationReport(made, finished, machine, setup, collected.measures(), leftOut.entrySet()
                .stream().map(entry -> new LeftOut(entry.getKey(), entry.getValue())).toList());
    }

    private void describe() {
        setup.put("from", from.name());
        setup.put("to", to.name());
        Map<String, String> driver = from.driverInfo();
        for (String label : List.of("driver", "version", "firmware-version")) {
            if (!driver.getOrDefault(label, "").isBlank()) {
                setup.put(label, driver.get(label));
            }
        }
        setup.put("mtu", String.valueOf(Math.min(from.mtu(), to.mtu())));
        setup.put("queues", String.valueOf(to.channels()));
        setup.put("slice", plan.slice().toMillis() + " ms");
        setup.put("rounds", String.valueOf(plan.rounds()));
        setup.put("round trips", String.valueOf(plan.pings()));
    }

    /** Until it gets no faster: what is run for the first time is compiled meanwhile. */
    private void warmUp() throws InterruptedException {
        progress.accept("warming up");
        double best = 0;
        int noFaster = 0;
        try {
            for (int slice = 0; slice < MOST_WARM && (slice < LEAST_WARM || noFaster < LEAST_WARM / 2)
                    && !sizes.isEmpty(); slice++) {
                double arrived = trials.send(sizes.get(slice % sizes.size()), 0).arrived();
                noFaster = arrived > best * FASTER ? 0 : noFaster + 1;
                best = Math.max(best, arrived);
            }
            RoundTrips trips = new RoundTrips(hosts, from.name(), to.name());
            trips.ask(Math.min(WARM_TRIPS, plan.pings()));
            trips.askByDatagrams(Math.min(WARM_TRIPS, plan.pings()));
        } catch (Refusal refused) {
            // the first measurement of that kind says so
        }
    }

    /** All of them, or as many as there is time for. */
    private void rounds() throws InterruptedException {
        Duration last = Duration.ZERO;
        for (round = 1; round <= plan.rounds(); round++) {
            Duration passed = Duration.ofNanos(System.nanoTime() - began);
            if (!plan.limit().isZero() && passed.plus(last).compareTo(plan.limit()) > 0 && round > 1) {
                leftOut.put("rounds", "no time was left for " + (plan.rounds() - round + 1) + " of " + plan.rounds());
                return;
            }
            round();
            last = Duration.ofNanos(System.nanoTime() - began).minus(passed);
        }
    }

    private void round() throws InterruptedException {
        for (int size : sizes) {
            step("rate-" + size, () -> rate(size));
        }
        step("stream", () -> List.of(new Value("stream", 0, Unit.BITS_PER_SECOND, trials.stream(largest))));
        step("ping-idle", () -> ask("ping-idle"));
        step("udp-idle", () -> ask("udp-idle"));
        if (!loads.isEmpty()) {
            step("ping-load", () -> askUnderLoad("ping-load"));
            step("udp-load", () -> askUnderLoad("udp-load"));
        }
        if (adapter != null) {
            step("servicing-gap", () -> List.of(new Value("servicing-gap", 0, Unit.SECONDS,
                    ServicingGap.measure(trials, adapter))));
        }
    }

    private List<Value> rate(int size) throws InterruptedException {
        Bisection.Found found = Bisection.search(rate -> trials.send(size, rate));
        loads.merge(size, found.rate() > 0 ? found.rate() : found.full(), Math::min);
        return List.of(new Value("rate", size, Unit.PACKETS_PER_SECOND, found.rate()),
                new Value("full", size, Unit.PACKETS_PER_SECOND, found.full()),
                new Value("lost", size, Unit.PERCENT, 100 * found.lost()));
    }

    private List<Value> ask(String name) throws InterruptedException {
        RoundTrips trips = new RoundTrips(hosts, from.name(), to.name());
        Times times = name.startsWith("ping") ? trips.ask(plan.pings()) : trips.askByDatagrams(plan.pings());
        return List.of(new Value(name + "-p50", 0, Unit.SECONDS, times.percentile(0.5)),
                new Value(name + "-p99", 0, Unit.SECONDS, times.percentile(0.99)),
                new Value(name + "-p99.9", 0, Unit.SECONDS, times.percentile(0.999)),
                new Value(name + "-lost", 0, Unit.PERCENT, times.lostPercent()));
    }

    private List<Value> askUnderLoad(String name) throws InterruptedException {
        int size = loads.keySet().stream().skip(loads.size() / 2).findFirst().orElseThrow();
        long rate = Math.max(1, Math.round(loads.get(size) * LOAD));
        setup.put("load", rate + " frames of " + size + " bytes in a second");
        TrafficRun load = trials.start(size, rate);
        try {
            return ask(name);
        } finally {
            load.stop(Duration.ZERO);
        }
    }

    /**
     * Takes the values of a step, with what the machine did in the meantime. One that was refused is not tried again.
     */
    private void step(String what, Step step) throws InterruptedException {
        if (leftOut.containsKey(what)) {
            return;
        }
        MachineLoad before = MachineLoad.now();
        List<Value> values;
        try {
            values = step.take();
        } catch (Refusal refused) {
            leftOut.put(what, refused.getMessage());
            progress.accept(what + " is left out: " + refused.getMessage());
            return;
        }
        MachineLoad after = MachineLoad.now();
        String disturbance = after.disturbance(before);
        for (Value value : values) {
            collected.add(value.name(), value.frame(), value.unit(), new Slice(value.value(), after.cores(before),
                    disturbance));
        }
        progress.accept(String.format(Locale.ROOT, "round %d of %d: %-10s %s%s", round, plan.rounds(), what,
                values.stream().filter(value -> value.value() > 0 || value.unit() != Unit.PERCENT)
                .map(value -> value.unit().text(value.value())).collect(Collectors.joining(", ")),
                disturbance.isEmpty() ? "" : " (" + disturbance + ")"));
    }
}

package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.NetDevice;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Two network devices, with made-up packets from one to the other and the hosts above them. */
final class DeviceSubject implements Subject {
    private static final int WARM_TRIPS = 200;
    private static final double LOAD = 0.5;

    private final QualificationPlan plan;
    private final NetDevice from;
    private final NetDevice to;
    private final Adapter adapter;
    private final Hosts hosts;
    private final TrafficTrials trials;
    private final FrameSizes sizes;
    /** By size, packets in a second of which a load is made: the least that went without loss, if any did. */
    private final TreeMap<Integer, Double> loads = new TreeMap<>();
    private Map<String, String> setup;

    /**
     * @param hosts {@code null} if there are none
     * @param adapter that is taken away and put back, or {@code null}
     */
    DeviceSubject(QualificationPlan plan, NetDevice from, NetDevice to, Traffic traffic, Hosts hosts,
            Adapter adapter) {
        this.plan = plan;
        this.from = from;
        this.to = to;
        this.hosts = hosts;
        this.adapter = adapter;
        trials = new TrafficTrials(traffic, from.name(), to.name(), plan.slice());
        sizes = FrameSizes.of(plan.sizes(), Math.min(from.mtu(), to.mtu()), from.name() + " has " + from.mtu() + " and "
                + to.name() + " " + to.mtu());
    }

    @Override
    public Engine engine() {
        return Engine.DRIVER;
    }

    @Override
    public void describe(Map<String, String> facts) {
        setup = facts;
        facts.put("from", from.name());
        facts.put("to", to.name());
        Map<String, String> driver = from.driverInfo();
        for (String label : List.of("driver", "version", "firmware-version")) {
            if (!driver.getOrDefault(label, "").isBlank()) {
                facts.put(label, driver.get(label));
            }
        }
        facts.put("mtu", String.valueOf(Math.min(from.mtu(), to.mtu())));
        facts.put("queues", String.valueOf(to.channels()));
        facts.put("round trips", String.valueOf(plan.pings()));
    }

    @Override
    public Map<String, String> leftOut() {
        return sizes.leftOut();
    }

    @Override
    public void warmUp() throws InterruptedException {
        try {
            WarmUp.run(sizes.fitting(), size -> trials.send(size, 0));
            RoundTrips trips = new RoundTrips(hosts, from.name(), to.name());
            trips.ask(Math.min(WARM_TRIPS, plan.pings()));
            trips.askByDatagrams(Math.min(WARM_TRIPS, plan.pings()));
        } catch (Refusal refused) {
            // the first measurement of that kind says so
        }
    }

    @Override
    public void round(Steps steps) throws InterruptedException {
        for (int size : sizes.fitting()) {
            steps.take("rate-" + size, () -> rate(size));
        }
        steps.take("stream", () -> List.of(new Value("stream", 0, Unit.BITS_PER_SECOND,
                trials.stream(sizes.largest()))));
        steps.take("ping-idle", () -> ask("ping-idle"));
        steps.take("udp-idle", () -> ask("udp-idle"));
        if (!loads.isEmpty()) {
            steps.take("ping-load", () -> askUnderLoad("ping-load"));
            steps.take("udp-load", () -> askUnderLoad("udp-load"));
        }
        if (adapter != null) {
            steps.take("servicing-gap", () -> List.of(new Value("servicing-gap", 0, Unit.SECONDS,
                    ServicingGap.measure(trials, adapter))));
        }
    }

    private List<Value> rate(int size) throws InterruptedException {
        Bisection.Found found = Bisection.search(rate -> trials.send(size, rate));
        loads.merge(size, found.rate() > 0 ? found.rate() : found.full(), Math::min);
        return Subject.values(found, size, 0, 0);
    }

    private List<Value> ask(String name) throws InterruptedException {
        RoundTrips trips = new RoundTrips(hosts, from.name(), to.name());
        return (name.startsWith("ping") ? trips.ask(plan.pings()) : trips.askByDatagrams(plan.pings())).values(name);
    }

    private List<Value> askUnderLoad(String name) throws InterruptedException {
        int size = FrameSizes.middle(List.copyOf(loads.keySet()));
        long rate = Math.max(1, Math.round(loads.get(size) * LOAD));
        setup.put("load", rate + " frames of " + size + " bytes in a second");
        TrafficRun load = trials.start(size, rate);
        try {
            return ask(name);
        } finally {
            load.stop(Duration.ZERO);
        }
    }
}

package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.NetDevice;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import java.util.List;
import java.util.Map;

/** Two network devices, with made-up packets from one to the other and the hosts above them. */
final class DeviceSubject implements Subject {
    private static final int WARM_TRIPS = 200;

    private final QualificationPlan plan;
    private final NetDevice from;
    private final NetDevice to;
    private final Adapter adapter;
    private final Hosts hosts;
    private final TrafficTrials trials;
    private final FrameSizes sizes;
    private final RatesAndTrips measures;

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
        measures = new RatesAndTrips(sizes, trials, this::roundTrips, plan.pings());
    }

    private RoundTrips roundTrips() {
        return new RoundTrips(hosts, from.name(), to.name());
    }

    @Override
    public Engine engine() {
        return Engine.DRIVER;
    }

    @Override
    public void describe(Map<String, String> facts) {
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
        measures.describe(facts);
    }

    @Override
    public Map<String, String> leftOut() {
        return sizes.leftOut();
    }

    @Override
    public void warmUp() throws InterruptedException {
        try {
            WarmUp.run(sizes.fitting(), size -> trials.send(size, 0));
            RoundTrips trips = roundTrips();
            trips.ask(Math.min(WARM_TRIPS, plan.pings()));
            trips.askByDatagrams(Math.min(WARM_TRIPS, plan.pings()));
        } catch (Refusal refused) {
            // the first measurement of that kind says so
        }
    }

    @Override
    public void round(Steps steps) throws InterruptedException {
        measures.rates(steps);
        steps.take("stream", () -> List.of(new Value("stream", 0, Unit.BITS_PER_SECOND,
                trials.stream(sizes.largest()))));
        measures.trips(steps);
        if (adapter != null) {
            steps.take("servicing-gap", () -> List.of(new Value("servicing-gap", 0, Unit.SECONDS,
                    ServicingGap.measure(trials, adapter))));
        }
    }
}

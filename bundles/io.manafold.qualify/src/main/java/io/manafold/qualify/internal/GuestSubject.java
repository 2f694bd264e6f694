package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A virtual machine that has an adapter, from a device of ours on the same link. There is no program of ours in it: it
 * answers as any Linux does.
 */
final class GuestSubject implements Subject {
    private static final int WARM_TRIPS = 100;
    private static final Duration GLANCE = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final QualificationPlan plan;
    private final NetDevice from;
    private final Host host;
    private final IpAddress guest;
    private final Adapter adapter;
    private final FrameSizes sizes;
    private final RoundTrips trips;
    private final RatesAndTrips measures;
    private GuestFlood flood;
    private GuestTrials trials;

    /** What is sent by the trials, which there are once the guest is found. */
    private final class Towards implements RatesAndTrips.Frames {
        @Override
        public Bisection.Outcome send(int size, long rate) throws InterruptedException {
            return trials.send(size, rate);
        }

        @Override
        public Runnable begin(int size, long rate) {
            flood.begin(size, rate);
            return flood::rest;
        }
    }

    GuestSubject(QualificationPlan plan, NetDevice from, Host host, IpAddress guest, Adapter adapter) {
        this.plan = plan;
        this.from = from;
        this.host = host;
        this.guest = guest;
        this.adapter = adapter;
        trips = new RoundTrips(host, guest);
        sizes = FrameSizes.of(plan.sizes(), from.mtu(), from.name() + " has " + from.mtu());
        measures = new RatesAndTrips(sizes, new Towards(), () -> trips, plan.pings());
    }

    @Override
    public Engine engine() {
        return Engine.GUEST;
    }

    @Override
    public void describe(Map<String, String> facts) {
        facts.put("from", from.name());
        facts.put("to", "the guest of " + adapter.name());
        facts.put("mtu", String.valueOf(from.mtu()));
        measures.describe(facts);
    }

    @Override
    public Map<String, String> leftOut() {
        return sizes.leftOut();
    }

    /** Finds the guest first: without one there is no report. */
    @Override
    public void warmUp() throws InterruptedException {
        MacAddress there = resolve();
        PortStatus port = adapter.ports().stream().filter(one -> one.mac().equals(there)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.EINVAL, guest + " is not the guest's that has the adapter "
                        + adapter.name() + ": it is at " + there + ", and the adapter's ports have " + adapter.ports()
                        .stream().map(one -> one.mac().toString()).collect(Collectors.joining(", ")) + "."));
        try {
            trips.ask(Math.min(WARM_TRIPS, plan.pings()));
        } catch (Refusal silent) {
            throw new Refusal(Errno.EHOSTUNREACH, "The guest does not answer echo requests: " + silent.getMessage()
                    + " Its firewall or its own settings may keep it from that.", silent);
        }
        flood = GuestFlood.over(from, there);
        trials = new GuestTrials(flood, adapter, port.name(), plan.slice());
        WarmUp.run(sizes.fitting(), size -> trials.send(size, 0));
    }

    private MacAddress resolve() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Optional<MacAddress> place = ask();
            if (place.isPresent()) {
                return place.get();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new Refusal(Errno.EHOSTUNREACH, "No station on the link of " + from.name() + " answers for "
                        + guest + ": give the guest that address, and plug both into the same link.");
            }
            Thread.sleep(GLANCE);
        }
    }

    /** A guest that came up a moment ago is asked anew once the host has forgotten that it did not answer before. */
    private Optional<MacAddress> ask() {
        try {
            return host.resolve(guest);
        } catch (Refusal refused) {
            if (refused.errno() == Errno.EHOSTUNREACH) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    @Override
    public void round(Steps steps) throws InterruptedException {
        measures.rates(steps);
        measures.trips(steps);
        if (!plan.servicing().isEmpty()) {
            steps.take("servicing-gap", () -> List.of(new Value("servicing-gap", 0, Unit.SECONDS,
                    GuestGap.measure(host, guest, adapter))));
        }
    }

    @Override
    public void close() {
        if (flood != null) {
            flood.close();
        }
    }
}

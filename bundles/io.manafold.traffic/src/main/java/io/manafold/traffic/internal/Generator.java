package io.manafold.traffic.internal;

import io.manafold.api.fabric.Link;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All traffic. What changes something happens on one control thread; the packets are made and looked at on the threads
 * of the devices.
 */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.net.NetDevice)")
@Component
public final class Generator implements Traffic {
    private static final Logger LOG = LoggerFactory.getLogger(Generator.class);
    private static final int MOST_RUNNING = 16;
    private static final int REMEMBERED = 16;

    private final Control control = new Control("manafold-traffic", this::look);
    private final Map<String, NetDevice> devices = new TreeMap<>();
    private final Map<String, Station> stations = new TreeMap<>();
    private final List<Run> running = new ArrayList<>();
    private final CopyOnWriteArrayList<TrafficRun> known = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Link> links = new CopyOnWriteArrayList<>();
    private final Duration lossesTold;
    private int last;

    @Activate
    public Generator() {
        // the counters of a device's host are asked for every two seconds
        this(Duration.ofSeconds(3));
    }

    /** @param lossesTold until when after the last packet the counters tell what was lost */
    Generator(Duration lossesTold) {
        this.lossesTold = lossesTold;
    }

    @Deactivate
    void stop() {
        control.close(() -> {
            for (Run run : List.copyOf(running)) {
                run.quiet();
                finish(run);
            }
        });
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void add(NetDevice device) {
        control.execute(() -> arrived(device));
    }

    void remove(NetDevice device) {
        // its driver must find that the generator is not at the device any more
        control.run(() -> left(device));
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addLink(Link link) {
        links.add(link);
    }

    void removeLink(Link link) {
        links.remove(link);
    }

    @Override
    public TrafficRun start(TrafficPlan plan) {
        return control.call(() -> begin(plan));
    }

    @Override
    public List<TrafficRun> runs() {
        return List.copyOf(known);
    }

    // ---- on the control thread

    private void arrived(NetDevice device) {
        devices.put(device.name(), device);
        Station station = stations.get(device.name());
        if (station == null || station.isPresent(device)) {
            return;
        }
        try {
            station.detach();
            station.attach(device);
            for (Run run : station.runs()) {
                run.returned();
            }
            addresses();
        } catch (Refusal refused) {
            LOG.warn("Traffic at {} does not go on: {}", device.name(), refused.getMessage());
        }
    }

    private void left(NetDevice device) {
        devices.remove(device.name(), device);
        Station station = stations.get(device.name());
        if (station != null && station.isPresent(device)) {
            station.detach();
        }
    }

    /** Where packets go to is known anew whenever a device comes. */
    private void addresses() {
        for (Run run : running) {
            NetDevice from = devices.get(run.plan().from());
            NetDevice to = devices.get(run.plan().to());
            if (from != null && to != null) {
                run.sending().address(new TestHeaders(run.plan().form(), from, to), to.mac().value());
            }
        }
    }

    private Run begin(TrafficPlan plan) {
        check(plan);
        Losses losses = new Losses(plan.from(), plan.to(), devices::get, links);
        Run run = new Run(last + 1, plan, losses, lossesTold, control::lookSoon);
        running.add(run);
        try {
            addresses();
            station(plan.to()).add(run, false);
            run.sending().begin();
            station(plan.from()).add(run, true);
        } catch (RuntimeException refused) {
            running.remove(run);
            leave(run);
            throw refused;
        }
        last++;
        if (known.size() >= MOST_RUNNING + REMEMBERED) {
            known.stream().filter(one -> !one.isRunning()).findFirst().ifPresent(known::remove);
        }
        known.add(run);
        control.lookOften(true);
        return run;
    }

    private void check(TrafficPlan plan) {
        NetDevice from = device(plan.from());
        device(plan.to());
        PlanRules.check(plan, from);
        if (running.size() >= MOST_RUNNING) {
            throw new Refusal(Errno.ENOSPC, MOST_RUNNING + " pieces of traffic are running already; stop one.");
        }
    }

    private NetDevice device(String name) {
        NetDevice device = devices.get(name);
        if (device == null) {
            throw new Refusal(Errno.ENODEV, "There is no network device " + name + "; there is "
                    + (devices.isEmpty() ? "none" : String.join(", ", devices.keySet())) + ".");
        }
        if (!device.claimant().isEmpty()) {
            throw new Refusal(Errno.EBUSY, "Traffic cannot go over " + name + ": " + device.claimant()
                    + " has its port. End what polls it, and set the device up.");
        }
        return device;
    }

    private Station station(String name) {
        Station station = stations.get(name);
        if (station == null) {
            station = new Station(name);
            station.attach(device(name));
            stations.put(name, station);
        }
        return station;
    }

    /** Looks which runs have come to their end. */
    private void look() {
        for (Run run : List.copyOf(running)) {
            if (run.wantsQuiet()) {
                // what the sending device's thread is at counts still
                stations.get(run.plan().from()).afterwards(run::quiet);
            }
            if (run.isCancelled() || run.isExplained() && run.isSettled()) {
                finish(run);
            }
        }
        control.lookOften(!running.isEmpty());
    }

    private void finish(Run run) {
        running.remove(run);
        leave(run);
        run.finish();
    }

    private void leave(Run run) {
        for (Station station : List.copyOf(stations.values())) {
            station.remove(run);
            if (!station.isNeeded()) {
                stations.remove(station.device());
                station.detach();
            }
        }
    }
}

package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Takes a function away and puts it back again and again, and sees what each time costs. */
final class Storm {
    /** When a function is taken away. */
    enum Moment {
        ANY, RESET, PROBE, POSTED, ARMED
    }

    /**
     * What an administrator wants.
     *
     * @param every nanoseconds from one time to the next
     * @param jitter by how much of that a time may come earlier or later, from 0 to 1
     * @param away for how long the function is gone
     * @param renumbered whether it comes back with another serial number each time
     * @param comesBack whether it is put back the last time
     */
    record Plan(int cycles, long every, double jitter, long away, long seed, Moment moment, boolean renumbered,
            boolean comesBack) {
    }

    /**
     * What one time came to.
     *
     * @param left nanoseconds until all who had the function had let it go
     * @param back nanoseconds from putting it back until its network devices had their carriers
     * @param gap nanoseconds in which no frame came to the adapter's places at most, 0 where none were sent there
     * @param lost frames by where they were lost
     */
    record Cycle(int number, long left, long back, long gap, Map<String, Long> lost) {
        long frames() {
            return lost.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static final Duration DRIVER_LIMIT = Duration.ofSeconds(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** What an adapter counts and does not hold. */
    private static final Set<String> EVENTS = Set.of("channel_requests", "rejections");
    private static final List<String> LOSSES = List.of("rx_missed", "tx_dropped");

    private final Topology topology;
    private final Adapter adapter;
    private final Plan plan;
    private final Random random;
    private final List<Cycle> cycles = new ArrayList<>();
    /** What the adapter holds for a driver that has come up and is left alone. */
    private final Map<String, Long> held;
    private final List<Integer> ports;
    private int threadsBefore;

    Storm(Topology topology, Adapter adapter, Plan plan) {
        this.topology = topology;
        this.adapter = adapter;
        this.plan = plan;
        random = new Random(plan.seed());
        held = Map.copyOf(adapter.usage());
        ports = below().stream().map(NetDevice::port).toList();
    }

    List<Cycle> cycles() {
        return cycles;
    }

    /** The network devices that come and go with the function. */
    private List<NetDevice> below() {
        return topology.devicesOf(adapter);
    }

    /** @param seen is told of each time when it is over */
    void run(Consumer<Cycle> seen) throws InterruptedException {
        threadsBefore = threads();
        try (StormGap gap = new StormGap(this::arrived)) {
            gap.start();
            run(seen, gap);
        }
    }

    private void run(Consumer<Cycle> seen, StormGap gap) throws InterruptedException {
        for (int number = 1; number <= plan.cycles(); number++) {
            long begin = System.nanoTime();
            gap.begin(begin);
            Cycle cycle = cycle(number, gap);
            cycles.add(cycle);
            seen.accept(cycle);
            long rest = Math.round(plan.every() * (1 + plan.jitter() * (2 * random.nextDouble() - 1)))
                    - (System.nanoTime() - begin);
            if (number < plan.cycles() && rest > 0) {
                TimeUnit.NANOSECONDS.sleep(rest);
            }
        }
    }

    private Cycle cycle(int number, StormGap gap) throws InterruptedException {
        Map<String, Long> before = losses();
        boolean last = number == plan.cycles() && !plan.comesBack();
        long begin = System.nanoTime();
        if (plan.moment() == Moment.RESET) {
            adapter.requestReset(Adapter.ResetKind.RESET);
        }
        adapter.revoke();
        long left = System.nanoTime() - begin;
        long back = 0;
        try {
            try {
                TimeUnit.NANOSECONDS.sleep(plan.away());
            } finally {
                if (!last) {
                    back = comeBack(number);
                }
            }
            if (!last && plan.renumbered()) {
                TimeUnit.NANOSECONDS.sleep(plan.away());
            }
        } finally {
            // a synthetic device that is not told the new number does not go above the function any more
            if (!last && plan.renumbered()) {
                adapter.announce();
            }
        }
        long silent = gap.end();
        Map<String, Long> lost = new TreeMap<>();
        losses().forEach((where, frames) -> {
            long more = frames - before.getOrDefault(where, 0L);
            if (more > 0) {
                lost.put(where, more);
            }
        });
        return new Cycle(number, left, back, silent, lost);
    }

    /** How long it took, in nanoseconds. */
    private long comeBack(int number) throws InterruptedException {
        long begin = System.nanoTime();
        restore();
        if (plan.moment() != Moment.ANY && plan.moment() != Moment.RESET) {
            awaitMoment(number);
            adapter.revoke();
            adapter.restore();
        }
        awaitDevices(number);
        return System.nanoTime() - begin;
    }

    private void restore() {
        if (plan.renumbered()) {
            adapter.restore(SerialNumbers.next(adapter));
        } else {
            adapter.restore();
        }
    }

    /** Until its driver has come to where it is taken away once more. */
    private void awaitMoment(int number) throws InterruptedException {
        Adapter.Milestone milestone = switch (plan.moment()) {
            case POSTED -> Adapter.Milestone.RECEIVES_POSTED;
            case ARMED -> Adapter.Milestone.COMPLETIONS_ARMED;
            default -> null;
        };
        if (milestone != null && !adapter.await(milestone, DRIVER_LIMIT)) {
            throw new Refusal(Errno.ETIMEDOUT, "In cycle " + number + " the driver of " + adapter.name() + " has not "
                    + (plan.moment() == Moment.POSTED ? "posted a receive buffer" : "armed a completion queue")
                    + " within " + DRIVER_LIMIT.toSeconds() + " s. A driver does when its network device is up, or its "
                    + "port is polled: look at 'ip -br link' and 'devices'.");
        }
    }

    private void awaitDevices(int number) throws InterruptedException {
        topology.awaitDriven(adapter.address());
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!ports.stream().allMatch(this::isThere)) {
            if (System.nanoTime() > end) {
                throw new Refusal(Errno.ETIMEDOUT, "In cycle " + number + " the network devices of " + adapter.name()
                        + " did not come back within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
                        + " s; see events.");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private boolean isThere(int port) {
        return below().stream().anyMatch(one -> one.port() == port && (one.hasCarrier() || !one.isUp()));
    }

    /** What does not go with the function: pairs above its ports, and the links that these are on. */
    private Map<String, Long> losses() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (NetDevice device : topology.devices) {
            if (Topology.isPair(device) && device.address().equals(adapter.address())) {
                Map<String, Long> totals = device.totals();
                LOSSES.forEach(name -> all.put(name + " of " + device.name(), totals.getOrDefault(name, 0L)));
            }
        }
        for (Link link : topology.links) {
            if (link.status().ports().stream().anyMatch(port -> port.name().startsWith(adapter.name() + "/"))) {
                all.put("undelivered by " + link.name(), link.status().counters().getOrDefault("undelivered", 0L));
            }
        }
        return all;
    }

    /** Frames that have come to the adapter's places, by either device of a pair. */
    private long arrived() {
        long frames = 0;
        for (Link link : topology.links) {
            for (LinkStatus.PortStatus port : link.status().ports()) {
                if (port.name().startsWith(adapter.name() + "/")) {
                    frames += port.rxFrames();
                }
            }
        }
        return frames;
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** What is there after it all: what the adapter holds, by name, and the threads of the platform. */
    Map<String, Long> home() {
        Map<String, Long> home = new TreeMap<>(adapter.usage());
        home.keySet().removeAll(EVENTS);
        home.put("threads", (long) threads());
        home.put("threads_before", (long) threadsBefore);
        return home;
    }

    /** What the adapter holds more than it did before, by name; empty if all is home. */
    Map<String, Long> leaks() throws InterruptedException {
        Map<String, Long> more = new TreeMap<>();
        if (!plan.comesBack()) {
            return more;
        }
        // a driver that has just come up may still be making what it had
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        do {
            more.clear();
            adapter.usage().forEach((what, count) -> {
                if (!EVENTS.contains(what) && count > held.getOrDefault(what, 0L)) {
                    more.put(what, count - held.getOrDefault(what, 0L));
                }
            });
            TimeUnit.MILLISECONDS.sleep(20);
        } while (!more.isEmpty() && System.nanoTime() < end);
        return more;
    }

    /** Of the times that were measured, the one that so many per cent do not exceed. */
    static long percentile(long[] times, double share) {
        if (times.length == 0) {
            return 0;
        }
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) Math.ceil(share * sorted.length) - 1)];
    }
}

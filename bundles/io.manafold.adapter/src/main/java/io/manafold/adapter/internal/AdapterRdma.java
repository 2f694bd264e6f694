package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.rdma.ClockReading;
import io.manafold.adapter.internal.rdma.Traced;
import io.manafold.api.adapter.Rdma;
import io.manafold.api.adapter.RdmaParameter;
import io.manafold.api.adapter.RdmaPort;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.roce.DcqcnParameter;
import io.manafold.roce.DcqcnSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An adapter's RDMA as its administrator sees it. */
final class AdapterRdma implements Rdma {
    private static final long MEGABIT = 1_000_000;

    private final AdapterFunction function;

    AdapterRdma(AdapterFunction function) {
        this.function = function;
    }

    private FunctionParts hardware() {
        return function.hardware();
    }

    private String name() {
        return hardware().settings().name();
    }

    @Override
    public String mode() {
        return hardware().settings().rdma().word();
    }

    // ---- what there is

    @Override
    public RdmaStatus status() {
        List<RdmaPort> ports = hardware().engines().stream()
                .map(engine -> new RdmaPort(engine.name(), engine.counters().all())).toList();
        List<RdmaStatus> found = new ArrayList<>();
        function.control().await(() -> {
            Session session = function.session();
            if (session != null && session.rdma() != null) {
                found.add(session.rdma().status(ports));
            }
        });
        RdmaStatus status = found.isEmpty() ? new RdmaStatus(false, false, ports, List.of(), List.of(), List.of())
                : found.getFirst();
        ports.forEach(port -> port.counters().put(RdmaCounter.CURRENT_RATE.label(), slowest(status, port.name())));
        return status;
    }

    /** Megabits a second that congestion leaves the slowest queue pair of a port, 0 if it limits none. */
    private static long slowest(RdmaStatus status, String port) {
        return status.queuePairs().stream().filter(pair -> pair.port().equals(port) && pair.congestion().limited())
                .mapToLong(pair -> pair.congestion().rate() / MEGABIT).min().orElse(0);
    }

    @Override
    public List<RdmaTrace> traces(int requests) {
        ClockReading moment = ClockReading.now();
        return traced().stream().map(one -> one.show(requests, moment))
                .sorted(Comparator.comparing(RdmaTrace::last, Comparator.nullsLast(Comparator.reverseOrder())))
                .toList();
    }

    @Override
    public RdmaTrace trace(int number, int requests) {
        Traced traced = traced().stream().filter(one -> one.pair().number() == number).findFirst()
                .orElseThrow(() -> missing(number));
        return traced.show(requests, ClockReading.now());
    }

    /** Those that there are come first, then those that have ended, the last one first. */
    private List<Traced> traced() {
        List<Traced> found = new ArrayList<>();
        function.control().await(() -> {
            Session session = function.session();
            if (session != null && session.rdma() != null) {
                found.addAll(session.rdma().traced());
            }
        });
        return found;
    }

    private Refusal missing(int number) {
        requireRdma("there are no queue pairs");
        if (status().queuePairs().stream().anyMatch(pair -> pair.number() == number)) {
            return new Refusal(Errno.EOPNOTSUPP, "Queue pair " + number + " of the adapter " + name()
                    + " is for management, and nothing is remembered of its datagrams. 'capture' records packets.");
        }
        return new Refusal(Errno.ENOENT, "The adapter " + name() + " has no queue pair " + number
                + ", and had none lately. 'adapter show " + name() + "' shows those there are.");
    }

    // ---- servicing

    @Override
    public void suspend() {
        tell(true);
    }

    @Override
    public void resume() {
        tell(false);
    }

    private void tell(boolean suspend) {
        String what = suspend ? "suspend" : "resume";
        requireRdma("its driver cannot be told to " + what + " it");
        if (!hardware().firmware().servicesRdma()) {
            throw new Refusal(Errno.EOPNOTSUPP, "The adapter " + name() + " cannot " + what
                    + " RDMA alone: its firmware " + hardware().firmware() + " is too old. Give it a newer one.");
        }
        function.control().await(() -> {
            Session session = function.session();
            if (session == null || !session.isRunning()) {
                throw new Refusal(Errno.ENODEV, "The adapter " + name() + " has no driver that could " + what
                        + " its RDMA. Wait until a driver has taken it.");
            }
            if (session.rdma().isSuspended() == suspend) {
                throw new Refusal(suspend ? Errno.EBUSY : Errno.EINVAL, "The driver of the adapter " + name()
                        + (suspend ? " has been told already to do without RDMA. Resume it first."
                                : " has not been told to do without RDMA. Suspend it first."));
            }
            EventQueue events = session.channel().events();
            if (!events.hasRoom() || !events.post(EventEntry.SOC_SERVICE,
                    EventEntry.service(suspend ? EventEntry.SERVICE_SUSPEND : EventEntry.SERVICE_RESUME, 0))) {
                throw new Refusal(Errno.EBUSY, "The adapter " + name()
                        + " has told its driver of events that it has not taken note of yet. Wait for the driver.");
            }
            session.rdma().suspended(suspend);
        });
    }

    // ---- congestion control

    @Override
    public List<RdmaParameter> parameters() {
        if (hardware().engines().isEmpty()) {
            return List.of();
        }
        DcqcnSettings now = hardware().engines().getFirst().dcqcn();
        return Arrays.stream(DcqcnParameter.values()).map(one -> new RdmaParameter(one.label(), now.get(one),
                one.usual(), one.least(), one.most(), one.unit(), one.meaning())).toList();
    }

    @Override
    public void set(Map<String, Integer> values) {
        requireRdma("its congestion control cannot be set");
        // one at a time, so that what is kept last is what is in force
        synchronized (this) {
            function.control().await(() -> function.congestion().inForce(
                    changed(hardware().engines().getFirst().dcqcn(), values)));
            function.congestion().keep(hardware().engines().getFirst().dcqcn());
        }
    }

    private DcqcnSettings changed(DcqcnSettings settings, Map<String, Integer> values) {
        DcqcnSettings changed = settings;
        for (Map.Entry<String, Integer> value : values.entrySet()) {
            DcqcnParameter parameter = DcqcnParameter.of(value.getKey());
            if (parameter == null) {
                throw new Refusal(Errno.EINVAL, "Congestion control of the adapter " + name() + " has no parameter '"
                        + value.getKey() + "'. Name one of " + Arrays.stream(DcqcnParameter.values())
                                .map(DcqcnParameter::label).collect(Collectors.joining(", ")) + ".");
            }
            changed = changed.with(parameter, value.getValue());
        }
        return changed;
    }

    private void requireRdma(String so) {
        if (hardware().engines().isEmpty()) {
            throw new Refusal(Errno.EOPNOTSUPP, "The adapter " + name() + " has no RDMA, so " + so
                    + ". Make it with 'rdma: first' or 'rdma: all'.");
        }
    }
}

package io.manafold.fabric.internal;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.packet.Capture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A link at work: what any thread may ask of it. */
final class FabricLink implements Link, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FabricLink.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LinkPlan plan;
    private final Jack[] jacks;
    private final Counters counters = new Counters();
    private final Core core;
    private final Agent agent;
    private final Forwarding forwarding;
    private final Conditions conditions;
    /** Where frames wait, or null. */
    private final OutputQueues queues;
    private final Captures captures;
    private final Lane lane = new Lane();
    /** The way to the host, or null. */
    private final HostEnd host;

    private FabricLink(LinkPlan plan, HostEnd host) {
        this.plan = plan;
        this.host = host;
        List<String> names = new ArrayList<>(plan.ports());
        if (plan.kind().isHost()) {
            names.add(plan.hostInterface());
        }
        jacks = new Jack[names.size()];
        Arrays.setAll(jacks, place -> new Jack(names.get(place), place));
        core = new Core(plan.name(), counters);
        queues = plan.queueing() == null ? null
                : new OutputQueues(jacks, plan.ports().size(), plan.queueing(), core, counters, System::nanoTime);
        Forwarding.Delivery delivery = queues == null ? core : queues;
        forwarding = plan.kind() == LinkPlan.Kind.SWITCH ? new Switching(jacks, delivery, counters, System::nanoTime)
                : new Cable(jacks[0], jacks[1], delivery, counters);
        Impairing impairing = new Impairing(jacks, forwarding, counters, System::nanoTime);
        PacketRules rules = new PacketRules(jacks, impairing, counters, System::nanoTime);
        captures = new Captures(plan.name(), names, counters);
        core.use(rules, impairing, captures, queues);
        conditions = new Conditions(plan.name(), jacks, impairing, rules, queues,
                (otherwise, command) -> onAgent(otherwise, true, command));
        agent = new Agent("manafold-link-" + plan.name(), core);
    }

    /**
     * Makes a link, at work at once.
     *
     * @throws Refusal if the host's interface is not to be had
     */
    static FabricLink open(LinkPlan plan) {
        HostEnd host = plan.kind().isHost() ? HostEnd.open(plan) : null;
        FabricLink link;
        try {
            link = new FabricLink(plan, host);
        } catch (RuntimeException | Error failed) {
            if (host != null) {
                host.close();
                host.leave();
                host.free();
            }
            throw failed;
        }
        try {
            link.agent.start();
            link.impair(plan.impairments());
            if (host != null) {
                host.start(link.connect(link.jacks[1], host, false));
            }
        } catch (RuntimeException | Error failed) {
            link.close();
            throw failed;
        }
        return link;
    }

    @Override
    public String name() {
        return plan.name();
    }

    /** Whose thread others may share. */
    Agent agent() {
        return agent;
    }

    @Override
    public Wire plug(Plug plug) {
        return connect(jack(plug.name()), plug, false);
    }

    @Override
    public CompanionWire plugBeside(String port, Plug companion) {
        return connect(jack(port), companion, true);
    }

    private Jack jack(String port) {
        for (int place = 0; place < plan.ports().size(); place++) {
            if (jacks[place].name.equals(port)) {
                return jacks[place];
            }
        }
        throw new Refusal(Errno.EINVAL, "Port " + port + " does not belong on link " + name() + ", which is meant for "
                + String.join(", ", plan.ports()) + "; add the port to the link's ports.");
    }

    private CompanionWire connect(Jack jack, Plug plug, boolean beside) {
        Connection connection = new Connection(jack, plug, beside, core, agent,
                plan.queueing() == null ? 0 : plan.queueing().rate());
        if (!connection.claim().compareAndSet(null, connection)) {
            throw new Refusal(Errno.EBUSY, (beside ? "A companion of port " : "Port ") + jack.name
                    + " is plugged into link " + name() + " already; unplug it first.");
        }
        CompletableFuture<Void> inPlace = new CompletableFuture<>();
        boolean taken = agent.execute(connection.lane, () -> {
            try {
                core.plug(connection);
            } finally {
                inPlace.complete(null);
            }
        });
        if (!taken) {
            connection.claim().set(null);
            throw new Refusal(Errno.ENODEV, "Link " + name() + " is going away; port " + jack.name
                    + " is not plugged in.");
        }
        if (!agent.isCurrent()) {
            // a link that is busy for longer takes the port when it comes to it
            inPlace.copy().completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS).join();
        }
        return connection;
    }

    @Override
    public LinkStatus status() {
        Map<String, Long> counted = new LinkedHashMap<>();
        counters.list(counted);
        if (forwarding instanceof Switching switching) {
            counted.put("moved", switching.moved());
            counted.put("unlearned", switching.unlearned());
        }
        if (host != null) {
            host.list(counted);
        }
        return new Snapshot(name(), plan.kind().word, Arrays.stream(jacks).map(Jack::status).toList(),
                conditions.impairments(), conditions.rules(), Optional.ofNullable(plan.queueing()),
                queues == null ? List.of() : queues.status(), counted, forwarding.stations(), problems());
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (Jack jack : jacks) {
            Stream.of(jack.failure, jack.companionFailure).filter(Objects::nonNull).forEach(problems::add);
        }
        Complaints.list(name(), counters, problems);
        for (CaptureStatus capture : captures.status()) {
            if (capture.problem() != null) {
                problems.add(capture.problem());
            }
        }
        if (host != null) {
            host.problems(problems);
        }
        return problems;
    }

    @Override
    public void impair(Impairments wanted) {
        conditions.impair(wanted);
    }

    @Override
    public void impair(PacketRule rule) {
        conditions.add(rule);
    }

    @Override
    public void clearRules() {
        conditions.clearRules();
    }

    @Override
    public CaptureStatus startCapture(Path file, int snap, long count) {
        Capture capture = captures.open(file, snap, count);
        try {
            showCaptures();
        } catch (Refusal ending) {
            captures.remove(file);
            capture.close();
            throw ending;
        }
        return capture.status();
    }

    @Override
    public CaptureStatus stopCapture(Path file) {
        Capture capture = captures.remove(file);
        try {
            showCaptures();
        } finally {
            capture.close();
        }
        return capture.status();
    }

    private void showCaptures() {
        // also late: the agent takes what there is when it comes to it
        onAgent("keeps its captures", false, captures::use);
    }

    @Override
    public List<CaptureStatus> captures() {
        return captures.status();
    }

    /**
     * Has something done by the agent and waits for it.
     *
     * @param withdrawn whether it is not done any more once the caller was told that it is not
     */
    private void onAgent(String otherwise, boolean withdrawn, Runnable command) {
        if (agent.isCurrent()) {
            command.run();
            return;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        AtomicBoolean decided = new AtomicBoolean();
        boolean taken = agent.execute(lane, () -> {
            if (decided.compareAndSet(false, true)) {
                try {
                    command.run();
                    done.complete(null);
                } catch (RuntimeException | Error failed) {
                    done.completeExceptionally(failed);
                    throw failed;
                }
            }
        });
        if (!taken) {
            throw new Refusal(Errno.ENODEV, "Link " + name() + " is going away and " + otherwise + ".");
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException late) {
                    // what the agent has begun by now is done in a moment
                    if (!withdrawn || decided.compareAndSet(false, true)) {
                        throw new Refusal(Errno.ETIMEDOUT, "Link " + name() + " " + otherwise
                                + ": its agent has been busy for " + PATIENCE.toSeconds() + " s with "
                                + core.busyWith() + ".", late);
                    }
                }
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("Link " + name() + " " + otherwise + ".", failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Unplugs all that is left and gives everything back. */
    @Override
    public void close() {
        if (host != null) {
            host.close();
        }
        agent.end(() -> core.unplugAll(jacks));
        boolean ended = !agent.isCurrent() && agent.join(PATIENCE);
        captures.close();
        if (host != null) {
            host.leave();
        }
        if (ended) {
            core.ended();
            free();
        } else {
            // its memory is left to it: a thread that comes back must not find it gone
            LOG.error("link {}: its agent did not end within {} s; it is busy with {}", name(), PATIENCE.toSeconds(),
                    core.busyWith());
        }
    }

    private void free() {
        conditions.close();
        if (host != null) {
            host.free();
        }
    }
}

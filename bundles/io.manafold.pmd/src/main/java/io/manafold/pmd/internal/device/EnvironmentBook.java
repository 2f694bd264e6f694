package io.manafold.pmd.internal.device;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPools;
import io.manafold.pmd.internal.process.PrimaryLock;
import io.manafold.pmd.internal.queue.WarmUp;
import io.manafold.pmd.internal.words.DeviceArgument;
import io.manafold.pmd.internal.words.EalHelp;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.EalWords;
import io.manafold.pmd.internal.words.SyntheticArgument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the environments that run, and looks for their ports as devices come and go.
 *
 * <p>Its lock has ports found for one environment at a time: it is held while devices are looked at, which asks them
 * nothing, and while ports over pairs are taken. It guards whether environments start at all, too.
 */
@Component(service = Environments.class, immediate = true, configurationPid = "io.manafold.pmd")
@Designate(ocd = EnvironmentBook.Config.class)
public final class EnvironmentBook implements Environments {
    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentBook.class);

    private static final String RAW = "(name=manae_*)";
    /** Network devices of ports; the one above a pair is none of them. */
    private static final String OF_PORTS = "(!(driver=hv_netvsc))";

    private final Directory directory = new Directory();
    private final List<PmdEnvironment> running = new CopyOnWriteArrayList<>();
    private final RoleChoice roles = new RoleChoice(this, running);
    private final PendingDevices arriving;
    private final BundleContext context;
    private final Duration patience;
    private final WarmUp warmUp;
    private final PacketPools pools;
    private final MemorySource memory;
    private final ThreadFactory threads;
    /** What waits until a device has gone. */
    private final List<Waiting> waiting = new CopyOnWriteArrayList<>();
    private final List<SecondaryEnvironment> secondaries = new CopyOnWriteArrayList<>();
    /** What is looked for at the moment, without this object's lock while devices are asked. */
    private final List<Probing> probings = new CopyOnWriteArrayList<>();

    private boolean ended;

    private record Waiting(RdmaDevice device, Runnable then) {
    }

    /** How patient environments are. */
    @ObjectClassDefinition(name = "Manafold poll-mode driver")
    public @interface Config {
        @AttributeDefinition(description = "How long a port waits for its device to come back from a reset, in "
                + "milliseconds.")
        long recovery_limit() default 15_000;
    }

    @Activate
    public EnvironmentBook(BundleContext context, Config config, @Reference PacketPools pools,
            @Reference MemorySource memory) {
        this(context, config, pools, memory, Thread.ofPlatform().daemon().factory());
    }

    /** @param threads makes those that look for ports of a device that has come */
    EnvironmentBook(BundleContext context, Config config, PacketPools pools, MemorySource memory,
            ThreadFactory threads) {
        this.threads = threads;
        this.context = context;
        this.pools = pools;
        this.memory = memory;
        arriving = new PendingDevices(context, directory);
        warmUp = new WarmUp(memory);
        patience = Duration.ofMillis(config.recovery_limit());
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC, target = OF_PORTS)
    void addNetwork(NetDevice device) {
        directory.add(device);
        arriving.here(device);
        probeAgain(device.address().toString());
    }

    void removeNetwork(NetDevice device) {
        directory.remove(device);
        running.forEach(environment -> environment.departures().lose(device.address().toString(), device.port()));
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC, target = RAW)
    void addRdma(RdmaDevice device, Map<String, Object> properties) {
        String address = String.valueOf(properties.get("address"));
        directory.add(device, address, String.valueOf(properties.get("name")));
        arriving.here(device);
        probeAgain(address);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addSynthetic(SyntheticDevice device) {
        directory.add(device);
        probeAgain(device);
    }

    void removeSynthetic(SyntheticDevice device) {
        directory.remove(device);
        running.forEach(environment -> environment.departures().lose(device));
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addHost(TurnHost host, Map<String, Object> properties) {
        directory.add(host, String.valueOf(properties.get("address")), (Integer) properties.get("port"));
    }

    void removeHost(TurnHost host) {
        directory.remove(host);
        running.forEach(environment -> environment.lose(host));
    }

    /** Something of a function has come: perhaps ports that were removed are back. */
    private void probeAgain(String address) {
        RdmaDevice device = directory.rdma().get(address);
        if (device == null) {
            return;
        }
        for (PmdEnvironment environment : running) {
            Probing probing = look(environment.options(), name -> !environment.list().misses(name) || isTaken(name),
                    looking -> {
                        looking.one(address, device);
                        environment.attached(address).forEach(argument -> looking.one(argument, device));
                    });
            boolean begun = false;
            try {
                if (probing.hasFound()) {
                    // who brings the device does not wait for what it is asked
                    Thread looking = threads.newThread(() -> takeBack(environment, probing, address, device));
                    looking.setName("pmd-probe-" + address);
                    looking.start();
                    begun = true;
                }
            } finally {
                if (!begun) {
                    over(probing);
                }
            }
        }
    }

    private void takeBack(PmdEnvironment environment, Probing probing, String address, RdmaDevice device) {
        try {
            probing.open(environment.journal());
            environment.complain(probing.leftOut());
            // what it has already, or never wanted, was told of at its start
            environment.newPorts().report(probing.seen().stream().filter(ProbedPort::isTaken).toList());
            environment.newPorts().take(probing);
        } catch (RuntimeException wrong) {
            LOG.warn("Ports of {} do not come back to {}", address, environment.prefix(), wrong);
        } finally {
            over(probing);
        }
        if (directory.rdma().get(address) != device) {
            // another has come in its place, whose ports were this one's to look for
            probeAgain(address);
        }
    }

    /** Looks for ports, which no other environment finds until that has ended. */
    private synchronized Probing look(EalOptions options, Predicate<String> taken, Consumer<Probing> look) {
        Probing probing = new Probing(directory, options, taken);
        look.accept(probing);
        probings.add(probing);
        return probing;
    }

    private void over(Probing probing) {
        probing.close();
        probings.remove(probing);
    }

    /** A pair has come: perhaps one whose port was removed is back. */
    private synchronized void probeAgain(SyntheticDevice device) {
        for (PmdEnvironment environment : running) {
            if (environment.list().misses(device.instance())) {
                SyntheticProbing probing = new SyntheticProbing(directory, environment.options(), this::isTaken);
                probing.one(device);
                environment.newPorts().report(probing.seen().stream().filter(ProbedPort::isTaken).toList());
                environment.newPorts().take(probing);
            }
        }
    }

    /**
     * Has an environment take a port over a pair besides.
     *
     * @throws Refusal {@code ENODEV} if it cannot be had
     */
    synchronized List<EthDev> attach(PmdEnvironment environment, SyntheticArgument argument) {
        SyntheticProbing probing = new SyntheticProbing(directory, environment.options(), this::isTaken);
        directory.synthetic().stream().filter(device -> device.instance().equals(argument.instance()))
                .forEach(device -> probing.one(device, argument));
        probing.checkFound(argument);
        environment.newPorts().report(probing.seen());
        return environment.newPorts().take(probing);
    }

    /**
     * Has an environment take ports of a function besides.
     *
     * @throws Refusal {@code ENODEV} if it has none that can be had
     */
    List<EthDev> attach(PmdEnvironment environment, DeviceArgument argument) {
        if (!environment.options().hasFunctions()) {
            throw new Refusal(Errno.ENODEV, "The requested device " + argument.address() + " cannot be used: the "
                    + "environment was started with --no-pci, and probes no function; leave that out.");
        }
        RdmaDevice device = directory.rdma().get(argument.address().toString());
        Probing probing = look(environment.options(), this::isTaken, looking -> {
            if (device != null) {
                looking.one(argument, device);
            }
        });
        try {
            probing.open(environment.journal());
            probing.checkFound(argument);
            environment.complain(probing.leftOut());
            environment.newPorts().report(probing.seen());
            List<EthDev> taken = environment.newPorts().take(probing, true);
            environment.checkOpen();
            return taken;
        } finally {
            over(probing);
        }
    }

    private boolean isTaken(String name) {
        return running.stream().anyMatch(environment -> environment.list().has(name))
                || probings.stream().anyMatch(probing -> probing.claims(name));
    }

    void removeRdma(RdmaDevice device) {
        directory.remove(device);
        for (PmdEnvironment environment : running) {
            try {
                environment.departures().lose(device);
            } catch (RuntimeException wrong) {
                LOG.warn("A port of {} is not stopped cleanly", environment.prefix(), wrong);
            }
        }
        for (Waiting one : waiting) {
            if (one.device == device && waiting.remove(one)) {
                one.then.run();
            }
        }
    }

    /** Has something done when a device has gone. */
    void whenGone(RdmaDevice device, Runnable then) {
        Waiting one = new Waiting(device, then);
        waiting.add(one);
        if (device.departure() != null && waiting.remove(one)) {
            then.run();
        }
    }

    @Override
    public Environment start(List<String> words) {
        return roles.start(EalWords.parse(words, Runtime.getRuntime().availableProcessors()));
    }

    /** @param primary the one that runs here; {@code null} for one in another process */
    SecondaryEnvironment secondary(EalOptions options, PmdEnvironment primary) {
        // a primary in another process may be slow to answer, and nothing here waits for that
        SecondaryEnvironment made = primary != null ? SecondaryEnvironment.of(options, directory, primary.role(),
                secondaries::remove)
                : SecondaryEnvironment.of(options, directory, RoleChoice.socket(options), pools, secondaries::remove);
        boolean added = false;
        try {
            add(made);
            added = true;
        } finally {
            if (!added) {
                made.close();
            }
        }
        return made;
    }

    private synchronized void add(SecondaryEnvironment made) {
        checkHere();
        secondaries.add(made);
    }

    /** @param lock that it is the only one of its name, which it holds until it ends; {@code null} for none */
    Environment primary(EalOptions options, PrimaryLock lock) {
        Probing probing = look(options, this::isTaken, looking -> {
            takeArrived();
            looking.all();
        });
        try {
            return begin(options, probing.open(new Journal(options.levels())), lock);
        } finally {
            over(probing);
        }
    }

    /** @throws Refusal {@code ENODEV} if no environment starts any more */
    synchronized void checkHere() {
        if (ended) {
            throw new Refusal(Errno.ENODEV, "The poll-mode driver is going; try again when there is one.");
        }
    }

    /** What is registered is known, whether the component has been told of it or not. */
    private void takeArrived() {
        for (Object gone : arriving.take(RAW, OF_PORTS)) {
            if (gone instanceof RdmaDevice device) {
                removeRdma(device);
            } else {
                removeNetwork((NetDevice) gone);
            }
        }
    }

    private synchronized Environment begin(EalOptions options, Probing probing, PrimaryLock lock) {
        checkHere();
        probing.checkFound();
        SyntheticProbing overPairs = new SyntheticProbing(directory, options, this::isTaken);
        overPairs.all();
        if (overPairs.found().isEmpty()) {
            probing.checkLeft();
        }
        PmdEnvironment environment = new PmdEnvironment(context, options, this, directory, warmUp, patience);
        if (options.dryRun()) {
            // it looks at ports beside those that run, has none, and begins nothing
            environment.newPorts().report(probing.seen());
            environment.newPorts().report(overPairs.seen());
            return environment;
        }
        environment.role().hold(lock);
        running.add(environment);
        environment.complain(probing.leftOut());
        environment.complain(probing.unmet());
        environment.newPorts().report(probing.seen());
        environment.newPorts().take(probing);
        environment.newPorts().report(overPairs.seen());
        environment.newPorts().take(overPairs);
        environment.begin(pools, memory);
        return environment;
    }

    @Override
    public String usage() {
        return EalHelp.text();
    }

    @Override
    public List<Environment> running() {
        List<Environment> all = new ArrayList<>(running);
        all.addAll(secondaries);
        return all;
    }

    void forget(PmdEnvironment environment) {
        running.remove(environment);
    }

    /** Environments end with the bundle that has them. */
    @Deactivate
    void end() {
        synchronized (this) {
            ended = true;
        }
        secondaries.reversed().forEach(environment -> end(environment, environment::close));
        // applications that are told may ask something, and not wait for the thread that ends this
        running.reversed().forEach(environment -> end(environment, environment::endWithDriver));
    }

    private static void end(Environment environment, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException wrong) {
            LOG.warn("The environment {} does not end cleanly", environment.prefix(), wrong);
        }
    }
}

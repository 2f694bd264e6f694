package io.manafold.pmd.internal.device;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPools;
import io.manafold.pmd.internal.queue.WarmUp;
import io.manafold.pmd.internal.telemetry.Answers;
import io.manafold.pmd.internal.telemetry.RuntimeFolder;
import io.manafold.pmd.internal.telemetry.Telemetry;
import io.manafold.pmd.internal.words.DeviceArgument;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.LogLevels;
import io.manafold.pmd.internal.words.SyntheticArgument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An environment that runs, from its start to its end: its words, its ports and cores, and what it tells.
 *
 * <p>It has no lock of its own. What it has is set before it is known, or is fit for any thread; its ports are guarded
 * by the lock of their list, which says when no port comes any more, and its cores by theirs.
 */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.rdma.RdmaDevice)")
final class PmdEnvironment implements Environment {
    private static final Logger LOG = LoggerFactory.getLogger(PmdEnvironment.class);

    /** How long an application may take to hear that its ports have gone with their driver. */
    private static final Duration HEARING = Duration.ofSeconds(2);

    private final EalOptions options;
    private final EnvironmentBook book;
    private final WarmUp warmUp;
    private final LinkWatch links;
    private final Journal journal;
    private final EventLines events;
    private final List<String> notes;
    private final PortList ports;
    private final PairWatch pairs;
    private final PrimaryRole role;
    private final NewPorts newPorts;
    private final Departures departures;
    private final Set<DeviceArgument> attached = new CopyOnWriteArraySet<>();
    private final Cores cores;
    private volatile Telemetry telemetry;

    /**
     * @param warmUp what ports do before they go up, {@code null} for nothing
     * @param patience how long a port waits for its device to come back from a reset
     */
    PmdEnvironment(BundleContext context, EalOptions options, EnvironmentBook book, Directory directory, WarmUp warmUp,
            Duration patience) {
        this.options = options;
        this.book = book;
        this.warmUp = warmUp;
        links = new LinkWatch(this);
        cores = new Cores(options, directory);
        journal = new Journal(options.levels());
        events = new EventLines(options.prefix(), journal);
        notes = new CopyOnWriteArrayList<>(options.notes());
        ports = new PortList(context, options.prefix());
        pairs = new PairWatch(options.prefix(), ports::overPairs);
        role = new PrimaryRole(options, ports, events, journal);
        newPorts = new NewPorts(this, ports, pairs, directory, journal);
        departures = new Departures(this, ports, role, events, pairs, directory, patience);
    }

    @Override
    public void logLevel(String types, int level) {
        journal.level(types, level);
    }

    /** Of the levels that it has at the moment. */
    Journal journal() {
        return journal;
    }

    WarmUp warmUp() {
        return warmUp;
    }

    /** What it is for its secondaries. */
    PrimaryRole role() {
        return role;
    }

    /** How it comes to its ports. */
    NewPorts newPorts() {
        return newPorts;
    }

    /** How its ports go. */
    Departures departures() {
        return departures;
    }

    /** Its ports, by what they are looked for: a name, an address. */
    PortList list() {
        return ports;
    }

    /** From now on it looks after its links. */
    void begin(PacketPools pools, MemorySource memory) {
        links.start();
        role.begin(pools, memory);
        if (options.telemetry() && !options.alone()) {
            try {
                Path folder = RuntimeFolder.of(RuntimeFolder.root(), prefix());
                telemetry = new Telemetry(folder.resolve("dpdk_telemetry.v2"), prefix(), new Answers(this));
                notes.add("Telemetry is at " + telemetry.path() + ".");
            } catch (IOException | Refusal refused) {
                notes.add("There is no telemetry: " + refused.getMessage());
            }
        }
    }

    EalOptions options() {
        return options;
    }

    // ---- ports

    /** Tells of ports that it does not have, though they were named, or could be had but for their devices. */
    void complain(List<String> whys) {
        for (String why : whys) {
            journal.init(LogLevels.ERROR, why);
            if (!notes.contains(why)) {
                notes.add(why);
            }
        }
    }

    /** Something about a port over a pair, for the log. */
    void note(int level, PortSentences say, String rest) {
        journal.pairs(level, say.sentence(rest));
    }

    @Override
    public List<EthDev> attach(String device) {
        checkOpen();
        if (SyntheticArgument.isMeant(device)) {
            return book.attach(this, SyntheticArgument.parse("port attach", device));
        }
        DeviceArgument argument = DeviceArgument.attached(device);
        List<EthDev> taken = book.attach(this, argument);
        // what was named once is looked for again when its device comes back
        attached.add(argument);
        return taken;
    }

    void checkOpen() {
        if (ports.isEnded()) {
            throw new Refusal(Errno.ENODEV, "The environment " + prefix() + " has ended; start another one.");
        }
    }

    /** What was attached after the start, of a function. */
    List<DeviceArgument> attached(String address) {
        return attached.stream().filter(argument -> argument.address().toString().equals(address)).toList();
    }

    /** What a closed port could not give back is given back when its device has gone, if there is anyone to tell. */
    void whenGone(RdmaDevice device, Runnable then) {
        if (book != null) {
            book.whenGone(device, then);
        }
    }

    @Override
    public List<EthDev> ports() {
        return ports.all();
    }

    @Override
    public List<ProbedPort> probed() {
        return newPorts.probed();
    }

    // ---- words

    @Override
    public String prefix() {
        return options.prefix();
    }

    @Override
    public int consumed() {
        return options.consumed();
    }

    @Override
    public List<Integer> cores() {
        return List.copyOf(options.cores().keySet());
    }

    @Override
    public Set<Integer> processors(int core) {
        return cores.processors(core);
    }

    @Override
    public int mainCore() {
        return options.mainCore();
    }

    @Override
    public boolean checks() {
        return options.check();
    }

    @Override
    public List<String> notes() {
        return List.copyOf(notes);
    }

    // ---- cores

    @Override
    public CoreRun launch(int core, CoreWork work) {
        return cores.launch(core, work, ports.functions());
    }

    /** A turn host is going. */
    void lose(TurnHost host) {
        cores.lose(host);
    }

    // ---- events

    @Override
    public AutoCloseable listen(EthDevListener listener) {
        return events.listen(listener);
    }

    /** What happens to a port that is another's is that one's to see to, and not told to the application. */
    void tell(EthDevEvent event) {
        boolean isOthers = ports.functions().stream().anyMatch(port -> port.number() == event.port()
                && !port.owner().isEmpty());
        events.tell(event, !isOthers);
        pairs.wake();
    }

    /**
     * A queue of a port moves nothing any more: a port over a pair sees to its virtual function itself. This is said
     * within a burst, so no lock is taken here that is held while other bundles are called.
     */
    void failed(PollDevice port, EthDevEvent event) {
        PairedDevice above = ports.above(port.facts().mac());
        if (above == null) {
            events.tell(event, true);
        } else {
            above.life().failed(port, event.text());
            pairs.wake();
        }
    }

    // ---- the end

    /** Ends it with the driver: its application is told that its ports have gone. */
    void endWithDriver() {
        List<EthDev> all = ports().stream().filter(port -> port.owner().isEmpty()).toList();
        end(() -> {
            all.forEach(port -> events.tell(new PortSentences(port.number(), port.name()).event(
                    EthDevEvent.Kind.INTR_RMV, "has been removed with its driver."), true));
            events.finish(HEARING);
        });
    }

    @Override
    public void close() {
        end(events::close);
    }

    /** @param silence ends its events, when its ports are closed */
    private void end(Runnable silence) {
        if (!ports.end()) {
            return;
        }
        cores.end();
        links.close();
        pairs.close();
        role.close();
        if (telemetry != null) {
            telemetry.close();
        }
        List<RuntimeException> failures = new ArrayList<>();
        ports.overPairs().forEach(port -> close(port, failures));
        ports().forEach(port -> close(port, failures));
        silence.run();
        role.release();
        book.forget(this);
        if (!failures.isEmpty()) {
            // a refusal says one thing: the others stand in the log
            failures.stream().skip(1).forEach(other -> LOG.warn("{} is not ended cleanly", prefix(), other));
            throw failures.getFirst();
        }
    }

    /** A port that does not close keeps no other open. */
    private static void close(EthDev port, List<RuntimeException> failures) {
        try {
            port.close();
        } catch (RuntimeException wrong) {
            failures.add(wrong);
        }
    }
}

package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPools;
import io.manafold.pmd.internal.process.AttachedPort;
import io.manafold.pmd.internal.process.LocalPort;
import io.manafold.pmd.internal.process.PrimaryConnection;
import io.manafold.pmd.internal.process.SecondaryPort;
import io.manafold.pmd.internal.words.DeviceArgument;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.SyntheticArgument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** An environment whose ports are those of a primary, of this platform or another of the same user. */
final class SecondaryEnvironment implements Environment {
    private static final int CACHE = 256;
    /** More ports than a primary has. */
    private static final int MOST_EARLY = 1024;

    private final EalOptions options;
    private final Consumer<SecondaryEnvironment> ended;
    private final Cores cores;
    private final Journal journal;
    private final EventLines events;
    private final List<SecondaryPort> ports = new CopyOnWriteArrayList<>();
    /** All it ever had. */
    private final List<SecondaryPort> ever = new CopyOnWriteArrayList<>();
    private final PrimaryConnection connection;
    private final AutoCloseable listening;
    /** By their numbers, ports that it was told have gone, before it had taken any; {@code null} once it has. */
    private Map<Integer, EthDevEvent> early = new HashMap<>();
    /** Its primary has gone before it had taken ports. */
    private boolean isLost;
    private boolean closed;

    private SecondaryEnvironment(EalOptions options, Directory directory, Consumer<SecondaryEnvironment> ended,
            PrimaryRole primary, Path path, PacketPools pools) {
        this.options = options;
        this.ended = ended;
        cores = new Cores(options, directory);
        journal = new Journal(options.levels());
        events = new EventLines(options.prefix(), journal);
        listening = primary == null ? null : listen(primary);
        connection = primary != null ? null
                : new PrimaryConnection(path, pools, CACHE, options.check(), this::happened, this::lost);
        boolean begun = false;
        try {
            if (primary != null) {
                primary.ports().forEach(port -> take(new LocalPort(port, primary, "a secondary of this platform")));
            } else {
                connection.ports().forEach(this::take);
            }
            catchUp();
            begun = true;
        } finally {
            if (!begun) {
                // who called has none of it to close
                close();
            }
        }
    }

    private AutoCloseable listen(PrimaryRole primary) {
        AutoCloseable told = primary.listen(this::happened);
        Runnable closings = primary.onClose(port -> happened(new EthDevEvent(EthDevEvent.Kind.INTR_RMV,
                port.number(), "Port " + port.number() + " (" + port.name() + ") has been closed by its primary.")));
        return () -> {
            closings.run();
            told.close();
        };
    }

    /**
     * Of a primary of this platform.
     *
     * @throws Refusal {@code ENOMEM} if it has no port of a function that is named, as the real driver says
     */
    static SecondaryEnvironment of(EalOptions options, Directory directory, PrimaryRole primary,
            Consumer<SecondaryEnvironment> ended) {
        return checked(new SecondaryEnvironment(options, directory, ended, primary, null, null));
    }

    /**
     * Of a primary of another process.
     *
     * @throws Refusal {@code ENODEV} if there is none, {@code ENOMEM} if it has no port of a function that is named
     */
    static SecondaryEnvironment of(EalOptions options, Directory directory, Path path, PacketPools pools,
            Consumer<SecondaryEnvironment> ended) {
        return checked(new SecondaryEnvironment(options, directory, ended, null, path, pools));
    }

    private static SecondaryEnvironment checked(SecondaryEnvironment made) {
        for (DeviceArgument argument : made.options.allowed().values()) {
            if (made.ports.stream().noneMatch(port -> port.info().address().equals(argument.address().toString()))) {
                made.close();
                throw new Refusal(Errno.ENOMEM, "The requested device " + argument.address() + " cannot be used (-"
                        + Errno.ENOMEM.number() + "): the primary " + made.prefix() + " has no port of it that is "
                        + "named; a secondary names what its primary does.");
            }
        }
        return made;
    }

    private void take(SecondaryPort port) {
        if (SyntheticArgument.isMeant(port.info().address())) {
            // one over a pair is its primary's alone
            return;
        }
        DeviceArgument argument = options.argument(PciAddress.parse(port.info().address()));
        if (argument != null && (argument.macs().isEmpty() || argument.macs().contains(port.info().mac()))) {
            if (options.check()) {
                port.check();
            }
            ports.add(port);
            ever.add(port);
        }
    }

    @Override
    public void logLevel(String types, int level) {
        journal.level(types, level);
    }

    // ---- what happens

    /** It has taken ports: those of them that have gone meanwhile go now. */
    private void catchUp() {
        Map<Integer, EthDevEvent> before;
        boolean isOver;
        synchronized (this) {
            before = early;
            early = null;
            isOver = isLost;
        }
        before.values().forEach(this::happened);
        if (isOver) {
            lost();
        }
    }

    private synchronized void happened(EthDevEvent event) {
        if (early != null) {
            // of all that may happen to ports that no application has yet, this alone matters later
            if (event.kind() == EthDevEvent.Kind.INTR_RMV && early.size() < MOST_EARLY) {
                early.put(event.port(), event);
            }
            return;
        }
        SecondaryPort port = ports.stream().filter(one -> one.number() == event.port()).findFirst().orElse(null);
        if (port == null || event.kind() == EthDevEvent.Kind.NEW) {
            return;
        }
        if (event.kind() == EthDevEvent.Kind.INTR_RMV) {
            ports.remove(port);
            port.close();
        }
        events.tell(event, true);
    }

    /** The primary's process has gone: so have all ports, and packets are home. */
    private void lost() {
        synchronized (this) {
            isLost = true;
            if (early != null) {
                return;
            }
        }
        ever.forEach(SecondaryEnvironment::end);
        for (SecondaryPort port : ports) {
            happened(new EthDevEvent(EthDevEvent.Kind.INTR_RMV, port.number(), "Port " + port.number() + " ("
                    + port.name() + ") has gone with its primary, which has ended."));
        }
    }

    private static void end(SecondaryPort port) {
        if (port instanceof AttachedPort attached) {
            attached.end();
        } else {
            port.close();
        }
    }

    // ---- for its application

    @Override
    public boolean checks() {
        return options.check();
    }

    @Override
    public boolean isSecondary() {
        return true;
    }

    @Override
    public int pool() {
        return connection == null ? -1 : connection.pool().number();
    }

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
    public List<EthDev> ports() {
        return ports.stream().<EthDev>map(port -> port).sorted(Comparator.comparingInt(EthDev::number)).toList();
    }

    @Override
    public List<ProbedPort> probed() {
        return ever.stream().map(port -> new ProbedPort(port.info().address(), port.info().port(), port.info().mac(),
                port.info().device(), "primary " + prefix(), port.name(), "")).toList();
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(options.notes());
        notes.add("It is a secondary of " + prefix() + (connection == null ? " in this platform" : ", process "
                + connection.process()) + ": ports are the primary's, and queues that it offers are polled.");
        return notes;
    }

    @Override
    public CoreRun launch(int core, CoreWork work) {
        return cores.launch(core, work, List.of());
    }

    @Override
    public AutoCloseable listen(EthDevListener listener) {
        return events.listen(listener);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        cores.end();
        try {
            if (listening != null) {
                listening.close();
            }
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            if (connection != null) {
                connection.leave();
            }
            ever.forEach(SecondaryEnvironment::end);
            if (connection != null) {
                // a pool that knows who has its packets names those that are not back
                connection.close();
            }
            ports.clear();
            events.close();
            ended.accept(this);
        }
    }
}

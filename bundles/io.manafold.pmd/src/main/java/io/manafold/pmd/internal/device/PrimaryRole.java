package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import io.manafold.pmd.internal.process.PrimaryLock;
import io.manafold.pmd.internal.process.PrimaryProcess;
import io.manafold.pmd.internal.process.PrimarySocket;
import io.manafold.pmd.internal.telemetry.RuntimeFolder;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.LogLevels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * An environment as the primary of its name: it has the name, lends queues to secondaries of this platform and of other
 * processes, and tells them of ports that its application closes.
 *
 * <p>It takes no lock. Lock and socket are set once each, on the thread that starts the environment, and read by any.
 */
final class PrimaryRole implements PrimaryProcess, AutoCloseable {
    private final EalOptions options;
    private final PortList ports;
    private final EventLines events;
    private final Journal journal;
    private volatile PrimarySocket secondaries;
    /** That it is the only one of its name; {@code null} if it needs not be, or has no place to say so. */
    private volatile PrimaryLock lock;
    /** Secondaries of this platform, which are told of ports that its application closes. */
    private final List<Consumer<PollDevice>> neighbours = new CopyOnWriteArrayList<>();

    PrimaryRole(EalOptions options, PortList ports, EventLines events, Journal journal) {
        this.options = options;
        this.ports = ports;
        this.events = events;
        this.journal = journal;
    }

    /** Its name is others' again when it has ended. */
    void hold(PrimaryLock held) {
        lock = held;
    }

    /** Secondaries of other processes can come from now on. */
    void begin(PacketPools pools, MemorySource memory) {
        if (options.alone()) {
            return;
        }
        try {
            Path folder = RuntimeFolder.of(RuntimeFolder.root(), prefix());
            secondaries = new PrimarySocket(folder.resolve(PrimarySocket.NAME), this, pools, memory);
            if (lock == null && !options.dryRun()) {
                journal.init(LogLevels.NOTICE, "None is kept from being another primary called " + prefix()
                        + ": there was no place for the lock.");
            }
        } catch (IOException | Refusal refused) {
            // something else has the name of the socket; what is here works all the same
            journal.init(LogLevels.NOTICE, "No other process can attach to " + prefix() + (lock == null
                    ? ", nor is one kept from being another primary of that name: " : ": ") + refused.getMessage());
        }
    }

    /** Has a secondary of this platform told of ports that are closed. Returns what ends that. */
    Runnable onClose(Consumer<PollDevice> told) {
        neighbours.add(told);
        return () -> neighbours.remove(told);
    }

    /** The application has closed a port: secondaries of this platform lose it. */
    void closed(PollDevice port) {
        neighbours.forEach(told -> told.accept(port));
    }

    /** A port has gone without an event: secondaries of other processes lose it. */
    void gone(PollDevice port) {
        PrimarySocket others = secondaries;
        if (others != null) {
            others.gone(port.number(), port.name());
        }
    }

    @Override
    public String prefix() {
        return options.prefix();
    }

    @Override
    public List<EthDev> ports() {
        return ports.all();
    }

    @Override
    public Pair lend(int number, int queue, String who) {
        PollDevice lending = ports.functions().stream().filter(port -> port.number() == number).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "The environment " + prefix() + " has no port " + number
                        + " any more."));
        Pair pair = lending.lend(queue);
        journal.driver(LogLevels.INFO, "Queue " + queue + " of " + lending.name() + " is polled by " + who + ".");
        return pair;
    }

    @Override
    public AutoCloseable listen(EthDevListener listener) {
        return events.listen(listener);
    }

    @Override
    public int room() {
        return ports.functions().stream().mapToInt(port -> port.life().room()).filter(room -> room > 0).max()
                .orElse(PacketPlan.DEFAULT_ROOM);
    }

    /** Secondaries of other processes are left; it still has its name. */
    @Override
    public void close() {
        if (secondaries != null) {
            secondaries.close();
        }
    }

    /** Another may have its name. */
    void release() {
        if (lock != null) {
            lock.close();
        }
    }
}

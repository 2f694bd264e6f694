package io.manafold.pmd.internal.device;

import io.manafold.api.device.Removal;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.rdma.RdmaDevice;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How ports of an environment go: with their devices, to wait for them while they are reset, or because they are
 * closed. What has to do with a port hears of it in order: the port above it, secondaries, services, the application.
 *
 * <p>It has no state of its own and takes no lock: a port's life decides once whether it goes, however many threads
 * come to tell, and the list of ports guards itself.
 */
final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

    private final PmdEnvironment environment;
    private final PortList ports;
    private final PrimaryRole role;
    private final EventLines events;
    private final PairWatch pairs;
    private final Directory directory;
    private final Duration patience;

    /** @param patience how long a port waits for its device to come back from a reset */
    Departures(PmdEnvironment environment, PortList ports, PrimaryRole role, EventLines events, PairWatch pairs,
            Directory directory, Duration patience) {
        this.environment = environment;
        this.ports = ports;
        this.role = role;
        this.events = events;
        this.pairs = pairs;
        this.directory = directory;
        this.patience = patience;
    }

    // ---- with their devices

    /** A device has gone: its ports are removed, or wait if its function is reset. */
    void lose(RdmaDevice gone) {
        for (PollDevice port : ports.functions()) {
            if (!port.life().departs(gone)) {
                continue;
            }
            if (gone.departure() == Removal.DEVICE_GONE) {
                PairedDevice above = leave(port);
                environment.tell(port.say().event(EthDevEvent.Kind.ERR_RECOVERING,
                        "waits for its device, which is being reset; its bursts are empty meanwhile."));
                quietly(port, port.life()::suspend);
                left(above, port, false);
                Recovery.begin(environment, directory, port, patience);
            } else {
                remove(port);
            }
        }
    }

    /** The network device of a port has gone: a port that waits for its device waits no longer. */
    void lose(String address, int number) {
        for (PollDevice port : ports.functions()) {
            if (port.is(PortState.RECOVERING) && port.facts().address().equals(address) && port.facts()
                    .port() == number) {
                remove(port);
            }
        }
    }

    /** A pair is going: so does the port over it. */
    void lose(SyntheticDevice gone) {
        for (PairedDevice port : ports.overPairs()) {
            if (port.facts().device() != gone) {
                continue;
            }
            // a virtual function that does not stop as it should does not keep the port here either
            boolean[] isNew = {true};
            boolean isClean = quietly(port, () -> isNew[0] = port.life().end(PortState.REMOVED));
            if (!isNew[0]) {
                continue;
            }
            ports.miss(port.name());
            ports.remove(port);
            environment.tell(port.say().event(EthDevEvent.Kind.INTR_RMV, isClean
                    ? "has been removed; all of its packets are back in their pools."
                    : "has been removed, and its virtual function is not stopped cleanly: packets that this may still "
                    + "reach come home when it is reset or removed."));
        }
    }

    private void remove(PollDevice port) {
        PairedDevice above = leave(port);
        // one whose function does not stop as it should goes all the same
        boolean[] isNew = {true};
        boolean isClean = quietly(port, () -> isNew[0] = port.life().remove());
        if (!isNew[0]) {
            left(above, port, false);
            return;
        }
        directory.wake();
        ports.miss(port.name());
        forget(port, above != null);
        left(above, port, true);
        events.tell(port.say().event(EthDevEvent.Kind.INTR_RMV, isClean
                ? "has been removed; all of its packets are back in their pools."
                : "has been removed, and is not stopped cleanly: packets that its function may still reach come home "
                + "when that is reset or removed."), above == null);
    }

    // ---- because they are closed

    /** The application has closed a port. */
    void closed(PollDevice port) {
        forget(port, true);
        role.closed(port);
    }

    /** The application has closed a port over a pair. */
    void closed(PairedDevice port) {
        ports.remove(port);
    }

    /** A port over a pair gives up its virtual function, which does not come back from a reset. */
    void giveUp(PollDevice port) {
        PairedDevice above = leave(port);
        quietly(port, port.life()::close);
        // what it could not give back comes home when its device has gone
        RdmaDevice holder = port.life().holder();
        if (holder != null) {
            environment.whenGone(holder, port.life()::letGo);
        }
        ports.miss(port.name());
        forget(port, true);
        left(above, port, true);
    }

    // ---- who has to do with them

    /** Packets of the paired port above it take another way. */
    private PairedDevice leave(PollDevice port) {
        PairedDevice above = ports.above(port.facts().mac());
        if (above != null) {
            above.life().leave(port);
        }
        return above;
    }

    private void left(PairedDevice above, PollDevice port, boolean forGood) {
        if (above != null) {
            above.life().left(port, forGood);
            pairs.wake();
        }
    }

    /** @param isTold whether other processes are told that it has been closed, as no event says that it has gone */
    private void forget(PollDevice port, boolean isTold) {
        ports.remove(port, () -> {
            if (isTold) {
                role.gone(port);
            }
        });
    }

    /** Returns whether nothing went wrong. */
    private static boolean quietly(EthDev port, Runnable step) {
        try {
            step.run();
            return true;
        } catch (RuntimeException wrong) {
            LOG.warn("{} is not stopped cleanly", port.name(), wrong);
            return false;
        }
    }
}

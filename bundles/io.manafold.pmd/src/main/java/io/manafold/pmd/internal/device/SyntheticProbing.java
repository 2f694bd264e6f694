package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.SyntheticArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Looks for ports over pairs: synthetic devices that the network stack has left, and those that are named, which start
 * when it has.
 */
final class SyntheticProbing {
    private final Directory directory;
    private final EalOptions options;
    /** Whether an environment has a port of that name. */
    private final Predicate<String> taken;
    private final List<ProbedPort> seen = new ArrayList<>();
    private final List<PairedFacts> found = new ArrayList<>();

    SyntheticProbing(Directory directory, EalOptions options, Predicate<String> taken) {
        this.directory = directory;
        this.options = options;
        this.taken = taken;
    }

    /** @throws Refusal {@code ENODEV} if a device that was named cannot be had */
    void all() {
        directory.synthetic().forEach(this::one);
        options.synthetic().allowed().values().forEach(this::checkFound);
    }

    /** Looks at one device alone. */
    void one(SyntheticDevice device) {
        SyntheticArgument argument = options.synthetic().argument(device.instance());
        if (argument != null) {
            one(device, argument, options.synthetic().isNamed(device.instance()));
        }
    }

    /** Looks at one device alone, with an argument of its own. */
    void one(SyntheticDevice device, SyntheticArgument argument) {
        one(device, argument, true);
    }

    private void one(SyntheticDevice device, SyntheticArgument argument, boolean named) {
        boolean stack = device.device().isUp();
        boolean gone = taken.test(device.instance());
        String why = gone ? "The synthetic device of " + device.name() + " is in poll mode already."
                : stack && !named ? "The network stack has the synthetic device, by " + device.name() + ", which is "
                + "up: 'ip link set " + device.name() + " down' leaves it to poll mode." : "";
        String name = why.isEmpty() && !options.dryRun() ? device.instance() : "";
        seen.add(new ProbedPort(device.instance(), 1, device.mac(), device.name(), gone ? "another environment"
                : stack ? "network stack" : "", name, why));
        if (!name.isEmpty()) {
            found.add(new PairedFacts(device, argument));
        }
    }

    /** @throws Refusal {@code ENODEV} if a device that was named cannot be had */
    void checkFound(SyntheticArgument argument) {
        String instance = argument.instance();
        if (options.dryRun() || found.stream().anyMatch(one -> one.device().instance().equals(instance))) {
            return;
        }
        String why = seen.stream().filter(port -> port.address().equals(instance)).map(ProbedPort::why).findFirst()
                .orElse("There is no synthetic device of this UUID: --dry-run shows those there are.");
        throw new Refusal(Errno.ENODEV, "The requested device " + instance + " cannot be used. " + why);
    }

    List<ProbedPort> seen() {
        return seen;
    }

    List<PairedFacts> found() {
        return found;
    }
}

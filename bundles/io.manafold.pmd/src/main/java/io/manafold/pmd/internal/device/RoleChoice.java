package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.process.PrimaryConnection;
import io.manafold.pmd.internal.process.PrimaryLock;
import io.manafold.pmd.internal.process.PrimarySocket;
import io.manafold.pmd.internal.telemetry.RuntimeFolder;
import io.manafold.pmd.internal.words.EalOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Decides whether an environment that starts is the primary of its name or a secondary, so that a name has one primary
 * at a time, here and among processes.
 *
 * <p>Its lock has a name looked for and reserved at once. Nothing else is called meanwhile, so that a thread may come
 * with any other lock. A name is reserved until its environment is among those that run, or has failed to begin.
 */
final class RoleChoice {
    /** How long a primary may take from its lock to its socket, which a secondary of it waits for. */
    private static final Duration BEGINNING = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final EnvironmentBook book;
    /** Primaries of this platform, which the book keeps. */
    private final List<PmdEnvironment> running;
    /** Environments that are about to start and have a name. */
    private final List<EalOptions> starting = new CopyOnWriteArrayList<>();

    RoleChoice(EnvironmentBook book, List<PmdEnvironment> running) {
        this.book = book;
        this.running = running;
    }

    /**
     * Starts an environment in the role that its words want, or that is left to it.
     *
     * @throws Refusal {@code EBUSY} for another primary of a name, {@code ENODEV} for a secondary of none
     */
    Environment start(EalOptions options) {
        if (options.role() == EalOptions.Role.PRIMARY || options.alone()
                || options.dryRun() && options.role() == EalOptions.Role.EITHER) {
            return primary(options);
        }
        if (options.role() == EalOptions.Role.SECONDARY) {
            return book.secondary(options, find(options));
        }
        long giveUp = System.nanoTime() + BEGINNING.toNanos();
        while (true) {
            Environment made = either(options, giveUp);
            if (made != null) {
                return made;
            }
            pause(options);
        }
    }

    /** Between two looks at who has a name. */
    private static void pause(EalOptions options) {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "The start as one of those called " + options.prefix()
                    + " was interrupted; start again.");
        }
    }

    /**
     * A secondary if there is a primary, and a primary if there is none. Returns {@code null} if there is one that only
     * begins, or ends.
     */
    private Environment either(EalOptions options, long giveUp) {
        PmdEnvironment here = find(options);
        if (here != null || Files.exists(socket(options))) {
            try {
                return book.secondary(options, here);
            } catch (Refusal refused) {
                if (!PrimaryConnection.foundNone(refused)) {
                    throw refused;
                }
                // a primary that was killed has left its socket behind
            }
        }
        PrimaryLock lock;
        try {
            lock = own(options);
        } catch (Refusal busy) {
            if (busy.errno() != Errno.EBUSY) {
                throw busy;
            }
            if (System.nanoTime() - giveUp < 0) {
                return null;
            }
            throw new Refusal(Errno.ENODEV, "There is a primary called " + options.prefix() + " that lets none attach "
                    + "to it for " + BEGINNING.toSeconds() + " seconds, as one does that has no socket. "
                    + busy.getMessage(), busy);
        }
        return primary(options, lock);
    }

    /** The primary of that name that runs here; {@code null} if there is none. */
    private PmdEnvironment find(EalOptions options) {
        return running.stream().filter(one -> !one.options().alone() && one.prefix().equals(options.prefix()))
                .findFirst().orElse(null);
    }

    /** Where the primary of that name listens for secondaries of other processes. */
    static Path socket(EalOptions options) {
        return RuntimeFolder.root().resolve(options.prefix()).resolve(PrimarySocket.NAME);
    }

    private Environment primary(EalOptions options) {
        return primary(options, own(options));
    }

    private Environment primary(EalOptions options, PrimaryLock lock) {
        boolean begun = false;
        try {
            Environment made = book.primary(options, lock);
            begun = true;
            return made;
        } finally {
            if (lock != null && !begun) {
                lock.close();
            }
            starting.remove(options);
        }
    }

    /** Has a name, here and among processes, until {@link #primary(EalOptions, PrimaryLock)} is done with it. */
    private PrimaryLock own(EalOptions options) {
        book.checkHere();
        reserve(options);
        boolean begun = false;
        try {
            PrimaryLock lock = isNamed(options) ? lock(options.prefix()) : null;
            begun = true;
            return lock;
        } finally {
            if (!begun) {
                starting.remove(options);
            }
        }
    }

    /** Returns {@code null} where there is no place for a lock, as on a machine without anything to write to. */
    private static PrimaryLock lock(String prefix) {
        Path root = RuntimeFolder.root();
        try {
            RuntimeFolder.of(root, prefix);
        } catch (Refusal none) {
            // the environment tells of it, when it finds no place for its socket either
            return null;
        }
        return PrimaryLock.take(root, prefix);
    }

    /** Whether there can be no other of its name. */
    private static boolean isNamed(EalOptions options) {
        return !options.alone() && !options.dryRun();
    }

    /** No other environment of that name is started meanwhile. */
    private synchronized void reserve(EalOptions options) {
        boolean isNamed = isNamed(options);
        // in this order, as one runs before it starts no more
        if (isNamed && Stream.concat(starting.stream(), running.stream().map(PmdEnvironment::options))
                .anyMatch(other -> !other.alone() && other.prefix().equals(options.prefix()))) {
            throw new Refusal(Errno.EBUSY, "An environment that is called " + options.prefix()
                    + " runs already; be its secondary by --proc-type=secondary, or give this one another name by "
                    + "--file-prefix, or --in-memory.");
        }
        if (isNamed) {
            starting.add(options);
        }
    }
}

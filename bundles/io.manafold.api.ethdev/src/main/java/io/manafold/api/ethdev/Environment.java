package io.manafold.api.ethdev;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Cores and ports of one application. What it has ends with it: ports are stopped and closed, and its cores' threads
 * have returned when {@link #close} does.
 */
@ProviderType
public interface Environment extends AutoCloseable {
    /** That separates it from others: {@code rte} unless the words say otherwise. */
    String prefix();

    /** How many of the words it has taken, {@code --} included; those after them are the application's. */
    int consumed();

    /** The core numbers it has, rising. A number names a thread, not a processor of this machine. */
    List<Integer> cores();

    /** The processors that the thread of a core is bound to; empty if it may be on any. */
    default Set<Integer> processors(int core) {
        return Set.of();
    }

    /** The core that runs commands and forwards nothing. */
    int mainCore();

    /** Its ports in the order in which they were probed; a port that was removed is in it no more. */
    List<EthDev> ports();

    /**
     * Takes ports of a function that were left, or given back, as at the start; their numbers are the lowest that are
     * free.
     *
     * @param device as the words name it: {@code 7870:00:00.0,mac=00:0d:3a:00:00:01}
     * @return those that were taken, at least one
     * @throws Refusal {@code EINVAL} for a device that is none, {@code ENODEV} if it has no port that can be had,
     *         {@code EOPNOTSUPP} in a secondary
     */
    default List<EthDev> attach(String device) {
        throw new Refusal(Errno.EOPNOTSUPP, "The environment " + prefix() + " takes no ports after its start.");
    }

    /** What was looked at for ports, taken or not, in the order of probing. */
    List<ProbedPort> probed();

    /** What to tell people who have started it: one sentence each. */
    List<String> notes();

    /**
     * Whether mistakes with packets are looked for ({@code --check}): its application makes pools that are checked
     * then.
     */
    default boolean checks() {
        return false;
    }

    /** Whether its ports are those of a primary of the same prefix, in this process or another. */
    default boolean isSecondary() {
        return false;
    }

    /** Number of the pool that its ports have packets of, −1 if its application makes pools for them. */
    default int pool() {
        return -1;
    }

    /**
     * Has a core do work over and over until it is stopped. Its thread looks at nothing else meanwhile.
     *
     * @param core not the main one
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a core that it does not have, {@code EBUSY} for one
     *     that is at work
     */
    CoreRun launch(int core, CoreWork work);

    /**
     * Says which of its messages get to the platform's log from now on, as its words have said at the start.
     *
     * @param types a regular expression of characters, {@code . * ^ $} and {@code \} alone, for the types of messages
     *     in which it is found; or {@code global}, whose level holds for all of them besides their own
     * @param level from 1, the gravest messages alone, to 8, all
     * @throws Refusal {@code EINVAL} for another level, for what is no such expression, and if no type has it
     */
    default void logLevel(String types, int level) {
        throw new Refusal(Errno.EOPNOTSUPP, "The environment " + prefix() + " logs by no types.");
    }

    /** Tells of what happens to ports, on a thread of its own, one event after the other, until it is closed. */
    AutoCloseable listen(EthDevListener listener);

    /** Ends it. A second time does nothing. */
    @Override
    void close();
}

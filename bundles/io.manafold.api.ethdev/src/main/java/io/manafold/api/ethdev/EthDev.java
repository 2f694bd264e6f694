package io.manafold.api.ethdev;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A port in poll mode. Registered as a service while its environment lives, with the properties {@code name}
 * ({@code 7870:00:00.0_port2}), {@code address}, {@code port} (of the function, from 1) and {@code mac}.
 *
 * <p>The order is: configure, set up each queue, start, bursts, stop, and from there anew or close. Control calls come
 * from one thread at a time; a queue is polled by one thread at a time, and different queues by different threads.
 * Configuration stays over stop and start. While the device recovers from a reset, control calls but {@link #stop} and
 * {@link #close} are refused with {@code EBUSY}.
 *
 * <p>In a secondary environment a port is the primary's: what would change it is refused with {@code EOPNOTSUPP}, and a
 * queue that the primary offers is the secondary's from the moment it asks for it until it ends.
 *
 * <p>A packet is a number that names the pool it is of and its place there; see the pool for what is known of it.
 */
@ProviderType
public interface EthDev extends AutoCloseable {
    /** Its number in the environment, from 0. */
    int number();

    /** The name of the function and the port of it: {@code 7870:00:00.0_port2}. */
    String name();

    /** What it is, and how much of everything there may be. */
    EthDevInfo info();

    /**
     * Name of the port that has this one below it, as one over a pair has its virtual function; empty if the
     * application has it. What would change a port of another is refused with {@code EBUSY}.
     */
    default String owner() {
        return "";
    }

    /** What was configured, or {@code null}. */
    EthDevPlan plan();

    /**
     * Says how many queues there are and what is offloaded. What was set up before is forgotten.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} while it is started, {@code EINVAL} for what it cannot do
     */
    void configure(EthDevPlan plan);

    /**
     * Sets a queue for packets to send up.
     *
     * @param descriptors 0 for what the device prefers
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} while it is started, {@code EINVAL} for a queue that was
     *         not configured and for a number of descriptors that cannot be
     */
    void setUpSend(int queue, int descriptors);

    /**
     * Sets a queue for received packets up.
     *
     * @param descriptors 0 for what the device prefers
     * @param pool number of the pool that its packets come from
     * @throws io.manafold.api.refusal.Refusal as {@link #setUpSend}; {@code EINVAL} for a pool that is not there, and
     *         for one whose packets have too little room
     */
    void setUpReceive(int queue, int descriptors, int pool);

    /**
     * Makes the queues, and packets flow.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} while the network device of the port is up or others have
     *         the port, {@code EINVAL} if queues are not set up, {@code ENOMEM} if a pool has too few packets
     */
    void start();

    /** Ends that: when this returns, every packet that the queues had is back in its pool, and bursts move nothing. */
    void stop();

    boolean isStarted();

    /**
     * Has secondary environments poll the queues from this one on; this application polls none of them. It stays so
     * over configuring.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a number below 0, {@code EOPNOTSUPP} in a
     *     secondary
     */
    default void offerQueues(int first) {
        throw new Refusal(Errno.EOPNOTSUPP, "Queues of " + name() + " cannot be polled by others.");
    }

    /** The queue that receives, for the thread that polls it. Of a port that is not started, its bursts are empty. */
    ReceiveQueue receiveQueue(int queue);

    /** The queue that sends, for the thread that polls it. */
    SendQueue sendQueue(int queue);

    /** How the link is at the moment. */
    LinkState link();

    EthDevStatistics statistics();

    /** All that is counted, by names that poll-mode users know, in their order. */
    Map<String, Long> extendedStatistics();

    void resetStatistics();

    int mtu();

    /** @throws io.manafold.api.refusal.Refusal {@code EINVAL} out of range; else what the network device says */
    void mtu(int bytes);

    /** The queue of each bucket of the hash. */
    int[] redirection();

    /** @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a table of another length or a queue that is none */
    void redirection(int[] table);

    /** With the key that is in use, also where it is the device's own. */
    RssHash rss();

    /**
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a key of another length or fields that the device does
     * not know
     */
    void rss(RssHash hash);

    /** Promiscuous mode: {@code EOPNOTSUPP} where the device has none. */
    void promiscuous(boolean on);

    boolean isPromiscuous();

    /** Stops it and gives its port back. A second time does nothing. */
    @Override
    void close();
}

package io.manafold.api.rdma;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A queue pair. Lists of sends are posted by one thread at a time, and so are lists of receives; a second thread that
 * comes while another is at it is refused. With the framework's property {@code manafold.rdma.check=true} two threads
 * that take turns are refused too, by name; a queue is handed over from one thread to another for good.
 */
@ProviderType
public interface QueuePair extends AutoCloseable {
    /** By which peers and completions know it. */
    int number();

    QueuePairState state();

    /** What was set of it. */
    QueuePairAttributes attributes();

    /**
     * Changes its state, or other attributes.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a state that does not follow, for attributes that are
     *     missing or do not belong there, and for values out of range; {@code EHOSTUNREACH} if it is not known where
     *     the peer is
     */
    void modify(QueuePairAttributes change);

    /**
     * Posts what is left of a list, as far as there is room, with one doorbell. Nothing is allocated.
     *
     * @return how many were posted by this call; what is left is posted by the next one
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} in a state other than RTS, for a list that the queue can
     *     never hold, and for a request that cannot be, the one at {@link SendList#posted}, those before it being
     *     posted; {@code EOPNOTSUPP} for one that no device carries out; {@code EBUSY} if another thread posts;
     *     {@code ENODEV} when the device has gone
     */
    int post(SendList list);

    /** The same for receives, in all states but RESET and ERR. */
    int post(ReceiveList list);

    /**
     * What its driver lets its user have of it directly: ring, numbers and doorbell, so that requests are written and
     * completions read without the driver. From then on the queue is the caller's alone: posting here and polling its
     * completion queue are refused until it is closed.
     *
     * @param type of the driver, which says in its documentation what it lets have
     * @param withdrawn is called once if the device goes or the bundle gives it back, on a thread of its own; when that
     *     returns, the caller is in none of the queue's memory any more. Memory stays forever under a caller who does
     *     not return soon
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} for a type that the driver does not let have,
     *     {@code EBUSY} if the queue has been used or taken already
     */
    default <T> T direct(Class<T> type, Runnable withdrawn) {
        throw new Refusal(Errno.EOPNOTSUPP, "Queue pair " + number() + " lets no " + type.getSimpleName()
                + " have; queue pairs for raw packets do.");
    }

    /** Ends it. What was posted does not come back. */
    @Override
    void close();
}

package io.manafold.api.sockets;

import io.manafold.api.refusal.Refusal;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One end of a connection, with a send queue and a receive queue. The connection is a stream of bytes: where the peer's
 * sends ended is not seen. Each direction keeps the order of posting. What is posted begins with {@link Queues#submit}.
 * For the thread that serves its queues, unless a method says that it is for any.
 */
@ProviderType
public interface Endpoint extends AutoCloseable {
    /** For people, unlike all others: {@code nio-7}. Any thread may call. */
    String name();

    Queues queues();

    /** Any thread may call. */
    InetSocketAddress local();

    /** Any thread may call. */
    InetSocketAddress remote();

    /** How it is at the moment. Any thread may call. */
    EndpointState state();

    /** What the program left here, {@code null} at first. */
    Object attachment();

    /** Leaves something of the program's here, which is found again from a completion. */
    void attach(Object object);

    /**
     * Posts a send. It completes as {@link Completions#ACCEPTED} when the transport has taken all bytes and as
     * {@link Completions#FREE} when the memory may change, mostly in one completion. Nothing is allocated.
     *
     * @param key of a region with {@link Region#SEND}
     * @param offset from the beginning of the region
     * @param length at least 1
     * @throws Refusal {@code EFAULT} for a key that is unknown, closed or another bundle's, and for a range outside of
     *     it; {@code EACCES} without the right; {@code EINVAL} for no length; {@code ENOBUFS} if {@link #sendRoom} is
     *     0; {@code EPIPE} after {@link #finish}; {@code EBADF} when it is closed; {@code ECONNRESET} and others when
     *     the connection has broken
     */
    void send(int key, long offset, int length, long tag);

    /**
     * Posts one send of several pieces, which completes as one.
     *
     * @throws Refusal {@code EINVAL} for none or for more than {@link EndpointPlan#pieces}, and as
     *     {@link #send(int, long, int, long)}
     */
    void send(Pieces pieces, long tag);

    /** How many sends can be posted before one is refused with {@code ENOBUFS}. */
    int sendRoom();

    /**
     * Posts a receive into a range, which completes when at least one byte has come, or with length 0 and
     * {@link Completions#END}.
     *
     * @param key of a region with {@link Region#RECEIVE}
     * @throws Refusal as {@link #send(int, long, int, long)}; {@code EBUSY} while a pool is armed
     */
    void receive(int key, long offset, int length, long tag);

    /** How many receives can be posted before one is refused with {@code ENOBUFS}. */
    int receiveRoom();

    /**
     * Has all that comes from now on delivered into buffers of a pool, in completions with {@link Completions#MORE},
     * until the end of the stream, an error or {@link #cancelReceives}.
     *
     * @throws Refusal {@code EBUSY} while receives are posted or a pool is armed; {@code EINVAL} for a pool of other
     *     queues
     */
    void receive(ReceivePool pool, long tag);

    /**
     * Sends no more after what was posted: the peer sees the end of the stream, and can go on sending. A completion of
     * {@link Operation#FINISH} comes when all has left.
     *
     * @throws Refusal {@code EPIPE} the second time
     */
    void finish(long tag);

    /**
     * Takes back receives that were posted or armed and have not begun: each completes with {@code ECANCELED}. No byte
     * is lost: what came is there for the next receive. A read of the {@link #channel} goes on.
     *
     * @return how many were or are being taken back
     */
    int cancelReceives();

    /**
     * Takes back sends of which nothing has been taken by the transport: each completes with {@code ECANCELED}. A send
     * of which a part has left goes on, because the stream would have a hole, and so does a write of the
     * {@link #channel}.
     */
    int cancelSends();

    /** Breaks the connection: both ends see {@code ECONNRESET}, and what is on its way is lost. Closes. */
    void abort();

    /** Why it broke, a sentence; {@code null} while it did not. Any thread may call. */
    String failure();

    /** The last 256 transfers that are complete, oldest first. Any thread may call. */
    List<Transfer> explain();

    /**
     * The connection as a channel, the same one each time. It blocks, in virtual threads too, and takes turns with the
     * queues: what a pool has and has not lent, and what was received ahead, is read first; what was posted before is
     * sent first. For the thread that serves the queues, which then polls meanwhile, and for any other while that
     * thread polls.
     */
    ByteChannel channel();

    /**
     * Closes it: the peer sees the end of the stream after what the transport has taken; what it has not taken comes
     * back as {@code ECANCELED}. A completion of {@link Operation#CLOSE} is the last. Any thread may call. A second
     * time does nothing.
     */
    @Override
    void close();
}

package io.manafold.api.adapter;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** RDMA of an adapter as its administrator sees it. Any thread may call. */
@ProviderType
public interface Rdma {
    /** Which ports speak it: {@code off}, {@code first}, {@code all}. */
    String mode();

    /** What there is at the moment; without a driver only the ports and what they have counted. */
    RdmaStatus status();

    /**
     * The queue pairs with a reliable connection whose requests are remembered: those there are, and the last ones that
     * have ended; the one that has worked last is the first.
     *
     * @param requests how many of the last ones of each to show at most, those that have failed in addition; 0 for none
     */
    List<RdmaTrace> traces(int requests);

    /**
     * What has become of the last requests of a queue pair; if several had the number, of the one that has it now, or
     * had it last.
     *
     * @param requests how many of the last ones to show at most; those that have failed come in addition
     * @throws io.manafold.api.refusal.Refusal {@code ENOENT} if there is no such queue pair, {@code EOPNOTSUPP} if it
     *         is one of management, of which nothing is remembered
     */
    RdmaTrace trace(int number, int requests);

    /**
     * Tells the driver that RDMA is suspended, as the hardware does; its Ethernet goes on.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if the adapter has no RDMA or its firmware is too old,
     *         {@code ENODEV} if no driver is there to be told, {@code EBUSY} if it has been told, or has not taken note
     *         of many events before
     */
    void suspend();

    /**
     * Tells the driver that RDMA goes on; refused as {@link #suspend} is, and with {@code EINVAL} if it is not
     * suspended.
     */
    void resume();

    /** Congestion control: all parameters with the values of now. */
    List<RdmaParameter> parameters();

    /**
     * Sets parameters of congestion control, all or none, for all queue pairs of now and later.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if there is no such parameter, {@code ERANGE} if a value
     *         is out of bounds, {@code EOPNOTSUPP} if the adapter has no RDMA
     */
    void set(Map<String, Integer> values);
}

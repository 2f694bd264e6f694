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
     * Tells the driver that RDMA is suspended, as the hardware does; its Ethernet goes on.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if the adapter has no RDMA or its firmware is too old,
     *         {@code ENODEV} if no driver is there to be told, {@code EBUSY} if it has been told, or has not taken note
     *         of many events before
     */
    void suspend();

    /** Tells the driver that RDMA goes on; refused as {@link #suspend} is, and with {@code EINVAL} if it is not suspended. */
    void resume();

    /** Congestion control: all parameters with the values of now. */
    List<RdmaParameter> parameters();

    /**
     * Sets parameters of congestion control, all or none, for all queue pairs of now and later.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if there is no such parameter, {@code ERANGE} if a value is out of
     *         bounds, {@code EOPNOTSUPP} if the adapter has no RDMA
     */
    void set(Map<String, Integer> values);
}

package io.manafold.api.rdma;

import io.manafold.api.device.Offer;
import io.manafold.api.device.Removal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * An RDMA device. Registered as a service by its driver, with the properties {@code name} ({@code mana_0}, or
 * {@code manae_0} for raw packets), {@code address} (of the function) and {@code parent} (the auxiliary device). Each
 * bundle that gets the service has a context of its own, with a doorbell page of its own; what the bundle made and did
 * not close ends when it gives the service back. Any thread may call, data paths aside, which say who may.
 *
 * <p>When the device goes, work that was posted comes back as {@link CompletionStatus#FLUSHED}, and then all its
 * objects answer {@code ENODEV}. It comes back as a new service.
 */
@ProviderType
public interface RdmaDevice extends Offer {
    /** What the device is and how much of everything there may be. */
    DeviceAttributes attributes();

    /**
     * How a port is at the moment.
     *
     * @param number from 1
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if there is no such port
     */
    PortAttributes port(int number);

    /**
     * The addresses of a port, those of the host above its network device included: the place in the list is the index
     * that paths name. Each keeps its place while it is there; a place that is empty has {@link Gid#NONE}.
     */
    List<Gid> gids(int port);

    /** Makes a protection domain. */
    ProtectionDomain allocateDomain();

    /**
     * Makes a completion queue.
     *
     * @param entries that it holds at least; more may be outstanding in the queue pairs than it holds only at their
     *     risk
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a size that cannot be
     */
    CompletionQueue createCompletionQueue(int entries);

    /**
     * Tells of what happens to the objects of this context from now on, and of ports that go, come, or have other
     * addresses, if this is a device with connections.
     */
    AsyncEvents events();

    /**
     * Why the device has gone, for a program that had it open; {@code null} while it is there. One that has gone
     * because its function is reset comes back in a moment, and one whose driver leaves when there is another.
     */
    default Removal departure() {
        return null;
    }

    /** What of the device is in use by all contexts: {@code pd}, {@code mr}, {@code cq}, {@code qp} and how many. */
    SortedMap<String, Integer> resources();

    /** All that all contexts have made of it. */
    DeviceObjects objects();

    /**
     * What the device has counted since its driver has come, by names of the driver's, in their order. Empty if it
     * counts nothing.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if there is no such port, {@code ENODEV} when the device
     *     has gone
     */
    Map<String, Long> counters(int port);
}

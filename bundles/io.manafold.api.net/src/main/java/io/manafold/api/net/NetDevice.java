package io.manafold.api.net;

import io.manafold.api.device.Offer;
import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A network device, registered as a service by a driver. Any thread may call. What changes something blocks until it is
 * done, and throws a {@link Refusal} with everything as it was before if it cannot be; what was
 * set comes back with the device after a swap of its driver and after a restart of the platform.
 */
@ProviderType
public interface NetDevice extends Offer {
    /** The address it goes by. */
    MacAddress mac();

    /** The function it belongs to. */
    PciAddress address();

    /** The port of that function, from 1. */
    int port();

    /** Number of the device on this platform, from 2: 1 is no device's. */
    int index();

    /** What {@code ethtool -i} tells, by its labels. */
    Map<String, String> driverInfo();

    /** Whether the administrator wants it up. */
    boolean isUp();

    void setUp(boolean up);

    /** Whether it is up and its link is. */
    boolean hasCarrier();

    /** Whether its link is up, be the device up itself or down, so that a driver that has its port knows of it. */
    default boolean hasLink() {
        return hasCarrier();
    }

    /** Bits per second, 0 if unknown. */
    long speed();

    int mtu();

    int minMtu();

    int maxMtu();

    void setMtu(int mtu);

    Rings rings();

    /**
     * Sizes are raised to the next power of two; the answer tells what was taken, in sentences, empty if all is as
     * asked.
     */
    List<String> setRings(int receive, int transmit);

    int channels();

    int maxChannels();

    void setChannels(int count);

    Spreading spreading();

    /** Either may be {@code null}: it stays. */
    void setSpreading(byte[] key, int[] table);

    Coalescing coalescing();

    void setCoalescing(int frames);

    /**
     * How interrupts are held back; empty if the driver has nothing of the kind.
     *
     * @param receive whether the queues that receive are meant, and not those that send
     */
    default Optional<Moderation> moderation(boolean receive) {
        return Optional.empty();
    }

    /** Holds them back otherwise; refused with {@code EOPNOTSUPP} where the device cannot. */
    default void setModeration(Moderation receive, Moderation transmit) {
        throw new Refusal(Errno.EOPNOTSUPP, name() + " has no interrupts of its own to hold back.");
    }

    List<Feature> features();

    void setFeature(String name, boolean on);

    /** Flags of the driver's own. */
    Map<String, Boolean> privateFlags();

    void setPrivateFlag(String name, boolean on);

    ReceivePolicy policy();

    /** Bytes of a page that receive buffers are cut from. */
    int pageSize();

    void setPages(ReceivePolicy policy, int pageSize);

    /** When receive memory is made reachable; a device may have one way only. */
    default ReceiveMapping mapping() {
        return ReceiveMapping.ARENA;
    }

    /** All that can be said of pages, in one change. */
    default void setPages(ReceivePolicy policy, int pageSize, ReceiveMapping mapping) {
        if (mapping != mapping()) {
            throw new Refusal(Errno.EOPNOTSUPP, name() + " maps receive memory in one way only: " + mapping().word()
                    + ".");
        }
        setPages(policy, pageSize);
    }

    /** All pools, those included whose queues are gone and whose buffers are not. */
    List<PoolStatus> pools();

    /** The counters that {@code ethtool -S} shows, in its order. */
    List<Counter> statistics();

    /**
     * The driver that has the port's queues instead of this device, such as one in poll mode; empty if there is none.
     */
    default String claimant() {
        return "";
    }

    /** The name of the device that this one is a member of and whose addresses stand for it; empty if there is none. */
    default String master() {
        return "";
    }

    /**
     * The subject under which something about this device is kept, if that is not its port's. One that is above the
     * device of its port has settings of its own: what is set on either does not go to the other.
     *
     * @param about as the store of settings calls it: {@code port}, {@code inet}
     */
    default Optional<String> keptAs(String about) {
        return Optional.empty();
    }

    /**
     * What {@code ip -s link} shows: packets, bytes, errors, dropped, missed, multicast, each with {@code rx_} or
     * {@code tx_}; and what {@code ip -s -s link} shows beside them, as {@code rx_length_errors} and
     * {@code carrier_changes}. What a driver does not count is not there.
     */
    Map<String, Long> totals();

    /**
     * Has a hook decide on each packet that comes, instead of the one that its bundle had there. The hook goes when its
     * bundle stops, and it is not kept: who wants it on the device's next service, after a swap of the driver, sets it
     * there.
     *
     * @param hook {@code null} for none
     * @throws Refusal {@code EBUSY} if another bundle has a hook there, {@code EOPNOTSUPP} if frames of the device's
     *         MTU have no room for one
     */
    void setHook(ReceiveHook hook);

    /** The receive hook and what became of packets by it; empty if the device takes none. */
    default Optional<HookStatus> hook() {
        return Optional.empty();
    }

    /**
     * Makes a user the one above this device: it gets every packet that no other user has claimed.
     *
     * @throws Refusal {@code EBUSY} if there is one
     */
    PacketPort attach(PacketUser user);

    /**
     * Makes a user the one for packets of an EtherType, beside the one above this device, who does not see them. What
     * counts is the number in the packet's bytes 12 and 13.
     *
     * @param etherType from 0x0600 to 0xffff
     * @throws Refusal {@code EBUSY} if it is claimed already, {@code EINVAL} for a number that is no
     *         EtherType, {@code ENOSPC} after four claims
     */
    PacketPort attach(PacketUser user, int etherType);

    /** Its queues as the driver has them, first those that receive; none while it is down. */
    default List<QueueStatus> queues() {
        return List.of();
    }

    /** Whether the frames of all stations are wanted; a device may be given no more for it than without. */
    default boolean isPromiscuous() {
        return false;
    }

    /** Asks for the frames of all stations. The flag is what changes: adapters of this kind have no such message. */
    default void setPromiscuous(boolean on) {
        throw new Refusal(Errno.EOPNOTSUPP, name() + " has no mode in which it gets the frames of all stations.");
    }

    /** Whether the frames of all groups are wanted; a device may be given no more for it than without. */
    default boolean isAllMulticast() {
        return false;
    }

    /** Asks for the frames of all groups. The flag is what changes: adapters of this kind have no such message. */
    default void setAllMulticast(boolean on) {
        throw new Refusal(Errno.EOPNOTSUPP, name() + " has no mode in which it gets the frames of all groups.");
    }

    /**
     * How its port stands, by the names that the Linux driver has for it in debugfs; {@code current_speed} is what the
     * link does under a limit, in megabits per second. Empty if the driver has no such view.
     */
    default Map<String, Long> debugState() {
        return Map.of();
    }

    /** The limits of the bytes that its send queues have under way; none if the driver has no such limits. */
    default List<ByteQueueLimit> byteQueueLimits() {
        return List.of();
    }

    /** Between what the limit of a send queue moves, and how long it has to be too high before it falls. */
    default void setByteQueueLimit(int queue, int min, int max, int holdTime) {
        throw new Refusal(Errno.EOPNOTSUPP, name() + " does not limit the bytes that its queues have under way.");
    }

    /**
     * Makes a user the one for packets that a filter picks, beside the one above this device, who does not see them.
     * Filters and EtherTypes are asked the newest first. A filter costs the packets of all users a call while it is
     * there.
     *
     * @throws Refusal {@code EBUSY} if a user of that name has a filter already, {@code ENOSPC} after four claims
     */
    default PacketPort attach(PacketUser user, PacketFilter filter) {
        throw new Refusal(Errno.EOPNOTSUPP, name() + " hands packets over by EtherType only.");
    }

    /** Shows each packet that comes or goes to a watcher, without handing it over; at most four at a time. */
    AutoCloseable watch(PacketWatcher watcher);
}

package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.Moderation;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How a port shall be; never changed, only replaced.
 *
 * @param up whether an administrator wants it up
 * @param mtu bytes of a frame behind its Ethernet header
 * @param receiveEntries buffers of each receive ring
 * @param transmitEntries units of each send ring
 * @param channels pairs of queues
 * @param key for the receive hash
 * @param table queue of each bucket, or {@code null}: evenly
 * @param frames how many packets a receive completion may stand for
 * @param features the offloads that are on, by the names of {@code ethtool -k}
 * @param pages what receive buffers are made of
 * @param hook looks at each packet first, or {@code null}
 * @param flags private flags that are set
 * @param bounds of the bytes that send queues have under way, by queue, where they are not the usual ones
 * @param modes in which more frames are wanted than those that are for the port
 * @param moderation of interrupts
 */
public record PortConfig(boolean up, int mtu, int receiveEntries, int transmitEntries, int channels, byte[] key,
        int[] table, int frames, Set<String> features, Pages pages, ReceiveHook hook,
        Set<String> flags, Map<Integer, ByteBounds> bounds, Set<String> modes, Moderations moderation) {
    public static final String SCATTER_GATHER = "tx-scatter-gather";
    public static final String SEND_CHECKSUM_4 = "tx-checksum-ipv4";
    public static final String SEND_CHECKSUM_6 = "tx-checksum-ipv6";
    public static final String RECEIVE_CHECKSUM = "rx-checksumming";
    public static final String SEGMENTATION_4 = "tx-tcp-segmentation";
    public static final String SEGMENTATION_6 = "tx-tcp6-segmentation";
    public static final String RECEIVE_HASH = "receive-hashing";
    /** All that can be switched. */
    public static final Set<String> FEATURES = Set.of(SCATTER_GATHER, SEND_CHECKSUM_4, SEND_CHECKSUM_6,
            RECEIVE_CHECKSUM, SEGMENTATION_4, SEGMENTATION_6, RECEIVE_HASH);
    /** The private flag under which the device's thread never rests. */
    public static final String POLL = "poll";

    /** The mode in which a user wants the frames of all stations. */
    public static final String PROMISCUOUS = "promisc";
    /** The mode in which a user wants the frames of all groups. */
    public static final String ALL_MULTICAST = "allmulticast";

    public static final int HEADER = 14;

    /**
     * What receive buffers are made of.
     *
     * @param policy how they are cut
     * @param size bytes of a page
     * @param mapping when pages are made reachable
     */
    record Pages(ReceivePolicy policy, int size, ReceiveMapping mapping) {
    }

    /** How interrupts of each direction are held back. */
    public record Moderations(Moderation receive, Moderation transmit) {
        public static final Moderations OFF = new Moderations(Moderation.OFF, Moderation.OFF);
        public static final Moderations ADAPTIVE = new Moderations(Moderation.ADAPTIVE, Moderation.ADAPTIVE);
    }

    /** What a port is when neither plan nor administrator has said anything. */
    public static PortConfig usual(int channels, byte[] key) {
        return new PortConfig(true, 1500, 1024, 256, channels, key, null, 1, FEATURES, new Pages(ReceivePolicy.LEAN,
                4096, ReceiveMapping.ARENA), null, Set.of(), Map.of(), Set.of(), Moderations.OFF);
    }

    public boolean has(String feature) {
        return features.contains(feature);
    }

    /** Between what the limit of the bytes moves that a send queue has under way. */
    public ByteBounds bounds(int queue) {
        return bounds.getOrDefault(queue, ByteBounds.USUAL);
    }

    public boolean isPolling() {
        return flags.contains(POLL);
    }

    /** How receive buffers are really cut: a private flag may have a page for each. */
    public ReceivePolicy cut() {
        return flags.contains(PrivateFlags.FULL_PAGE) ? ReceivePolicy.PAGE : policy();
    }

    public ReceivePolicy policy() {
        return pages.policy;
    }

    public int page() {
        return pages.size;
    }

    public ReceiveMapping mapping() {
        return pages.mapping;
    }

    /** Whether the same queues can serve both. */
    public boolean hasShapeOf(PortConfig other) {
        return mtu == other.mtu && receiveEntries == other.receiveEntries && transmitEntries == other.transmitEntries
                && channels == other.channels && cut() == other.cut() && page() == other.page()
                && mapping() == other.mapping() && (hook == null) == (other.hook == null);
    }

    /** Whether packets are steered to queues in the same way. */
    public boolean steersAs(PortConfig other) {
        return frames == other.frames && Arrays.equals(key, other.key) && Arrays.equals(table, other.table);
    }

    /** Bytes of the longest frame, as it lies in memory. */
    int frameBytes() {
        return mtu + HEADER;
    }

    /** Which queue a bucket goes to. */
    public int queueOf(int bucket) {
        return table == null ? bucket % channels : table[bucket % table.length];
    }

    public PortConfig withUp(boolean value) {
        return new PortConfig(value, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features,
                pages, hook, flags, bounds, modes, moderation);
    }

    public PortConfig withMtu(int value) {
        return new PortConfig(up, value, receiveEntries, transmitEntries, channels, key, table, frames, features,
                pages, hook, flags, bounds, modes, moderation);
    }

    public PortConfig withRings(int receive, int transmit) {
        return new PortConfig(up, mtu, receive, transmit, channels, key, table, frames, features, pages, hook, flags,
                bounds, modes, moderation);
    }

    /** With another number of queues; a table that was set by hand is forgotten, as it names queues. */
    public PortConfig withChannels(int value) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, value, key, null, frames, features, pages,
                hook, flags, bounds, modes, moderation);
    }

    public PortConfig withSpreading(byte[] newKey, int[] newTable) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, newKey, newTable, frames, features,
                pages, hook, flags, bounds, modes, moderation);
    }

    public PortConfig withFrames(int value) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, value, features, pages,
                hook, flags, bounds, modes, moderation);
    }

    public PortConfig withFeature(String name, boolean on) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames,
                changed(features, name, on), pages, hook, flags, bounds, modes, moderation);
    }

    public PortConfig withPages(ReceivePolicy policy, int page) {
        return with(new Pages(policy, page, pages.mapping));
    }

    public PortConfig withMapping(ReceiveMapping mapping) {
        return with(new Pages(pages.policy, pages.size, mapping));
    }

    private PortConfig with(Pages value) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features, value,
                hook, flags, bounds, modes, moderation);
    }

    public PortConfig withHook(ReceiveHook value) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features, pages,
                value, flags, bounds, modes, moderation);
    }

    public PortConfig withFlag(String name, boolean on) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features, pages,
                hook, changed(flags, name, on), bounds, modes, moderation);
    }

    public PortConfig withBounds(int queue, ByteBounds value) {
        Map<Integer, ByteBounds> more = new HashMap<>(bounds);
        more.put(queue, value);
        if (value.equals(ByteBounds.USUAL)) {
            more.remove(queue);
        }
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features, pages,
                hook, flags, Map.copyOf(more), modes, moderation);
    }

    public PortConfig withMode(String name, boolean on) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features, pages,
                hook, flags, bounds, changed(modes, name, on), moderation);
    }

    public PortConfig withModeration(Moderations value) {
        return new PortConfig(up, mtu, receiveEntries, transmitEntries, channels, key, table, frames, features, pages,
                hook, flags, bounds, modes, value);
    }

    private static Set<String> changed(Set<String> all, String name, boolean on) {
        Set<String> now = new HashSet<>(all);
        if (on) {
            now.add(name);
        } else {
            now.remove(name);
        }
        return Set.copyOf(now);
    }
}

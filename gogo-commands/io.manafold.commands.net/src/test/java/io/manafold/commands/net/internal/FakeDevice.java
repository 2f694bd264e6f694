package io.manafold.commands.net.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Feature;
import io.manafold.api.net.HookStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.PacketWatcher;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A network device that remembers what it is told. */
final class FakeDevice implements NetDevice {
    final List<Counter> counters = new ArrayList<>();
    final Map<String, Long> totals = new LinkedHashMap<>();
    final List<Feature> features = new ArrayList<>();
    final Map<String, Boolean> privateFlags = new LinkedHashMap<>();
    final List<PoolStatus> pools = new ArrayList<>();
    final List<QueueStatus> queues = new ArrayList<>();
    final List<ByteQueueLimit> byteLimits = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    private final String name;
    private final int index;
    PciAddress address = PciAddress.parse("7870:00:00.0");
    HookStatus hook;
    boolean up = true;
    boolean carrier = true;
    boolean promiscuous;
    boolean allMulticast;
    int mtu = 1500;
    int channels = 4;
    Rings rings = new Rings(1024, 256, 8192, 16_384);
    Spreading spreading = new Spreading(new byte[] {0x6d, 0x5a, (byte) 0xff}, new int[] {0, 1, 2, 3, 0, 1, 2, 3, 0, 1},
            4);
    Coalescing coalescing = new Coalescing(1, 2048);
    Moderation receiveModeration = Moderation.ADAPTIVE;
    Moderation sendModeration = new Moderation(false, 64, 0);
    ReceivePolicy policy = ReceivePolicy.LEAN;
    int pageSize = 4096;
    ReceiveMapping mapping = ReceiveMapping.ARENA;
    long speed = 200_000_000_000L;

    FakeDevice(String name, int index) {
        this.name = name;
        this.index = index;
    }

    @Override
    public String offeredBy() {
        return "7870:00:00.0";
    }

    @Override
    public boolean isPromiscuous() {
        return promiscuous;
    }

    @Override
    public void setPromiscuous(boolean on) {
        promiscuous = on;
    }

    @Override
    public boolean isAllMulticast() {
        return allMulticast;
    }

    @Override
    public void setAllMulticast(boolean on) {
        allMulticast = on;
    }

    @Override
    public Map<String, Long> debugState() {
        Map<String, Long> state = new LinkedHashMap<>();
        state.put("gdma_protocol_ver", 1L);
        state.put("pf_cap_flags1", 1073L);
        state.put("current_speed", 500L);
        return state;
    }

    @Override
    public List<ByteQueueLimit> byteQueueLimits() {
        return byteLimits;
    }

    @Override
    public void setByteQueueLimit(int queue, int min, int max, int holdTime) {
        byteLimits.set(queue, new ByteQueueLimit(queue, 9000, min, max, holdTime, 3028, 7));
    }

    @Override
    public List<QueueStatus> queues() {
        return queues;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return up ? "up" : "down";
    }

    @Override
    public MacAddress mac() {
        return new MacAddress(0x000d_3a00_0000L + index - 1);
    }

    @Override
    public PciAddress address() {
        return address;
    }

    @Override
    public int port() {
        return index - 1;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public Map<String, String> driverInfo() {
        Map<String, String> info = new LinkedHashMap<>();
        info.put("driver", "ethernet");
        info.put("version", "1.0.0");
        info.put("bus-info", "7870:00:00.0");
        return info;
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public void setUp(boolean wanted) {
        up = wanted;
        carrier = wanted;
    }

    @Override
    public boolean hasCarrier() {
        return up && carrier;
    }

    @Override
    public long speed() {
        return speed;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public int minMtu() {
        return 68;
    }

    @Override
    public int maxMtu() {
        return 9000;
    }

    @Override
    public void setMtu(int wanted) {
        if (wanted > maxMtu()) {
            throw new Refusal(Errno.EINVAL, "mtu greater than device maximum");
        }
        mtu = wanted;
    }

    @Override
    public Rings rings() {
        return rings;
    }

    @Override
    public List<String> setRings(int receive, int transmit) {
        rings = new Rings(receive, transmit, rings.maxReceive(), rings.maxTransmit());
        return notices;
    }

    @Override
    public int channels() {
        return channels;
    }

    @Override
    public int maxChannels() {
        return 16;
    }

    @Override
    public void setChannels(int count) {
        channels = count;
    }

    @Override
    public Spreading spreading() {
        return spreading;
    }

    @Override
    public void setSpreading(byte[] key, int[] table) {
        spreading = new Spreading(key == null ? spreading.key() : key, table == null ? spreading.table() : table,
                spreading.queues());
    }

    @Override
    public Coalescing coalescing() {
        return coalescing;
    }

    @Override
    public Optional<Moderation> moderation(boolean receive) {
        return Optional.of(receive ? receiveModeration : sendModeration);
    }

    @Override
    public void setModeration(Moderation receive, Moderation transmit) {
        receiveModeration = receive;
        sendModeration = transmit;
    }

    @Override
    public void setCoalescing(int frames) {
        coalescing = new Coalescing(frames, coalescing.nanos());
    }

    @Override
    public List<Feature> features() {
        return List.copyOf(features);
    }

    @Override
    public void setFeature(String feature, boolean on) {
        features.replaceAll(one -> {
            if (one.name().equals(feature) && one.fixed() && one.on() != on) {
                throw new Refusal(Errno.EOPNOTSUPP, "Cannot change " + feature + ".");
            }
            return one.name().equals(feature) ? new Feature(feature, on, one.fixed()) : one;
        });
        // without its checksums no segment can be made
        if (feature.equals("tx-checksum-ipv4") && !on) {
            setFeature("tx-tcp-segmentation", false);
        }
    }

    @Override
    public Map<String, Boolean> privateFlags() {
        return privateFlags;
    }

    @Override
    public void setPrivateFlag(String flag, boolean on) {
        privateFlags.put(flag, on);
    }

    @Override
    public ReceivePolicy policy() {
        return policy;
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    @Override
    public void setPages(ReceivePolicy wanted, int size) {
        policy = wanted;
        pageSize = size;
    }

    @Override
    public ReceiveMapping mapping() {
        return mapping;
    }

    @Override
    public void setPages(ReceivePolicy wanted, int size, ReceiveMapping when) {
        setPages(wanted, size);
        mapping = when;
    }

    @Override
    public List<PoolStatus> pools() {
        return pools;
    }

    @Override
    public List<Counter> statistics() {
        return counters;
    }

    @Override
    public Map<String, Long> totals() {
        return totals;
    }

    @Override
    public void setHook(ReceiveHook hook) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<HookStatus> hook() {
        return Optional.ofNullable(hook);
    }

    @Override
    public PacketPort attach(PacketUser user) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PacketPort attach(PacketUser user, int etherType) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AutoCloseable watch(PacketWatcher watcher) {
        throw new UnsupportedOperationException();
    }
}

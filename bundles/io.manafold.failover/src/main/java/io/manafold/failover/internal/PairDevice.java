package io.manafold.failover.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Feature;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketFilter;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.PacketWatcher;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.netdev.PacketUsers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The network device that a pair is to the world: what stands above it does not see which way its packets take. */
final class PairDevice implements NetDevice {
    /** What Linux calls the driver of the synthetic device. */
    static final String DRIVER = "hv_netvsc";
    private static final int PAGE = 16384;
    private static final List<Feature> FEATURES = Stream.of("tx-checksum-ipv4", "tx-checksum-ipv6",
            "tx-scatter-gather", "tx-tcp-segmentation", "tx-tcp6-segmentation", "rx-checksum", "rx-hashing",
            "rx-vlan-hw-parse").map(name -> new Feature(name, false, true)).toList();

    private final PairPlan plan;
    private final int index;
    private final Pair pair;
    private final UnaryOperator<String> subjects;

    /** @param subjects where something that is the pair's own is kept, by what it is about */
    PairDevice(PairPlan plan, int index, Pair pair, UnaryOperator<String> subjects) {
        this.plan = plan;
        this.index = index;
        this.pair = pair;
        this.subjects = subjects;
    }

    @Override
    public Optional<String> keptAs(String about) {
        return Optional.of(subjects.apply(about));
    }

    @Override
    public String offeredBy() {
        return plan.address().toString();
    }

    @Override
    public String name() {
        return plan.name();
    }

    @Override
    public String summary() {
        return (isUp() ? "up" : "down") + ", by " + pair.path().words;
    }

    @Override
    public MacAddress mac() {
        return plan.mac();
    }

    @Override
    public PciAddress address() {
        return plan.address();
    }

    @Override
    public int port() {
        return plan.port();
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public Map<String, String> driverInfo() {
        Map<String, String> info = new LinkedHashMap<>();
        info.put("driver", DRIVER);
        info.put("version", "");
        info.put("firmware-version", "N/A");
        info.put("expansion-rom-version", "");
        info.put("bus-info", "");
        for (String what : List.of("statistics", "test", "eeprom-access", "register-dump", "priv-flags")) {
            info.put("supports-" + what, what.equals("statistics") ? "yes" : "no");
        }
        return info;
    }

    @Override
    public boolean isUp() {
        return pair.isUp();
    }

    @Override
    public void setUp(boolean up) {
        pair.setUp(up);
    }

    @Override
    public boolean hasCarrier() {
        return isUp() && pair.hasLink();
    }

    @Override
    public boolean hasLink() {
        return pair.hasLink();
    }

    @Override
    public long speed() {
        NetDevice vf = pair.vf();
        return vf == null ? 0 : vf.speed();
    }

    @Override
    public int mtu() {
        return pair.mtu();
    }

    @Override
    public int minMtu() {
        return Pair.LEAST_MTU;
    }

    @Override
    public int maxMtu() {
        NetDevice vf = pair.vf();
        return vf == null ? Pair.MOST_MTU : Math.min(Pair.MOST_MTU, vf.maxMtu());
    }

    @Override
    public void setMtu(int mtu) {
        pair.setMtu(mtu);
    }

    private Refusal fixed(String what) {
        return new Refusal(Errno.EOPNOTSUPP, what + " of " + name() + " cannot be changed: it is a pair. Its virtual "
                + "function may have settings of its own: " + plan.vf() + ".");
    }

    @Override
    public Rings rings() {
        return new Rings(PacketRing.CAPACITY, PacketRing.CAPACITY, PacketRing.CAPACITY, PacketRing.CAPACITY);
    }

    @Override
    public List<String> setRings(int receive, int transmit) {
        throw fixed("The rings");
    }

    @Override
    public int channels() {
        return 1;
    }

    @Override
    public int maxChannels() {
        return 1;
    }

    @Override
    public void setChannels(int count) {
        throw fixed("The channels");
    }

    @Override
    public Spreading spreading() {
        return new Spreading(new byte[0], new int[0], 1);
    }

    @Override
    public void setSpreading(byte[] key, int[] table) {
        throw fixed("Key and table");
    }

    @Override
    public Coalescing coalescing() {
        return new Coalescing(1, 0);
    }

    @Override
    public void setCoalescing(int frames) {
        throw fixed("Coalescing");
    }

    @Override
    public List<Feature> features() {
        return FEATURES;
    }

    @Override
    public void setFeature(String feature, boolean on) {
        throw fixed("Feature " + feature);
    }

    @Override
    public Map<String, Boolean> privateFlags() {
        return Map.of();
    }

    @Override
    public void setPrivateFlag(String flag, boolean on) {
        throw fixed("Flag " + flag);
    }

    @Override
    public ReceivePolicy policy() {
        return ReceivePolicy.LEAN;
    }

    @Override
    public int pageSize() {
        return PAGE;
    }

    @Override
    public void setPages(ReceivePolicy policy, int pageSize) {
        throw fixed("The receive pages");
    }

    @Override
    public List<PoolStatus> pools() {
        return List.of();
    }

    @Override
    public List<Counter> statistics() {
        return pair.counters().all();
    }

    @Override
    public Map<String, Long> totals() {
        return pair.counters().totals();
    }

    @Override
    public void setHook(ReceiveHook hook) {
        throw new Refusal(Errno.EOPNOTSUPP, name() + " takes no receive hook: it is a pair. Put it on the virtual "
                + "function: " + plan.vf() + ".");
    }

    @Override
    public PacketPort attach(PacketUser user) {
        return pair.agent().users().attach(user, PacketUsers.ALL, name());
    }

    @Override
    public PacketPort attach(PacketUser user, int etherType) {
        return pair.agent().users().attach(user, etherType, name());
    }

    @Override
    public PacketPort attach(PacketUser user, PacketFilter filter) {
        return pair.agent().users().attach(user, filter, name());
    }

    @Override
    public AutoCloseable watch(PacketWatcher watcher) {
        return pair.agent().watchers().add(name(), watcher);
    }
}

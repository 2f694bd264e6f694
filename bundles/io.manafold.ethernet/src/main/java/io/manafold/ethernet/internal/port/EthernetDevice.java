package io.manafold.ethernet.internal.port;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Feature;
import io.manafold.api.net.HookStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketFilter;
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
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.netdev.PacketUsers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A network device: what a port and its control are to the world. */
public final class EthernetDevice implements NetDevice {
    private final String name;
    private final int index;
    private final PciAddress address;
    private final PortLife life;
    private final PortControl control;
    private final PortStatistics statistics;
    private final PortShapers shapers;
    private final Supplier<String> master;

    /** @param master tells of which device it is a member, and is empty if of none */
    public EthernetDevice(String name, int index, PciAddress address, PortLife life, PortControl control,
            PortStatistics statistics, Supplier<String> master) {
        this.name = name;
        this.master = master;
        this.index = index;
        this.address = address;
        this.life = life;
        this.control = control;
        this.statistics = statistics;
        shapers = new PortShapers(this, life);
        life.limits(shapers);
    }

    public PortShapers shapers() {
        return shapers;
    }

    public PortLife life() {
        return life;
    }

    public PortControl control() {
        return control;
    }

    @Override
    public String offeredBy() {
        return address.toString();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return control.summary();
    }

    @Override
    public MacAddress mac() {
        return life.port().vport().mac();
    }

    @Override
    public PciAddress address() {
        return address;
    }

    @Override
    public int port() {
        return life.port().index() + 1;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public Map<String, String> driverInfo() {
        return control.driverInfo();
    }

    @Override
    public boolean isUp() {
        return life.config().up();
    }

    @Override
    public void setUp(boolean up) {
        control.setUp(up);
    }

    @Override
    public String claimant() {
        return control.claimant();
    }

    @Override
    public String master() {
        return master.get();
    }

    @Override
    public boolean hasCarrier() {
        return control.hasCarrier();
    }

    @Override
    public boolean hasLink() {
        return control.hasLink();
    }

    @Override
    public long speed() {
        return control.speed();
    }

    @Override
    public int mtu() {
        return life.config().mtu();
    }

    @Override
    public int minMtu() {
        return control.minMtu();
    }

    @Override
    public int maxMtu() {
        return control.maxMtu();
    }

    @Override
    public void setMtu(int mtu) {
        control.setMtu(mtu);
    }

    @Override
    public Rings rings() {
        return control.rings();
    }

    @Override
    public List<String> setRings(int receive, int transmit) {
        return control.setRings(receive, transmit);
    }

    @Override
    public int channels() {
        return life.config().channels();
    }

    @Override
    public int maxChannels() {
        return control.maxChannels();
    }

    @Override
    public void setChannels(int count) {
        control.setChannels(count);
    }

    @Override
    public Spreading spreading() {
        return control.spreading();
    }

    @Override
    public void setSpreading(byte[] key, int[] table) {
        control.setSpreading(key, table);
    }

    @Override
    public Coalescing coalescing() {
        return control.coalescing();
    }

    @Override
    public void setCoalescing(int frames) {
        control.setCoalescing(frames);
    }

    @Override
    public Optional<Moderation> moderation(boolean receive) {
        return Optional.of(control.moderation(receive));
    }

    @Override
    public void setModeration(Moderation receive, Moderation transmit) {
        control.setModeration(receive, transmit);
    }

    @Override
    public List<Feature> features() {
        return control.features();
    }

    @Override
    public void setFeature(String feature, boolean on) {
        control.setFeature(feature, on);
    }

    @Override
    public Map<String, Boolean> privateFlags() {
        return control.privateFlags();
    }

    @Override
    public void setPrivateFlag(String flag, boolean on) {
        control.setPrivateFlag(flag, on);
    }

    @Override
    public ReceivePolicy policy() {
        return life.config().policy();
    }

    @Override
    public int pageSize() {
        return life.config().page();
    }

    @Override
    public ReceiveMapping mapping() {
        return life.config().mapping();
    }

    @Override
    public void setPages(ReceivePolicy policy, int pageSize) {
        setPages(policy, pageSize, mapping());
    }

    @Override
    public void setPages(ReceivePolicy policy, int pageSize, ReceiveMapping mapping) {
        control.setPages(policy, pageSize, mapping);
    }

    @Override
    public List<PoolStatus> pools() {
        return life.pools();
    }

    @Override
    public List<QueueStatus> queues() {
        QueueSet now = life.queues();
        return now == null ? List.of() : now.status(spreading().table());
    }

    @Override
    public boolean isPromiscuous() {
        return control.has(PortConfig.PROMISCUOUS);
    }

    @Override
    public void setPromiscuous(boolean on) {
        control.setMode(PortConfig.PROMISCUOUS, on);
    }

    @Override
    public boolean isAllMulticast() {
        return control.has(PortConfig.ALL_MULTICAST);
    }

    @Override
    public void setAllMulticast(boolean on) {
        control.setMode(PortConfig.ALL_MULTICAST, on);
    }

    @Override
    public Map<String, Long> debugState() {
        return control.debugState();
    }

    @Override
    public List<ByteQueueLimit> byteQueueLimits() {
        return control.byteQueueLimits();
    }

    @Override
    public void setByteQueueLimit(int queue, int min, int max, int holdTime) {
        control.setByteQueueLimit(queue, min, max, holdTime);
    }

    @Override
    public List<Counter> statistics() {
        return statistics.all();
    }

    @Override
    public Map<String, Long> totals() {
        Map<String, Long> totals = statistics.totals();
        totals.put("carrier_changes", control.carrierChanges());
        return totals;
    }

    @Override
    public void setHook(ReceiveHook hook) {
        control.setHook(hook);
    }

    @Override
    public Optional<HookStatus> hook() {
        return Optional.of(statistics.hook());
    }

    @Override
    public PacketPort attach(PacketUser user) {
        return life.agent().users().attach(user, PacketUsers.ALL, name);
    }

    @Override
    public PacketPort attach(PacketUser user, int etherType) {
        return life.agent().users().attach(user, etherType, name);
    }

    @Override
    public PacketPort attach(PacketUser user, PacketFilter filter) {
        return life.agent().users().attach(user, filter, name);
    }

    @Override
    public AutoCloseable watch(PacketWatcher watcher) {
        return life.agent().watchers().add(name, watcher);
    }
}

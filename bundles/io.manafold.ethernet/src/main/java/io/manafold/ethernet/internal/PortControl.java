package io.manafold.ethernet.internal;

import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Feature;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.gdma.message.QueryLinkConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What an administrator may ask and change. */
final class PortControl {
    private static final int LEAST_MTU = 68;
    private static final long MEGABIT = 1_000_000;

    private final PortLife life;

    PortControl(PortLife life) {
        this.life = life;
    }

    void change(UnaryOperator<PortConfig> step) {
        life.lock().lock();
        try {
            life.apply(step.apply(life.config()));
        } finally {
            life.lock().unlock();
        }
    }

    /** The device has done what it must not; on the device's thread. */
    void trouble(String reason) {
    }

    String summary() {
        return (life.isOpen() ? "up" : "down") + ", MTU " + life.config().mtu();
    }

    Map<String, String> driverInfo() {
        return Map.of("driver", EthernetDriver.NAME);
    }

    void setUp(boolean up) {
        change(now -> now.withUp(up));
    }

    boolean hasCarrier() {
        return life.isOpen();
    }

    long speed() {
        return life.port().session().call(new QueryLinkConfig(life.port().vport().vport())).current() * MEGABIT;
    }

    int minMtu() {
        return LEAST_MTU;
    }

    int maxMtu() {
        int frame = life.port().session().config().frame();
        return (frame == 0 ? 1514 : frame) - PortConfig.HEADER;
    }

    void setMtu(int mtu) {
        change(now -> now.withMtu(mtu));
    }

    Rings rings() {
        return new Rings(life.config().receiveEntries(), life.config().transmitEntries(), 8192, 16384);
    }

    List<String> setRings(int receive, int transmit) {
        change(now -> now.withRings(receive, transmit));
        return List.of();
    }

    int maxChannels() {
        return life.port().maxChannels();
    }

    void setChannels(int count) {
        change(now -> now.withChannels(count));
    }

    Spreading spreading() {
        PortConfig now = life.config();
        int[] table = new int[life.port().vport().indirection()];
        for (int i = 0; i < table.length; i++) {
            table[i] = now.queueOf(i);
        }
        return new Spreading(now.key().clone(), table, now.channels());
    }

    void setSpreading(byte[] key, int[] table) {
        change(now -> now.withSpreading(key == null ? now.key() : key.clone(),
                table == null ? now.table() : table.clone()));
    }

    Coalescing coalescing() {
        return new Coalescing(life.config().frames(), life.coalescingNanos());
    }

    void setCoalescing(int frames) {
        change(now -> now.withFrames(frames));
    }

    List<Feature> features() {
        return PortConfig.FEATURES.stream().sorted().map(one -> new Feature(one, life.config().has(one), false))
                .toList();
    }

    void setFeature(String name, boolean on) {
        change(now -> now.withFeature(name, on));
    }

    Map<String, Boolean> privateFlags() {
        return new TreeMap<>(Map.of(PortConfig.POLL, life.config().isPolling()));
    }

    void setPrivateFlag(String name, boolean on) {
        change(now -> now.withFlag(name, on));
    }

    void setRateLimit(long bitsPerSecond) {
        change(now -> now.withRateLimit(bitsPerSecond));
    }

    void setPages(ReceivePolicy policy, int page) {
        change(now -> now.withPages(policy, page));
    }

    List<Counter> statistics() {
        return List.of();
    }

    Map<String, Long> totals() {
        Map<String, Long> totals = new LinkedHashMap<>();
        PortCounters counters = life.counters();
        for (int i = 0; i < maxChannels(); i++) {
            totals.merge("rx_packets", counters.receive(i).packets, Long::sum);
            totals.merge("rx_bytes", counters.receive(i).bytes, Long::sum);
            totals.merge("tx_packets", counters.send(i).packets, Long::sum);
            totals.merge("tx_bytes", counters.send(i).bytes, Long::sum);
        }
        return totals;
    }

    void setHook(ReceiveHook hook) {
        change(now -> now.withHook(hook));
    }
}

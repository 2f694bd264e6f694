package io.manafold.commands.shaper.internal;

import io.manafold.api.net.NetDevice;
import java.util.Map;

/** What a network device has sent since it is there. */
record DeviceTraffic(long packets, long bytes, long dropped) {
    static DeviceTraffic of(NetDevice device) {
        Map<String, Long> totals = device.totals();
        return new DeviceTraffic(totals.getOrDefault("tx_packets", 0L), totals.getOrDefault("tx_bytes", 0L),
                totals.getOrDefault("tx_dropped", 0L));
    }
}

package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter.DriverFeature;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Feature;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.VerifyVersion;
import io.manafold.memory.DmaArena;
import org.junit.jupiter.api.Test;

class DriverFeaturesTest {
    private static VerifyVersion linux(long flags) {
        return new VerifyVersion(1, 1, flags, 0, 0, 0, 0, VerifyVersion.LINUX, 6, 12, 1, 0, "Linux", "6.12.1", "#1",
                "");
    }

    @Test
    void whatADriverDoesIsKnownFromItsHandshake() {
        try (Bench bench = new Bench("features", "ports", 1)) {
            assertThat(bench.adapter.driverFeatures()).as("without a driver").isEmpty();
            DmaArena memory = bench.memory(16);
            EthernetSession session = EthernetSession.open(bench.function, memory, ChannelLimits.USUAL,
                    (type, data) -> { });
            assertThat(bench.adapter.driverFeatures()).as("of our driver").containsExactly(DriverFeature.values());
            session.function().channel().call(DeviceId.NONE, linux(Feature.SHARED_EVENT_QUEUES
                    | Feature.CHANNEL_TIMEOUT));
            assertThat(bench.adapter.driverFeatures()).as("of an old one").isEmpty();
            session.function().channel().call(DeviceId.NONE, linux(Feature.LINK_EVENTS | Feature.SELF_RESET));
            assertThat(bench.adapter.driverFeatures()).containsExactly(DriverFeature.LINK_EVENTS,
                    DriverFeature.SELF_RESET);
            bench.function.reset();
            assertThat(bench.adapter.driverFeatures()).as("after a reset").isEmpty();
            session.function().channel().setTimeout(200);
            session.function().channel().close();
            memory.close();
        }
    }
}

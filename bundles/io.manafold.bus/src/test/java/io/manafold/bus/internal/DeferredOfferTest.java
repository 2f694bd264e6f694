package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceState;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver that offers a part of its device while it probes, takes that back and asks for patience. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DeferredOfferTest {
    private static final String ONE = "7870:00:00.0";
    private static final String OTHER = "7871:00:00.0";
    private static final int NIC = 0x00ba;
    private static final int NEEDED = 0x00bb;

    @TempDir
    Path folder;

    @Test
    void whatItOffersItselfIsNotWhatItWaitsFor() throws Exception {
        AtomicInteger probes = new AtomicInteger();
        try (FakeCore core = new FakeCore(folder)) {
            core.plug(ONE, NIC);
            core.load("patient", NIC, probe -> {
                probes.incrementAndGet();
                FakeCore.Departure part = core.offer(ONE, "mana.eth", 0);
                core.await("mana.eth.0", _ -> true);
                part.inTime();
                throw probe.defer(OTHER, "the other is not there yet");
            });
            core.await(ONE, device -> device.state() == DeviceState.DEFERRED);
            core.settle();
            assertThat(probes).as("probes, with nothing new").hasValue(1);
            core.plug(OTHER, NEEDED);
            core.await(OTHER, _ -> true);
            core.settle();
            assertThat(probes).as("probes, with one device more").hasValue(2);
        }
    }
}

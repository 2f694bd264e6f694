package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSettings;
import io.manafold.ethernet.internal.port.EthernetDevice;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plans against what administrators and drivers of parts have of a port. */
@Timeout(300)
class PlansTest {
    private static final int CHANGES = Integer.getInteger("manafold.plans", 2_000);

    private final Bench bench = new Bench();
    private final PciAddress address = bench.adapter.function().address();
    private volatile boolean over;

    @AfterEach
    void close() {
        bench.close();
    }

    private void plan(int port, String name, Optional<Integer> mtu, boolean up) {
        bench.plans.put(port, new Plan(address, port, name, mtu, up));
        bench.drive.follow(bench.plans.get(port));
    }

    @Test
    void whatIsSetWhileAPlanIsFollowedStays() throws InterruptedException {
        EthernetDevice device = bench.left();
        device.setUp(false);
        plan(1, device.name(), Optional.of(1400), true);
        String subject = bench.settings.subject(SavedSettings.PORT, address, 1);
        Thread follows = Thread.ofPlatform().daemon().start(() -> {
            while (!over) {
                bench.drive.follow(bench.plans.get(1));
                Thread.onSpinWait();
            }
        });
        try {
            for (int i = 0; i < CHANGES; i++) {
                int mtu = i % 2 == 0 ? 2000 : 3000;
                device.setMtu(mtu);
                assertThat(bench.settings.read(subject)).as("change %s", i)
                        .containsEntry("mtu", Integer.toString(mtu));
                assertThat(device.mtu()).as("change %s", i).isEqualTo(mtu);
            }
        } finally {
            over = true;
            follows.join();
        }
    }
}

package io.manafold.sockets.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that is registered with several devices, of which one refuses it, is slow, or comes meanwhile. */
@Timeout(60)
class RegisteringTest {
    private final MemorySource memory = Blocks.source();
    private final RdmaTransport transport = new RdmaTransport(Devices.over(RdmaConnections.class, null,
            (method, _, _) -> {
                throw new AssertionError(method);
            }));
    private final Context context = new Context(transport, "test", memory);
    private final MemoryBlock block = memory.make("test", 1 << 20);
    private final List<RdmaDevice> devices = new ArrayList<>();

    private void add(RdmaDevice device) {
        devices.add(device);
        transport.add(device);
    }

    @AfterEach
    void allComesHome() {
        context.close();
        devices.forEach(device -> transport.remove(device, "The test is over."));
        block.close();
        assertThat(block.holders()).isEmpty();
    }

    @Test
    void aDeviceThatRefusesTakesNothingFromOthers() {
        add(Devices.refusing("mana_0"));
        List<String> told = new ArrayList<>();
        add(Devices.registering("mana_1", () -> told.add("mana_1")));
        Region region = context.register(block, Region.SEND);
        assertThat(told).containsExactly("mana_1");
        region.close();
        assertThat(block.holders()).containsOnlyKeys("maker");
    }

    @Test
    void whatNoDeviceTakesIsRefused() {
        add(Devices.refusing("mana_0"));
        add(Devices.refusing("mana_1"));
        assertThatThrownBy(() -> context.register(block, Region.SEND)).isInstanceOf(Refusal.class)
                .hasMessageContaining("mana_0 makes no region");
        assertThat(context.regions()).isEmpty();
        assertThat(block.holders()).containsOnlyKeys("maker");
    }

    @Test
    void regionsAreClosedWhileADeviceTakesItsTime() throws InterruptedException {
        Region before = context.register(block, 0, 4096, Region.SEND);
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answers = new CountDownLatch(1);
        Thread coming = Thread.ofPlatform().daemon().start(() -> add(Devices.registering("mana_0", () -> {
            asked.countDown();
            if (asked.getCount() == 0) {
                waitFor(answers);
            }
        })));
        coming.join();
        Thread registering = Thread.ofPlatform().daemon().start(() -> context.register(block, Region.SEND));
        try {
            asked.await();
            Thread closing = Thread.ofPlatform().daemon().start(before::close);
            assertThat(closing.join(Duration.ofSeconds(20))).as("closed").isTrue();
        } finally {
            answers.countDown();
        }
        registering.join();
        assertThat(context.regions()).hasSize(1);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void aRegionThatIsClosedWhileADeviceHearsOfItIsForgottenByIt() {
        Region region = context.register(block, Region.SEND);
        // the device has it, and nothing of ours knows that yet
        add(Devices.registering("mana_0", region::close));
        assertThat(block.holders()).containsOnlyKeys("maker");
    }
}

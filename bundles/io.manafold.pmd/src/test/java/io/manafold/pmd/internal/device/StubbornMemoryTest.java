package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.Removal;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.QueueType;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.queue.LyingQueue;
import io.manafold.pmd.internal.words.EalWords;
import io.manafold.testkit.Blocks;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets that a device may still write stay out of their pool, even if their port has been stopped. */
class StubbornMemoryTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final int PACKETS = 512;
    private static final int DESCRIPTORS = 64;
    private static final DeviceAttributes LIMITS = new DeviceAttributes(0x1414, 2, 0, 1, 16, 16, 16, 16, 4096, 30, 1,
            4096, 0, 0, 65535);

    private final SharedBlocks memory = Blocks.source();
    private final PacketPool pool = new PacketPools(memory).make(new PacketPlan("test", PACKETS, 0,
            PacketPlan.DEFAULT_ROOM));
    private final LyingQueue out = new LyingQueue(memory, QueueType.SEND);
    private final LyingQueue in = new LyingQueue(memory, QueueType.RECEIVE);
    /** With what the device refuses to give up memory, {@code null} if it does not. */
    private Errno refusal;
    /** Whether the last thing that a start makes is refused. */
    private boolean spreadsNothing;
    private Removal departure;
    private final RdmaDevice device = made(RdmaDevice.class);
    private final PmdEnvironment environment = new PmdEnvironment(null, EalWords.parse(List.of("-l", "0"), 2), null,
            new Directory(), null, Duration.ofSeconds(60));
    private final PollDevice port = new PollDevice(environment, new Directory(), PortFacts.of(ADDRESS, 1,
            MacAddress.parse("00:0d:3a:00:00:01"), "mana0", EalWords.parse(List.of("-a", ADDRESS), 2)
            .argument(PciAddress.parse(ADDRESS)), LIMITS), PortDomain.of(device, 1), 0);

    /** A device, and all that is made of it. */
    private <T> T made(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "departure" -> departure;
                    case "direct" -> proxy instanceof QueuePair ? out.direct : in.direct;
                    case "address" -> pool.block().segment().address();
                    case "createRssQueuePair" -> {
                        if (spreadsNothing) {
                            throw new Refusal(Errno.ENOMEM, "There is no room for it.");
                        }
                        yield made(method.getReturnType());
                    }
                    case "close" -> {
                        if (refusal != null && proxy instanceof MemoryRegion) {
                            throw new Refusal(refusal, "The memory is not given up.");
                        }
                        yield null;
                    }
                    default -> method.getReturnType().isInterface() ? made(method.getReturnType())
                            : method.getReturnType() == int.class ? 0x100 : null;
                }));
    }

    private void start() {
        configure();
        port.start();
        assertThat(pool.available()).isEqualTo(PACKETS - DESCRIPTORS);
    }

    private void configure() {
        port.configure(EthDevPlan.of(1));
        port.setUpSend(0, DESCRIPTORS);
        port.setUpReceive(0, DESCRIPTORS, pool.number());
    }

    @AfterEach
    void end() {
        pool.close();
        out.close();
        in.close();
        assertThat(memory.blocks()).isEmpty();
    }

    @Test
    void packetsStayAwayUntilTheDeviceHasGone() {
        start();
        refusal = Errno.EIO;
        assertThatThrownBy(port::stop).isInstanceOf(Refusal.class).hasMessageContaining("not given up");
        assertThat(pool.available()).as("packets that the device may write are not home")
                .isEqualTo(PACKETS - DESCRIPTORS);
        port.stop();
        assertThat(pool.available()).as("nor after a second time").isEqualTo(PACKETS - DESCRIPTORS);
        assertThatThrownBy(port::start).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.EBUSY);
            assertThat(refused).hasMessageContaining("did not give up the memory");
        });
        departure = Removal.DEVICE_GONE;
        port.life().suspend();
        assertThat(pool.available()).isEqualTo(PACKETS);
    }

    @Test
    void packetsOfAStartThatFailedStayAwayUntilTheDeviceHasGone() {
        configure();
        spreadsNothing = true;
        assertThatThrownBy(port::start).isInstanceOf(Refusal.class).hasMessageContaining("no room");
        assertThat(pool.available()).isEqualTo(PACKETS);
        refusal = Errno.EIO;
        assertThatThrownBy(port::start).isInstanceOf(Refusal.class).hasMessageContaining("no room");
        assertThat(pool.available()).as("packets that the device may write are not home")
                .isEqualTo(PACKETS - DESCRIPTORS);
        assertThatThrownBy(port::start).isInstanceOf(Refusal.class).hasMessageContaining("did not give up the memory");
        departure = Removal.DEVICE_GONE;
        port.life().suspend();
        assertThat(pool.available()).isEqualTo(PACKETS);
    }

    @Test
    void packetsOfAClosedPortComeHomeWhenItsDeviceHasGone() {
        start();
        refusal = Errno.EBUSY;
        assertThatThrownBy(port.life()::close).isInstanceOf(Refusal.class);
        assertThat(pool.available()).isEqualTo(PACKETS - DESCRIPTORS);
        assertThat(port.life().holder()).isSameAs(device);
        port.life().letGo();
        assertThat(pool.available()).isEqualTo(PACKETS);
    }

    @Test
    void aDeviceThatHasGoneReachesNothing() {
        start();
        refusal = Errno.ENODEV;
        port.stop();
        assertThat(pool.available()).isEqualTo(PACKETS);
        refusal = null;
        port.start();
        port.stop();
        assertThat(pool.available()).isEqualTo(PACKETS);
    }
}

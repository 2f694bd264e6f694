package io.manafold.sockets.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.EndpointState.Phase;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Region;
import io.manafold.rdma.internal.device.Hosts;
import io.manafold.streams.Ends;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that another device takes, and the one of the connection refuses: sends of it are refused, nothing ends. */
@Timeout(120)
class UnreachedMemoryTest {
    private static final String NONE = "";
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The name of the block that the connection's device refuses. */
    private volatile String refused = NONE;
    private final AtomicInteger refusals = new AtomicInteger();

    /** A real device, and one beside it that takes all memory. */
    private final class Two implements Way {
        private final Hosts hosts = new Hosts();
        private final RdmaTransport transport = new RdmaTransport(hosts.leftConnections());
        private final RdmaDevice connecting = Devices.over(RdmaDevice.class, hosts.left(), (method, _, real) ->
                method.equals("allocateDomain") ? domain((ProtectionDomain) real.call()) : real.call());
        private final RdmaDevice other = Devices.registering("mana_7", () -> {
        });

        private ProtectionDomain domain(ProtectionDomain of) {
            return Devices.over(ProtectionDomain.class, of, (method, arguments, real) -> {
                if (method.equals("register") && ((MemoryBlock) arguments[0]).name().equals(refused)) {
                    refusals.incrementAndGet();
                    throw new Refusal(Errno.EIO, "The device makes no region.");
                }
                return real.call();
            });
        }

        @Override
        public Transport make() {
            transport.add(connecting);
            transport.add(other);
            return transport;
        }

        @Override
        public Knobs knobs() {
            return Knobs.USUAL;
        }

        @Override
        public InetAddress at() {
            return hosts.leftAddress();
        }

        @Override
        public void close() {
            transport.remove(connecting, "The test is over.");
            transport.remove(other, "The test is over.");
            hosts.close();
        }
    }

    private static void assertRefused(Ends ends, Region region) {
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> ends.near.send(region.key(), 0, 100, 3))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EFAULT))
                .withMessageContaining("The device makes no region.");
        assertThat(ends.near.state().phase()).isEqualTo(Phase.CONNECTED);
    }

    private static void assertArrives(Ends ends, int length) {
        ends.far.receive(ends.region.key(), 0, length, 5);
        assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(length);
    }

    private static void assertIsFree(Ends ends) {
        while (!ends.next(ends.near, Operation.SEND).has(Completions.FREE)) {
            // the other half of its completion
        }
    }

    private static void assertCarries(Ends ends) {
        ends.near.send(ends.region.key(), 1 << 20, 1000, 4);
        assertArrives(ends, 1000);
        assertIsFree(ends);
        assertThat(ends.near.state().phase()).isEqualTo(Phase.CONNECTED);
    }

    private static void sendWhenItIsReached(Ends ends, Region region) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (true) {
            try {
                ends.near.send(region.key(), 0, 100, 6);
                return;
            } catch (Refusal refusal) {
                assertThat(System.nanoTime() - end).as("nanoseconds late, and " + refusal).isNegative();
                ends.turn(Duration.ofMillis(5));
            }
        }
    }

    @Test
    void aSendOfItIsRefusedUntilTheDeviceTakesItAfterAll() {
        try (Ends ends = new Ends(new Two())) {
            refused = "unreached";
            MemoryBlock block = ends.memory.make(refused, 4096);
            Region region = ends.context.register(block, Region.SEND);
            block.segment().fill((byte) 7);
            block.close();
            assertRefused(ends, region);
            assertCarries(ends);
            assertRefused(ends, region);
            refused = NONE;
            sendWhenItIsReached(ends, region);
            assertArrives(ends, 100);
            assertThat(ends.bytes(0, 100)).containsOnly(7);
            assertIsFree(ends);
            region.close();
            long end = System.nanoTime() + LIMIT_NANOS;
            while (!block.holders().isEmpty()) {
                assertThat(System.nanoTime() - end).as("nanoseconds late").isNegative();
                ends.turn(Duration.ofMillis(5));
            }
        }
    }

    @Test
    void theDeviceIsAskedOnceInASecondAtMost() {
        try (Ends ends = new Ends(new Two())) {
            refused = "unreached";
            MemoryBlock block = ends.memory.make(refused, 4096);
            Region region = ends.context.register(block, Region.SEND);
            block.close();
            long begin = System.nanoTime();
            for (int i = 0; i < 100; i++) {
                assertRefused(ends, region);
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            // when it was registered, with the first send, and then with one of each second
            assertThat(refusals.get()).isBetween(2, (int) seconds + 2);
        }
    }

    @Test
    void aWriteOfAChannelIsRefusedUntilTheDeviceTakesItsMemory() throws IOException {
        try (Ends ends = new Ends(new Two())) {
            refused = "channel of " + ends.near.name();
            ByteChannel channel = ends.near.channel();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> channel.write(ByteBuffer.allocate(10)))
                    .withMessageContaining("The device makes no region.");
            assertCarries(ends);
            refused = NONE;
            writeWhenItIsReached(ends, channel);
            assertArrives(ends, 10);
        }
    }

    private static void writeWhenItIsReached(Ends ends, ByteChannel channel) throws IOException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (true) {
            try {
                assertThat(channel.write(ByteBuffer.allocate(10))).isEqualTo(10);
                return;
            } catch (IOException refusal) {
                if (System.nanoTime() - end > 0) {
                    throw refusal;
                }
                ends.turn(Duration.ofMillis(5));
            }
        }
    }
}

package io.manafold.sockets.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState.Phase;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.memory.RawMemory;
import io.manafold.rdma.internal.device.Hosts;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import io.manafold.streams.Ends;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that says what never was costs the endpoint that it says it of, and no other of the queues. */
@Timeout(120)
class LyingDeviceTest {
    private static final int SLOTS = 8;

    private SharedCompletionQueue queue;
    /** The name of the endpoint whose memory the device has no key of any more. */
    private volatile String keyless = "";

    /** A real device, of which the test knows the completions. */
    private final class LookedThrough implements Way {
        private final Hosts hosts = new Hosts();
        private final RdmaTransport transport = new RdmaTransport(hosts.leftConnections());
        private final RdmaDevice device = Devices.over(RdmaDevice.class, hosts.left(), (method, _, real) -> {
            Object answer = real.call();
            if (answer instanceof SharedCompletionQueue made) {
                queue = made;
            }
            return method.equals("allocateDomain") ? domain((ProtectionDomain) answer) : answer;
        });

        private ProtectionDomain domain(ProtectionDomain of) {
            return Devices.over(ProtectionDomain.class, of, (method, arguments, real) -> {
                Object answer = real.call();
                return method.equals("register") ? region(((MemoryBlock) arguments[0]).name(), (MemoryRegion) answer)
                        : answer;
            });
        }

        private MemoryRegion region(String name, MemoryRegion of) {
            return Devices.over(MemoryRegion.class, of, (method, _, real) -> {
                if (method.equals("localKey") && name.equals("receives of " + keyless)) {
                    throw new IllegalStateException("no key");
                }
                return real.call();
            });
        }

        @Override
        public Transport make() {
            transport.add(device);
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
            transport.remove(device, "The test is over.");
            hosts.close();
        }
    }

    /** Two more ends, on the same queues. */
    private static Endpoint[] others(Ends ends) {
        Endpoint near = ends.context.connect(ends.queues, ends.listener.local(), EndpointPlan.USUAL, 2);
        assertThat(ends.next(near, Operation.CONNECT).errno()).isZero();
        return new Endpoint[] {near, ends.next(done -> done.operation() == Operation.ACCEPT).endpoint()};
    }

    private static void assertCarries(Ends ends, Endpoint from, Endpoint to) {
        from.send(ends.region.key(), 0, 1000, 3);
        to.receive(ends.region.key(), 2000, 1000, 4);
        assertThat(ends.next(to, Operation.RECEIVE).length()).isEqualTo(1000);
        while (!ends.next(from, Operation.SEND).has(Completions.FREE)) {
            // the other half of its completion
        }
    }

    /** Waits for the first message that came, and makes a longer one of it, written elsewhere. */
    private void lie() throws InterruptedException {
        long at = queue.memory().getFirst().pointer();
        while (true) {
            for (int slot = 0; slot < SLOTS; slot++) {
                long entry = at + (long) slot * CompletionEntry.SIZE;
                if (RawMemory.getAcquire32(entry + CompletionEntry.LAST) != 0
                        && RdmaCompletion.type(RawMemory.get32(entry)) == RdmaCompletion.SEND_WITH_IMMEDIATE) {
                    RawMemory.put32(entry + RdmaCompletion.LENGTH, Integer.MAX_VALUE);
                    RawMemory.put32(entry, RdmaCompletion.first(RdmaCompletion.WRITE_WITH_IMMEDIATE, 0));
                    return;
                }
            }
            Thread.sleep(1);
        }
    }

    private static void assertEnds(Ends ends, Endpoint bad, Errno errno) {
        assertThat(ends.next(bad, Operation.RECEIVE).errno()).isEqualTo(errno.number());
        assertThat(bad.state().phase()).isEqualTo(Phase.BROKEN);
        bad.close();
        assertThat(ends.next(bad, Operation.CLOSE).errno()).isEqualTo(errno.number());
    }

    @Test
    void aMessageThatWasWrittenElsewhereEndsItsEndpoint() throws InterruptedException {
        try (Ends ends = new Ends(new LookedThrough())) {
            Endpoint[] good = others(ends);
            ends.far.receive(ends.region.key(), 0, 1 << 20, 5);
            ends.near.send(ends.region.key(), 2 << 20, 100, 6);
            ends.queues.submit();
            lie();
            assertEnds(ends, ends.far, Errno.EPROTO);
            assertThat(ends.far.failure()).contains("none of this protocol");
            assertCarries(ends, good[0], good[1]);
        }
    }

    @Test
    void anErrorOfOursEndsTheEndpointThatItComesOf() {
        try (Ends ends = new Ends(new LookedThrough())) {
            Endpoint[] good = others(ends);
            keyless = ends.far.name();
            ends.far.receive(ends.region.key(), 0, 100, 5);
            ends.far.receive(ends.region.key(), 100, 100, 5);
            ends.near.send(ends.region.key(), 2 << 20, 100, 6);
            assertThat(ends.next(ends.far, Operation.RECEIVE)).isNotNull();
            assertThat(ends.far.failure()).contains("an error of the platform's");
            assertCarries(ends, good[0], good[1]);
            for (int i = 0; i < 3; i++) {
                ends.turn(Duration.ofMillis(10));
            }
        }
    }
}

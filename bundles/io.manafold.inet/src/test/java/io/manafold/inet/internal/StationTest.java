package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A device is let go while its thread is in a call, as when a receiver holds that for long. */
class StationTest {
    private final List<String> order = new ArrayList<>();

    /** What is behind a device: it does in a call what another thread may do meanwhile. */
    private final class Behind implements PacketHandler {
        private Runnable meanwhile = () -> { };

        @Override
        public void receive(PacketPort port, PacketBuffer[] packets, int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int doWork(PacketPort port) {
            order.add("begins");
            meanwhile.run();
            order.add("ends");
            return 1;
        }

        @Override
        public long restNanos() {
            return 0;
        }

        @Override
        public void drop() {
            // nothing is kept here
        }
    }

    @Test
    void whatItUsesIsGivenBackAtTheEndOfTheCall() {
        FakeDevice device = new FakeDevice("mana0", 0x000d3a000001L, new FakeDevice.Wire());
        Behind behind = new Behind();
        Station station = new Station("inet mana0", device, behind);
        station.attach();
        behind.meanwhile = () -> {
            station.close();
            assertThat(station.isInside()).isTrue();
            station.whenOut(() -> order.add("given back"));
            station.whenOut(() -> order.add("and more"));
        };
        assertThat(station.doWork()).isEqualTo(1);
        assertThat(order).containsExactly("begins", "ends", "given back", "and more");
        assertThat(station.isInside()).isFalse();
        station.whenOut(() -> order.add("at once"));
        assertThat(station.doWork()).as("no call begins any more").isZero();
        assertThat(order).endsWith("and more", "at once");
    }

    @Test
    void theNextDeviceComesWhenTheThreadOfTheOneBeforeIsOutOfAReceiver() {
        Pair pair = new Pair();
        FakeDevice next = new FakeDevice("mana1", 0x000d3a000003L, pair.wire);
        List<Host.Mode> modes = new ArrayList<>();
        DatagramPort port = pair.hostB.bind(IpAddress.ANY4, 7, _ -> {
            pair.hostB.detach(pair.b);
            pair.hostB.attach(next);
            modes.add(pair.hostB.mode());
        });
        DatagramPort asking = pair.hostA.bind(IpAddress.ANY4, 0, _ -> { });
        asking.send(new byte[10], 0, 10, Pair.B4, 7);
        pair.settle();
        assertThat(modes).containsExactly(Host.Mode.TAKEN);
        assertThat(next.user).isNull();
        assertThat(pair.hostB.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .contains("holds the thread"));
        pair.hostB.attach(next);
        assertThat(pair.hostB.mode()).isEqualTo(Host.Mode.BUILT_IN);
        assertThat(pair.hostB.problem()).isEmpty();
        assertThat(next.user).isNotNull();
        port.close();
        asking.close();
        pair.hostB.detach(next);
        pair.hostA.detach(pair.a);
        pair.settle();
        assertThat(pair.b.outstanding()).isZero();
        assertThat(next.outstanding()).isZero();
    }
}

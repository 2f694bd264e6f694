package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.TwoHosts.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvent.Type;
import io.manafold.api.rdma.AsyncEvents;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ports that go and come, and addresses of their hosts, are told to all who have the device. */
@Timeout(300)
class PortEventsTest {
    private static AsyncEvent next(AsyncEvents events, Type type) throws InterruptedException {
        AsyncEvent event = events.next(MINUTE).orElseThrow();
        assertThat(event.type()).as(event.sentence()).isEqualTo(type);
        assertThat(event.number()).as("port").isEqualTo(1);
        return event;
    }

    @Test
    void linksAndAddressesAreTold() throws InterruptedException {
        try (TwoHosts hosts = new TwoHosts(); AsyncEvents events = hosts.left.context.events();
                AsyncEvents others = hosts.left.device.open().events()) {
            hosts.left.carrier = false;
            for (AsyncEvents each : List.of(events, others)) {
                assertThat(next(each, Type.PORT_ERR).sentence()).isEqualTo("Port 1 of mana_0 neither sends nor "
                        + "receives: mana0 is down or has no carrier.");
            }
            assertThat(hosts.left.context.port(1).isActive()).isFalse();
            hosts.left.carrier = true;
            next(events, Type.PORT_ACTIVE);
            hosts.lan.there.remove(TwoHosts.LEFT);
            assertThat(next(events, Type.GID_CHANGE).sentence()).doesNotContain("10.77.0.1");
            assertThat(hosts.left.context.gids(1)).hasSize(1);
            hosts.lan.there.add(TwoHosts.LEFT);
            assertThat(next(events, Type.GID_CHANGE).sentence()).startsWith("Port 1 of mana_0 has now the addresses ")
                    .contains("fe80:", "10.77.0.1");
            // what has not changed is not told, and the other device's ports are not this one's
            assertThat(events.next(Duration.ofMillis(500))).isEmpty();
            assertThat(events.lost()).isZero();
        }
    }
}

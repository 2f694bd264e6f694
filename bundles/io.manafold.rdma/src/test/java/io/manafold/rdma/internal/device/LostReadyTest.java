package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.TwoHosts.MINUTE;
import static io.manafold.rdma.internal.device.TwoHosts.PORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.PacketRule.Action;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.rdma.internal.connection.Timing;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The message that the asking end is ready may be lost: its first data says the same. */
@Timeout(300)
class LostReadyTest {
    private static final int MANAGEMENT = 1;
    /** Nothing is said twice within the time of the test, and nothing for an answer that takes its time. */
    private static final Timing SLOW = new Timing(600_000_000_000L, 5, 600_000_000_000L, 60_000_000_000L, 500_000_000,
            50_000_000);

    @Test
    void theFirstMessageEstablishesTheAskedEnd() throws InterruptedException {
        try (TwoHosts hosts = new TwoHosts(SLOW)) {
            RdmaListener listener = hosts.right.connections.listen(PORT);
            RdmaConnection asking = hosts.left.connections.connect(hosts.left.pair(), hosts.address(hosts.right, PORT),
                    ConnectionPlan.USUAL);
            ConnectionRequest request = listener.next(MINUTE).orElseThrow();
            // the reply passes, and nothing of management after it
            hosts.net.link().impair(new PacketRule(MANAGEMENT, PacketRule.ANY, PacketRule.ANY, PacketRule.ANY,
                    Action.DELAY, 1, 1));
            hosts.net.link().impair(new PacketRule(MANAGEMENT, PacketRule.ANY, PacketRule.ANY, PacketRule.ANY,
                    Action.DROP, 0, 0));
            RdmaConnection asked = request.accept(hosts.right.pair(), ConnectionPlan.USUAL);
            asking.established(MINUTE);
            assertThat(asked.next(Duration.ofMillis(300))).as("what is known before any data").isEmpty();
            hosts.exchange(asking.pair(), asked.pair());
            assertThat(asked.next(MINUTE).orElseThrow().type()).isEqualTo(Type.ESTABLISHED);
            assertThat(asked.state()).isEqualTo(ConnectionState.ESTABLISHED);
            hosts.net.link().clearRules();
            asking.disconnect();
            assertThat(asked.next(MINUTE).orElseThrow().type()).isEqualTo(Type.DISCONNECTED);
        }
    }
}

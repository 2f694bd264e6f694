package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.TwoHosts.MINUTE;
import static io.manafold.rdma.internal.device.TwoHosts.PORT;
import static io.manafold.rdma.internal.device.TwoHosts.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaListener;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The peer that asks for a connection says how long acknowledgements are awaited here, but not for ever or hours. */
@Timeout(300)
class AcknowledgeTimeoutTest {
    @ParameterizedTest
    @CsvSource({"0, 18", "31, 18", "21, 18", "20, 20", "14, 14"})
    void theWishOfThePeerHasBounds(int asked, int accepted) throws Exception {
        try (TwoHosts hosts = new TwoHosts();
                ConnectionFlooder peer = new ConnectionFlooder(hosts.net, RIGHT,
                        hosts.right.ethernet.vports().getFirst().mac(), PORT, new byte[0], asked);
                RdmaListener listener = hosts.right.connections.listen(PORT)) {
            hosts.lan.strangers.put(ConnectionFlooder.gid(), peer.mac());
            peer.askOnce();
            QueuePair pair = hosts.right.pair();
            listener.next(MINUTE).orElseThrow().accept(pair, ConnectionPlan.USUAL);
            assertThat(pair.attributes().ackTimeout()).isEqualTo(accepted);
        }
    }
}

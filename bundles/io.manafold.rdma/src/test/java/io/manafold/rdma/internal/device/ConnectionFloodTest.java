package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.TwoHosts.MINUTE;
import static io.manafold.rdma.internal.device.TwoHosts.PORT;
import static io.manafold.rdma.internal.device.TwoHosts.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One host asks for connections without end; another one still gets its own, and its data arrives whole. */
@Timeout(300)
class ConnectionFloodTest {
    private static final int ROUNDS = 5;
    private static final int BACKLOG = 8;

    private final TwoHosts hosts = new TwoHosts();
    private final ConnectionFlooder flooder = new ConnectionFlooder(hosts.net, RIGHT,
            hosts.right.ethernet.vports().getFirst().mac(), PORT);

    ConnectionFloodTest() throws InterruptedException {
        hosts.lan.strangers.put(ConnectionFlooder.gid(), flooder.mac());
    }

    @AfterEach
    void close() throws InterruptedException {
        flooder.close();
        hosts.close();
    }

    private void flood(RdmaListener flooded) throws InterruptedException {
        flooder.begin();
        while (flooded.refused() < BACKLOG) {
            Thread.sleep(1);
        }
    }

    @Test
    void whoAsksAnotherListenerIsServedAsEver() throws Exception {
        RdmaListener flooded = hosts.right.connections.listen(hosts.address(hosts.right, PORT), BACKLOG);
        RdmaListener other = hosts.right.connections.listen(PORT + 1);
        TwoHosts.Pair before = hosts.connect(other);
        flood(flooded);
        for (int round = 0; round < ROUNDS; round++) {
            hosts.exchange(before.asking().pair(), before.asked().pair());
            TwoHosts.Pair meanwhile = hosts.connect(other);
            hosts.exchange(meanwhile.asking().pair(), meanwhile.asked().pair());
        }
        System.out.printf("%d connections asked for, %d refused%n", flooder.asked(), flooded.refused());
        assertThat(other.refused()).isZero();
        assertThat(flooded.refused()).isGreaterThan(100);
        // what was not refused waits, and there are no more connections than those
        assertThat(hosts.right.device.management().connections()).hasSizeLessThanOrEqualTo(ROUNDS + 1 + BACKLOG);
        assertThat(hosts.right.adapter.adapter().rejections()).isEmpty();
    }

    /** A program that takes the requests as they come finds those of another host among them. */
    @Test
    void whoAsksTheSameListenerGetsItsTurn() throws Exception {
        RdmaListener flooded = hosts.right.connections.listen(hosts.address(hosts.right, PORT), BACKLOG);
        flood(flooded);
        QueuePair own = null;
        QueuePair accepted = null;
        for (int attempts = 0; accepted == null; attempts++) {
            assertThat(attempts).as("attempts to connect").isLessThan(1000);
            own = hosts.left.pair();
            RdmaConnection asking = hosts.left.connections.connect(own, hosts.address(hosts.right, PORT),
                    ConnectionPlan.USUAL);
            boolean over = false;
            while (!over) {
                Optional<ConnectionRequest> request = flooded.next(Duration.ofMillis(10));
                if (request.isPresent() && request.get().remote().equals(asking.local())) {
                    accepted = hosts.right.pair();
                    RdmaConnection asked = request.get().accept(accepted, ConnectionPlan.USUAL);
                    asking.established(MINUTE);
                    asked.established(MINUTE);
                    over = true;
                } else if (request.isPresent()) {
                    request.get().reject(new byte[0]);
                }
                Optional<ConnectionEvent> event = over ? Optional.empty() : asking.next(Duration.ZERO);
                if (event.isPresent()) {
                    assertThat(event.get().type()).as(event.get().sentence()).isIn(Type.REJECTED, Type.UNREACHABLE);
                    over = true;
                }
            }
            if (accepted == null) {
                own.close();
            }
        }
        hosts.exchange(own, accepted);
    }
}

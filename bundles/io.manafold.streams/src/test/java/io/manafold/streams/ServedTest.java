package io.manafold.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState.Phase;
import io.manafold.api.sockets.KnobState;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues of channels, and the thread that serves them, which the system may refuse. */
@Timeout(60)
class ServedTest {
    private static final InetSocketAddress TO = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final RefusedThreads threads = new RefusedThreads();
    private final Context context = new Context(new EmptyTransport() {
        @Override
        protected StreamEndpoint connect(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan,
                List<KnobState> knobs, long tag) {
            return new Connected(queues, remote, plan, knobs, tag);
        }
    }, "test", Blocks.source());
    private final Served served = new Served(context, threads);

    private void refuse() {
        threads.refused = RefusedThreads.ALL;
        assertThatThrownBy(() -> served.connect(TO, EndpointPlan.USUAL, LIMIT)).isInstanceOf(OutOfMemoryError.class);
        threads.refused = RefusedThreads.NONE;
    }

    @Test
    void theNextConnectHasAThreadWhenOneCanBeStarted() throws InterruptedException {
        refuse();
        Endpoint connected = served.connect(TO, EndpointPlan.USUAL, LIMIT);
        assertThat(connected.state().phase()).isEqualTo(Phase.CONNECTED);
        served.close();
        assertThat(context.endpoints()).isEmpty();
    }

    @Test
    void whatWasRefusedLeavesNothingToEnd() {
        refuse();
        served.close();
        context.close();
    }
}

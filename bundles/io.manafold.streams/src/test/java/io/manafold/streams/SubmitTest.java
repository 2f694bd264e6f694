package io.manafold.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Endpoints that begin together, of which one fails. */
class SubmitTest {
    private static final InetSocketAddress WRONG = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);

    private final List<InetSocketAddress> began = new ArrayList<>();

    private final class Failing extends EmptyTransport {
        @Override
        protected StreamEndpoint connect(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan,
                List<KnobState> knobs, long tag) {
            return new Connected(queues, remote, plan, knobs, tag) {
                @Override
                protected int begin() {
                    if (remote().equals(WRONG)) {
                        throw new IllegalStateException("wrong");
                    }
                    began.add(remote());
                    return super.begin();
                }
            };
        }
    }

    @Test
    void thoseBehindOneThatFailsBeginTheNextTime() {
        Context context = new Context(new Failing(), "test", Blocks.source());
        Queues queues = context.queues(QueuesPlan.USUAL);
        InetSocketAddress first = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        InetSocketAddress last = new InetSocketAddress(InetAddress.getLoopbackAddress(), 3);
        for (InetSocketAddress to : List.of(first, WRONG, last)) {
            context.connect(queues, to, EndpointPlan.USUAL, 1);
        }
        assertThatThrownBy(queues::submit).isInstanceOf(IllegalStateException.class);
        assertThat(queues.submit()).isEqualTo(1);
        assertThat(began).containsExactly(first, last);
        assertThat(queues.submit()).isZero();
        context.close();
    }
}

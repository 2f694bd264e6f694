package io.manafold.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
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

    /** A transport that carries nothing. */
    private final class Nothing extends Transport {
        Nothing() {
            super("nothing");
        }

        @Override
        protected StreamQueues makeQueues(Context context, QueuesPlan plan, List<KnobState> knobs) {
            return new StreamQueues(context, plan, knobs) {
                @Override
                protected void look() {
                    // nothing comes
                }

                @Override
                protected void rest(long nanos) {
                    // nothing is waited for
                }

                @Override
                protected void wake() {
                    // it never rests
                }

                @Override
                protected void end() {
                    // there is nothing of the kernel's
                }

                @Override
                protected boolean isForAnyThread() {
                    return true;
                }
            };
        }

        @Override
        protected StreamEndpoint connect(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan,
                List<KnobState> knobs, long tag) {
            return new Connected(queues, remote, plan, knobs, tag);
        }

        @Override
        protected StreamListener listen(StreamQueues queues, InetSocketAddress local, EndpointPlan plan,
                List<KnobState> knobs, long tag) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected KnobOffer offer(Knob knob, String value) {
            return yes(knob, value, "it changes nothing");
        }

        @Override
        protected String usual(Knob knob) {
            return knob.classic();
        }
    }

    /** Connected as soon as it is made, which is something to begin. */
    private final class Connected extends StreamEndpoint {
        Connected(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan, List<KnobState> knobs, long tag) {
            super(queues, plan, knobs, false);
            connecting(remote, tag);
            connected(remote, remote);
        }

        @Override
        protected int begin() {
            if (remote().equals(WRONG)) {
                throw new IllegalStateException("wrong");
            }
            began.add(remote());
            return 1;
        }

        @Override
        protected void resume() {
            // nothing comes
        }

        @Override
        protected void stopReceives() {
            receivesStopped();
        }

        @Override
        protected void disconnect(boolean abort) {
            gone();
        }
    }

    @Test
    void thoseBehindOneThatFailsBeginTheNextTime() {
        Context context = new Context(new Nothing(), "test", Blocks.source());
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

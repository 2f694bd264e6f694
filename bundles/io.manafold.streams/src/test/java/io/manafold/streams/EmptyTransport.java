package io.manafold.streams;

import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A transport that carries nothing. */
abstract class EmptyTransport extends Transport {
    EmptyTransport() {
        super("nothing");
    }

    @Override
    protected final StreamQueues makeQueues(Context context, QueuesPlan plan, List<KnobState> knobs) {
        return new StreamQueues(context, plan, knobs) {
            private volatile Thread parked;
            private volatile boolean woken;

            @Override
            protected void look() {
                // nothing comes
            }

            @Override
            protected void rest(long nanos) {
                parked = Thread.currentThread();
                if (!woken) {
                    LockSupport.parkNanos(this, nanos);
                }
                woken = false;
            }

            @Override
            protected void wake() {
                woken = true;
                LockSupport.unpark(parked);
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
    protected final StreamListener listen(StreamQueues queues, InetSocketAddress local, EndpointPlan plan,
            List<KnobState> knobs, long tag) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected final KnobOffer offer(Knob knob, String value) {
        return yes(knob, value, "it changes nothing");
    }

    @Override
    protected final String usual(Knob knob) {
        return knob.classic();
    }

    /** Connected as soon as it is made, which is something to begin. */
    static class Connected extends StreamEndpoint {
        Connected(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan, List<KnobState> knobs, long tag) {
            super(queues, plan, knobs, false);
            connecting(remote, tag);
            connected(remote, remote);
        }

        @Override
        protected int begin() {
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
}

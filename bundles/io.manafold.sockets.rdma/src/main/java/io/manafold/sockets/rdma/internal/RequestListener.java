package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.streams.StreamListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener over the connection manager. */
final class RequestListener extends StreamListener {
    /** Connections at a time, those that are coming included: each has a memory block of the platform's. */
    static final int MOST = 512;
    private static final Logger LOG = LoggerFactory.getLogger(RequestListener.class);
    private static final byte[] STRANGER =
            "this port takes byte streams of the same platform alone".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FULL = "there is no room for another connection".getBytes(StandardCharsets.US_ASCII);

    private final RdmaTransport transport;
    private final RdmaQueues queues;
    private final RdmaListener listener;
    private final boolean acceptsMany;
    /** Those that the peer does not know of yet; the backlog bounds them, since each has memory of the platform's. */
    private final List<RdmaEndpoint> coming = new ArrayList<>();
    /** Those that have memory. */
    private int count;

    RequestListener(RdmaTransport transport, RdmaQueues queues, RdmaListener listener, EndpointPlan plan,
            List<KnobState> knobs, long tag) {
        super(queues, plan, knobs, tag);
        this.transport = transport;
        this.queues = queues;
        this.listener = listener;
        acceptsMany = KnobStates.is(knobs, Knob.ACCEPT, "multishot");
        listening(listener.local());
        queues.add(this);
    }

    void unpark(Thread waiter) {
        listener.unpark(waiter);
    }

    /** Takes what peers have asked. */
    void requests() {
        do {
            if (queues.room() == 0) {
                rests(0, "the queue of completions is full");
                return;
            }
            Optional<ConnectionRequest> next = coming.size() < plan().backlog() ? next() : Optional.empty();
            if (next.isEmpty()) {
                return;
            }
            take(next.get());
        } while (acceptsMany);
    }

    private Optional<ConnectionRequest> next() {
        try {
            return isClosed() ? Optional.empty() : listener.next(Duration.ZERO);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (Refusal closed) {
            return Optional.empty();
        }
    }

    private void take(ConnectionRequest request) {
        Hello hello = Hello.decode(request.privateData());
        Device device = transport.device(request.device());
        if (hello == null || device == null) {
            LOG.debug("{} asks {} for a connection that is no byte stream, or of a device that has gone",
                    request.remote(), name());
            Device.quietly(() -> request.reject(STRANGER));
            return;
        }
        if (!transport.admit(count)) {
            LOG.debug("{} has no room for a connection of {}", name(), request.remote());
            Device.quietly(() -> request.reject(FULL));
            return;
        }
        count++;
        try {
            RdmaEndpoint endpoint = new RdmaEndpoint(queues, device, plan(), knobs());
            endpoint.accept(request, hello, this);
            coming.add(endpoint);
        } catch (Refusal refused) {
            left();
            // a peer that asks again and again does not fill the log
            LOG.debug("{} takes no connection of {}: {}", name(), request.remote(), refused.getMessage());
            Device.quietly(() -> request.reject(new byte[0]));
        }
    }

    /** A connection is there at both ends. */
    void came(RdmaEndpoint endpoint) {
        coming.remove(endpoint);
        queues.add(endpoint);
        accepted(endpoint);
    }

    /** One that it has taken has no memory any more. */
    void left() {
        count--;
        transport.release();
    }

    /** It will not be there. */
    void lost(RdmaEndpoint endpoint) {
        coming.remove(endpoint);
    }

    @Override
    protected void resume() {
        if (isResting() && queues.room() > 0) {
            goesOn();
            requests();
        }
    }

    @Override
    protected void stop() {
        queues.remove(this);
        Device.quietly(listener::close);
        List.copyOf(coming).forEach(RdmaEndpoint::unmade);
        coming.clear();
    }
}

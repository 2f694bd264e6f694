package io.manafold.streams;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.RegionState;
import io.manafold.api.sockets.Sockets;
import io.manafold.api.sockets.Transfer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What one bundle has of a transport. */
public final class Context implements Sockets {
    private final Transport transport;
    private final String owner;
    private final MemorySource memory;
    private final RegionTable regions;
    private final Set<StreamEndpoint> endpoints = ConcurrentHashMap.newKeySet();
    private final Set<StreamListener> listeners = ConcurrentHashMap.newKeySet();
    private final Set<StreamQueues> queues = ConcurrentHashMap.newKeySet();
    private final Served served;

    /**
     * @param owner the symbolic name of the bundle
     * @param memory of which channels have their buffers
     */
    public Context(Transport transport, String owner, MemorySource memory) {
        this.transport = transport;
        this.owner = owner;
        this.memory = memory;
        regions = new RegionTable(transport, owner);
        served = new Served(this, Thread.ofPlatform().daemon().name("manafold-" + transport.name() + "-channels")
                .factory());
        transport.add(this);
    }

    @Override
    public String transport() {
        return transport.name();
    }

    @Override
    public String protocol() {
        return transport.protocol();
    }

    @Override
    public InetAddress address() {
        return transport.address();
    }

    @Override
    public List<KnobOffer> probe() {
        return transport.offers();
    }

    @Override
    public KnobOffer offer(Knob knob, String value) {
        if (!knob.allows(value)) {
            throw new Refusal(Errno.EINVAL, "The knob " + knob.word() + " cannot be '" + value + "'; it can be "
                    + knob.allowed() + ".");
        }
        return transport.offer(knob, value);
    }

    @Override
    public Region register(MemoryBlock block, long offset, long length, int rights) {
        return regions.register(block, offset, length, rights);
    }

    @Override
    public Queues queues(QueuesPlan plan) {
        return make(plan);
    }

    StreamQueues make(QueuesPlan plan) {
        StreamQueues made = transport.makeQueues(this, plan, transport.rules().ofQueues(plan.knobs()));
        queues.add(made);
        return made;
    }

    @Override
    public Endpoint connect(Queues on, InetSocketAddress remote, EndpointPlan plan, long tag) {
        StreamQueues ours = ours(on);
        ours.enter();
        try {
            return connectInside(ours, remote, plan, tag);
        } finally {
            ours.leave();
        }
    }

    StreamEndpoint connectInside(StreamQueues ours, InetSocketAddress remote, EndpointPlan plan, long tag) {
        checkAddress(remote);
        checkPlan(plan);
        ours.checkOpen();
        StreamEndpoint made = transport.connect(ours, remote, plan, knobs(ours, plan), tag);
        ours.add(made);
        return made;
    }

    @Override
    public Listener listen(Queues on, InetSocketAddress local, EndpointPlan plan, long tag) {
        StreamQueues ours = ours(on);
        checkAddress(local);
        checkPlan(plan);
        ours.enter();
        try {
            ours.checkOpen();
            StreamListener made = transport.listen(ours, local, plan, knobs(ours, plan), tag);
            ours.add(made);
            return made;
        } finally {
            ours.leave();
        }
    }

    @Override
    public Endpoint connect(InetSocketAddress remote, EndpointPlan plan, Duration limit) throws InterruptedException {
        return served.connect(remote, plan, limit);
    }

    private StreamQueues ours(Queues on) {
        if (on instanceof StreamQueues candidate && candidate.context() == this) {
            return candidate;
        }
        throw new Refusal(Errno.EINVAL, "The queues '" + on.name() + "' are not those of " + owner
                + " for the transport " + transport.name() + "; make queues of this service.");
    }

    private static void checkAddress(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new Refusal(Errno.EINVAL, "The address " + address.getHostString()
                    + " is a name; connections are made by number, as 192.0.2.1 or 2001:db8::1.");
        }
    }

    private static void checkPlan(EndpointPlan plan) {
        if (plan.sends() < 1 || plan.sends() > 1 << 16 || plan.receives() < 1 || plan.receives() > 1 << 16) {
            throw new Refusal(Errno.EINVAL, "An endpoint can have 1 to 65536 sends and as many receives posted, not "
                    + plan.sends() + " and " + plan.receives() + ".");
        }
        if (plan.pieces() < 1 || plan.pieces() > 1024) {
            throw new Refusal(Errno.EINVAL, "A send has 1 to 1024 pieces, not " + plan.pieces() + ".");
        }
    }

    private List<KnobState> knobs(StreamQueues on, EndpointPlan plan) {
        return transport.rules().ofEndpoint(plan.knobs(), on.knobs());
    }

    @Override
    public List<EndpointState> endpoints() {
        return transport.contexts().stream().flatMap(context -> context.endpoints.stream()).map(Endpoint::state)
                .toList();
    }

    @Override
    public List<ListenerState> listeners() {
        return transport.contexts().stream().flatMap(context -> context.listeners.stream()).map(Listener::state)
                .toList();
    }

    @Override
    public List<Transfer> explain(String endpoint) {
        return find(endpoint).map(Endpoint::explain).orElseThrow(() -> new Refusal(Errno.ENOENT, "There is no endpoint "
                + endpoint + " of the transport " + transport.name() + "."));
    }

    private Optional<StreamEndpoint> find(String name) {
        return Stream.concat(transport.contexts().stream().flatMap(context -> context.endpoints.stream()),
                transport.closed().stream())
                .filter(endpoint -> endpoint.name().equals(name)).findFirst();
    }

    @Override
    public List<EndpointState> closed() {
        return transport.closed().stream().map(Endpoint::state).toList();
    }

    @Override
    public boolean close(String name) {
        boolean found = false;
        for (Context context : transport.contexts()) {
            for (StreamEndpoint endpoint : context.endpoints) {
                if (endpoint.name().equals(name)) {
                    endpoint.close();
                    found = true;
                }
            }
            for (StreamListener listener : context.listeners) {
                if (listener.name().equals(name)) {
                    listener.close();
                    found = true;
                }
            }
        }
        return found;
    }

    @Override
    public List<RegionState> regions() {
        return transport.contexts().stream().flatMap(context -> context.regions.states().stream()).toList();
    }

    // ---- of its parts

    String owner() {
        return owner;
    }

    /** Of which channels and what transports need have their buffers. */
    public MemorySource memory() {
        return memory;
    }

    public RegionTable table() {
        return regions;
    }

    String nextName() {
        return transport.nextName();
    }

    void add(StreamEndpoint endpoint) {
        endpoints.add(endpoint);
    }

    void forget(StreamEndpoint endpoint) {
        endpoints.remove(endpoint);
        transport.closed(endpoint);
    }

    void add(StreamListener listener) {
        listeners.add(listener);
    }

    void forget(StreamListener listener) {
        listeners.remove(listener);
    }

    void forget(StreamQueues gone) {
        queues.remove(gone);
    }

    /** Ends all that the bundle has made. */
    public void close() {
        served.close();
        queues.forEach(StreamQueues::close);
        regions.closeAll();
        transport.forget(this);
    }
}

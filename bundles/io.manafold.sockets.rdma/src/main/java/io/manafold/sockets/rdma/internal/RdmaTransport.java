package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Context;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.StreamEndpoint;
import io.manafold.streams.StreamListener;
import io.manafold.streams.StreamQueues;
import io.manafold.streams.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams over queue pairs of all RDMA devices that are there. Any thread may call. */
final class RdmaTransport extends Transport {
    /** After so long without a word a peer is asked if it is there. */
    private static final String IDLE_SECONDS = "30";
    private static final Logger LOG = LoggerFactory.getLogger(RdmaTransport.class);

    /**
     * Connections that peers have asked for, of all listeners: three quarters of the memory blocks that a platform has
     * where its configuration gives no other number. Where it gives fewer, the blocks themselves are the bound.
     */
    static final int MOST_ACCEPTED = 768;

    private final RdmaConnections connections;
    private final List<Device> devices = new CopyOnWriteArrayList<>();
    private final Set<RdmaQueues> queues = ConcurrentHashMap.newKeySet();
    /** What may be sent. */
    private final Set<HeldRegion> regions = ConcurrentHashMap.newKeySet();
    /** Connections of peers that have memory. */
    private final AtomicInteger accepted = new AtomicInteger();

    private final int mostOfListener;
    private final int mostAccepted;

    RdmaTransport(RdmaConnections connections) {
        this(connections, RequestListener.MOST, MOST_ACCEPTED);
    }

    /** For peers there are so many connections of each listener, and so many of all together. */
    RdmaTransport(RdmaConnections connections, int mostOfListener, int mostAccepted) {
        super("rdma");
        this.connections = connections;
        this.mostOfListener = mostOfListener;
        this.mostAccepted = mostAccepted;
    }

    RdmaConnections connections() {
        return connections;
    }

    // ---- devices

    void add(RdmaDevice rdma) {
        Device device = new Device(rdma);
        // first, so that what is registered meanwhile is told to it too
        devices.add(device);
        regions.removeIf(HeldRegion::isClosed);
        regions.forEach(region -> Device.quietly(() -> device.register(region)));
    }

    /** Its endpoints end, and no queue has its memory any more. */
    void remove(RdmaDevice rdma, String why) {
        for (Device device : devices) {
            if (device.rdma() == rdma) {
                devices.remove(device);
                Refusal gone = new Refusal(Errno.ENODEV, why);
                for (RdmaQueues one : queues) {
                    one.run(() -> one.gone(device, gone));
                }
                device.end();
            }
        }
    }

    boolean hasDevices() {
        return !devices.isEmpty();
    }

    /** By its name; {@code null} if it is not there. */
    Device device(String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst().orElse(null);
    }

    // ---- memory

    @Override
    protected void registering(HeldRegion region) {
        // what comes is copied, so that the device reaches only what is sent
        if ((region.rights() & Region.SEND) == 0) {
            return;
        }
        regions.add(region);
        Refusal first = null;
        boolean isKnown = false;
        try {
            for (Device device : devices) {
                try {
                    device.register(region);
                    isKnown = true;
                } catch (Refusal refused) {
                    // over the others it is sent all the same
                    LOG.debug("{} does not reach {}: {}", device.name(), region.block().name(), refused.getMessage());
                    first = first == null ? refused : first;
                }
            }
            if (first != null && !isKnown) {
                throw first;
            }
        } catch (RuntimeException refused) {
            closing(region);
            throw refused;
        }
    }

    @Override
    protected void closing(HeldRegion region) {
        regions.remove(region);
        if (region.inFlight() == 0) {
            idle(region);
        }
    }

    @Override
    protected void idle(HeldRegion region) {
        devices.forEach(device -> device.forget(region));
    }

    // ---- connections of peers

    /**
     * One more that a peer asks for; false if there are so many that the platform's memory is kept for others.
     *
     * @param ofListener how many it has
     */
    boolean admit(int ofListener) {
        return ofListener < mostOfListener
                && accepted.getAndUpdate(count -> Math.min(count + 1, mostAccepted)) < mostAccepted;
    }

    /** One that was admitted has nothing any more. */
    void release() {
        accepted.decrementAndGet();
    }

    // ---- making

    @Override
    protected StreamQueues makeQueues(Context context, QueuesPlan plan, List<KnobState> knobs) {
        RdmaQueues made = new RdmaQueues(this, context, plan, knobs);
        queues.add(made);
        return made;
    }

    void forget(RdmaQueues gone) {
        queues.remove(gone);
    }

    @Override
    protected StreamEndpoint connect(StreamQueues on, InetSocketAddress remote, EndpointPlan plan,
            List<KnobState> knobs, long tag) {
        String name = connections.deviceTo(remote.getAddress());
        Device device = device(name);
        if (device == null) {
            throw new Refusal(Errno.ENODEV, "The device " + name + " that leads to " + remote
                    + " has gone, or has only just come.");
        }
        RdmaEndpoint made = new RdmaEndpoint((RdmaQueues) on, device, plan, knobs);
        made.connect(remote, plan, tag);
        return made;
    }

    @Override
    protected StreamListener listen(StreamQueues on, InetSocketAddress local, EndpointPlan plan, List<KnobState> knobs,
            long tag) {
        return new RequestListener(this, (RdmaQueues) on,
                connections.listen(local, Math.clamp(plan.backlog(), 1, 4096)), plan, knobs, tag);
    }

    @Override
    protected String protocol() {
        return "rdma";
    }

    /** One that another device leads to, if there are several; of IPv4, if there is one. */
    @Override
    protected InetAddress address() {
        Gid found = Gid.NONE;
        for (Device device : devices) {
            for (Gid gid : device.rdma().gids(1)) {
                if (!gid.equals(Gid.NONE) && (gid.isIpv4() || !found.isIpv4())) {
                    found = gid;
                }
            }
        }
        if (found.equals(Gid.NONE)) {
            throw new Refusal(Errno.EADDRNOTAVAIL, "No RDMA device has an address; see 'rdma link'.");
        }
        try {
            return found.isIpv4() ? InetAddress.getByAddress(ByteBuffer.allocate(4).putInt((int) found.low()).array())
                    : InetAddress.getByAddress(ByteBuffer.allocate(16).putLong(found.high()).putLong(found.low())
                    .array());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    // ---- knobs

    @Override
    protected String usual(Knob knob) {
        return switch (knob) {
            case MEMORY -> "registered";
            case QUEUES -> "ring";
            case GATHER, NODELAY -> "on";
            case SEND -> "zerocopy";
            case RECEIVE -> "pool";
            case ACCEPT -> "multishot";
            case KEEPALIVE -> IDLE_SECONDS;
            default -> knob.classic();
        };
    }

    @Override
    protected KnobOffer offer(Knob knob, String value) {
        return switch (knob) {
            case MEMORY -> value.equals("registered") ? yes(knob, value, "the device knows the memory once for all")
                    : no(knob, value, "an RDMA device reaches only memory that it was told of");
            case QUEUES -> yes(knob, value, value.equals("ring") ? "what is posted together has one doorbell"
                    : "each message has a doorbell of its own");
            case GATHER -> yes(knob, value, value.equals("on")
                    ? "what is posted together is one message, up to what the peer takes"
                    : "each send is a message of its own");
            case WAIT -> value.equals("kernel") ? no(knob, value, "the kernel has no part in it")
                    : yes(knob, value, value.equals("spin") ? "completions are looked at again and again"
                    : "asleep until the device's event");
            case SEND -> value.equals("copy") ? no(knob, value, "the device reads what is sent where it lies")
                    : yes(knob, value, "the device reads what is sent where it lies");
            case RECEIVE -> switch (value) {
                case "posted" -> yes(knob, value, "copied out of the connection's buffers into each");
                case "pool" -> yes(knob, value, "copied out of the connection's buffers into the pool");
                default -> no(knob, value, "the device does not know yet whose message comes when it places it");
            };
            case ACCEPT -> yes(knob, value, value.equals("single") ? "one connection each time"
                    : "as many as have come");
            case BUSYPOLL -> value.equals("0") ? yes(knob, value, "the kernel does not poll the card")
                    : no(knob, value, "the kernel has no part in it");
            case QUEUE -> value.equals("any") ? yes(knob, value, "a queue pair of its own")
                    : no(knob, value, "each connection has a queue pair of its own");
            case CONGESTION -> value.equals("default") ? yes(knob, value, "the device's own")
                    : no(knob, value, "the device has its own, and not that of TCP");
            case NODELAY -> value.equals("on") ? yes(knob, value, "messages leave at once")
                    : no(knob, value, "the device holds no message back");
            case KEEPALIVE -> yes(knob, value, value.equals("0") ? "a peer that vanishes is noticed by sending"
                    : "the peer's device is asked after so many seconds without a word");
            case BUFFERS -> yes(knob, value, value.equals("0") ? "16 messages of 16 KiB"
                    : "16 messages of a sixteenth of it, at least 1 KiB");
        };
    }
}

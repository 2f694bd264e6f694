package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.gdma.message.ConfigureRdmaGid;
import io.manafold.gdma.message.ConfigureRdmaMac;
import io.manafold.gdma.message.CreateRdmaAdapter;
import io.manafold.gdma.message.QueryRdmaCapabilities;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.MemoryBorrower;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RDMA device of a function at work: its adapter with event queues and addresses, and the contexts of those who use it. */
final class VerbsDevice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsDevice.class);
    private static final long PATIENCE_MILLIS = 1_000;
    private static final int SEND_BYTES = 512;
    private static final int RECEIVE_BYTES = 256;
    private static final int MOST_REQUESTS = 1 << 13;
    private static final int LONGEST = 16 << 20;
    private static final int GIDS = 16;
    private static final int LARGEST_MTU = 4096;
    private static final int ROCE_PORT = 4791;
    private static final int MOST_FLOW = 0xf_ffff;

    private final String part;
    private final String name;
    private final List<Port> ports;
    private final ClientSession client;
    private final LentBlocks blocks;
    private final DeviceAttributes attributes;
    private final EventLines events;
    private final Errands errands;
    private final long adapter;
    private final List<Gid> gids;
    private final List<VerbsContext> contexts = new CopyOnWriteArrayList<>();
    /** By their number in events. */
    private final Map<Integer, SharedCompletionQueue> queues = new ConcurrentHashMap<>();
    /** Read by those who make, change or end something, written by the end of the device. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private volatile boolean gone;

    /**
     * Brings it up, in the order of the Linux driver.
     *
     * @param part the id of the auxiliary device
     * @param name what the device is called
     * @param ports of the function, in their order
     */
    VerbsDevice(String part, String name, FunctionSession function, MemoryBorrower memory, List<Port> ports) {
        this.part = part;
        this.name = name;
        DeviceId id = function.device(DeviceId.TYPE_RDMA).orElseThrow(() -> new Refusal(Errno.ENODEV,
                function.pci().id() + " lists no RDMA device."));
        client = function.register(id, memory.whole());
        blocks = new LentBlocks(memory);
        EventLines lines = null;
        Errands soon = null;
        try {
            QueryRdmaCapabilities.Result can = client.call(new QueryRdmaCapabilities());
            this.ports = (can.features() & QueryRdmaCapabilities.PORTS) != 0 ? List.copyOf(ports) : List.of(ports.getFirst());
            attributes = attributes(can, function);
            lines = new EventLines(client, "manafold-rdma-" + part, this::event);
            soon = new Errands("manafold-rdma-errands-" + part);
            events = lines;
            errands = soon;
            boolean tellsErrors = (can.features() & QueryRdmaCapabilities.ERROR_COMPLETIONS) != 0;
            adapter = client.call(new CreateRdmaAdapter(lines.failures(), tellsErrors ? CreateRdmaAdapter.ERROR_COMPLETIONS : 0))
                    .adapter();
            for (Port port : this.ports) {
                client.call(new ConfigureRdmaMac(adapter, ConfigureRdmaMac.ADD, port.mac()));
            }
            gids = this.ports.stream().map(port -> Gid.linkLocal(port.mac())).toList();
            for (Gid gid : gids) {
                io.manafold.gdma.Gid added = gid(gid);
                client.call(new ConfigureRdmaGid(adapter, ConfigureRdmaGid.ADD, added.family(), added));
            }
        } catch (RuntimeException refused) {
            if (soon != null) {
                soon.close();
            }
            if (lines != null) {
                lines.close();
                lines.destroy();
            }
            client.close();
            throw refused;
        }
    }

    /** What the device says it can, as far as it can be true. */
    private DeviceAttributes attributes(QueryRdmaCapabilities.Result can, FunctionSession function) {
        int requests = Math.min(MOST_REQUESTS, Math.min(can.requesterSendBytes() / SEND_BYTES,
                can.requesterReceiveBytes() / RECEIVE_BYTES));
        if (requests < 1 || can.sendPieces() < 1 || can.receivePieces() < 1) {
            throw new Refusal(Errno.EPROTO, function.pci().id() + " says that its RDMA device has no room for requests: rings of "
                    + can.requesterSendBytes() + " and " + can.requesterReceiveBytes() + " bytes, " + can.sendPieces() + " and "
                    + can.receivePieces() + " pieces.");
        }
        return new DeviceAttributes(function.pci().identity().vendor(), DeviceId.TYPE_RDMA, Gid.guid(ports.getFirst().mac()),
                ports.size(), can.protectionDomains(), can.memoryRegions(), can.completionQueues(), can.queuePairs(), requests,
                Math.min(can.sendPieces(), WorkRequest.MAX_SEND_PIECES - 1),
                Math.min(can.receivePieces(), WorkRequest.MAX_RECEIVE_PIECES), requests, Math.clamp(can.inboundReads(), 0, 255),
                Math.clamp(can.outboundReads(), 0, 255), LONGEST);
    }

    private static io.manafold.gdma.Gid gid(Gid gid) {
        return new io.manafold.gdma.Gid(gid.high(), gid.low());
    }

    // ---- what it is

    String name() {
        return name;
    }

    String part() {
        return part;
    }

    String summary() {
        return "ports " + ports.size() + ", qp " + resources().get("qp");
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    private Port at(int number) {
        if (number < 1 || number > ports.size()) {
            throw new Refusal(Errno.EINVAL, name + " has the ports 1 to " + ports.size() + ", not " + number + ".");
        }
        return ports.get(number - 1);
    }

    PortAttributes port(int number) {
        Port port = at(number);
        int active = SetQpState.mtuBytes(SetQpState.mtuCode(port.mtu()));
        return new PortAttributes(port.name(), port.isActive(), LARGEST_MTU, active, GIDS, port.speed());
    }

    List<Gid> gids(int port) {
        at(port);
        return List.of(gids.get(port - 1));
    }

    SortedMap<String, Integer> resources() {
        SortedMap<String, Integer> count = new TreeMap<>(Map.of("pd", 0, "mr", 0, "cq", 0, "qp", 0));
        contexts.forEach(context -> context.count(count));
        return count;
    }

    /** What packets carry from a queue pair of a port to a peer. */
    SetQpState.Path path(Path path, int port, int from, int peer) {
        List<Gid> own = gids(port);
        if (path.gidIndex() < 0 || path.gidIndex() >= own.size()) {
            throw new Refusal(Errno.EINVAL, name + " has the addresses 0 to " + (own.size() - 1) + " at port " + port + ", not "
                    + path.gidIndex() + ".");
        }
        if (path.trafficClass() >>> 8 != 0 || path.flowLabel() < 0 || path.flowLabel() > MOST_FLOW || path.hopLimit() < 1
                || path.hopLimit() > 255) {
            throw new Refusal(Errno.EINVAL, "A path has a traffic class from 0 to 255, a flow label from 0 to " + MOST_FLOW
                    + " and a hop limit from 1 to 255.");
        }
        io.manafold.gdma.Gid source = gid(own.get(path.gidIndex()));
        io.manafold.gdma.Gid destination = gid(path.destination());
        if (source.family() != destination.family()) {
            throw new Refusal(Errno.EINVAL, "A path does not lead from " + source + " to " + destination
                    + ": both are addresses of IPv4 or both of IPv6.");
        }
        if (path.mac() == null && !path.destination().isFromMac()) {
            throw new Refusal(Errno.EHOSTUNREACH, "It is not known where " + path.destination()
                    + " is on the link of " + at(port).name() + "; say it with Path.at.");
        }
        return new SetQpState.Path(source, destination, at(port).mac(), path.mac() == null ? path.destination().mac() : path.mac(),
                source.family(), destination.family(), path.hopLimit(), path.trafficClass() >>> 2,
                udpPort(path.flowLabel(), from, peer), ROCE_PORT, path.flowLabel());
    }

    /** So that packets of one connection take one way, and those of several take several. */
    private static int udpPort(int flowLabel, long from, long peer) {
        long flow = flowLabel;
        if (flow == 0) {
            long product = from * peer;
            product ^= product >>> 20;
            product ^= product >>> 40;
            flow = product & MOST_FLOW;
        }
        return (int) (flow & 0x3fff ^ flow >>> 14) | 0xc000;
    }

    // ---- for its contexts

    ClientSession client() {
        return client;
    }

    LentBlocks blocks() {
        return blocks;
    }

    long adapter() {
        return adapter;
    }

    int eventQueue() {
        return events.completions();
    }

    void add(SharedCompletionQueue queue) {
        queues.put(queue.id(), queue);
    }

    void remove(SharedCompletionQueue queue) {
        queues.remove(queue.id(), queue);
    }

    void soon(Runnable errand) {
        errands.send(errand);
    }

    /** Ends something, of which nothing more can be made if it does not end. */
    void quietly(Runnable end) {
        try {
            end.run();
        } catch (Refusal refused) {
            LOG.warn("{}: {}", name, refused.getMessage());
        }
    }

    boolean enter() {
        life.readLock().lock();
        if (gone) {
            life.readLock().unlock();
            return false;
        }
        return true;
    }

    void leave() {
        life.readLock().unlock();
    }

    boolean isGone() {
        return gone;
    }

    Refusal gone() {
        return new Refusal(Errno.ENODEV, name + " has gone: its function has left its driver, is being reset, or was taken away; it"
                + " comes back as a new service.");
    }

    VerbsContext open() {
        VerbsContext context = new VerbsContext(this);
        contexts.add(context);
        return context;
    }

    void close(VerbsContext context) {
        context.release();
        contexts.remove(context);
    }

    // ---- events, on the agent

    private void event(int type, int data) {
        switch (type) {
            case EventEntry.COMPLETION -> {
                SharedCompletionQueue queue = queues.get(EventEntry.completionQueue(data));
                if (queue != null) {
                    queue.signal();
                }
            }
            case EventEntry.QUEUE_PAIR_FATAL -> {
                for (VerbsContext context : contexts) {
                    RcQueuePair pair = context.pair(EventEntry.queuePair(data));
                    if (pair != null) {
                        pair.fatal();
                    }
                }
            }
            default -> LOG.debug("{}: event {} with {}", name, type, data);
        }
    }

    // ---- the end

    private boolean lockForEnd() {
        try {
            return life.writeLock().tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** All that is under way comes back flushed, and nothing of it is left when this returns. */
    @Override
    public void close() {
        // who is at it may complete what it asks of the device, unless that does not answer
        boolean alone = lockForEnd();
        gone = true;
        if (alone) {
            life.writeLock().unlock();
        }
        Farewell farewell = new Farewell();
        contexts.forEach(context -> context.end(farewell));
        farewell.leave();
        errands.close();
        events.close();
        contexts.forEach(context -> context.tell(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0, gone().getMessage())));
        try {
            farewell.device(client, adapter);
        } finally {
            events.destroy();
            client.close();
            farewell.memory(client);
            blocks.close();
        }
    }
}

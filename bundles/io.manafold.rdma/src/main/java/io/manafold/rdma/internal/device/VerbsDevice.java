package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.Path;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.gdma.message.ConfigureRdmaMac;
import io.manafold.gdma.message.CreateRdmaAdapter;
import io.manafold.gdma.message.QueryRdmaCapabilities;
import io.manafold.gdma.message.QueryVfCounters;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.MemoryBorrower;
import io.manafold.rdma.internal.connection.Timing;
import io.manafold.rdma.internal.queue.ManagementQueuePair;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RDMA device of a function at work: its adapter with event queues and addresses, and the contexts of those who use
 * it.
 */
final class VerbsDevice extends PartDevice {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsDevice.class);
    private static final int SEND_BYTES = 512;
    private static final int RECEIVE_BYTES = 256;
    private static final int MOST_REQUESTS = 1 << 13;
    private static final int LONGEST = 16 << 20;

    private final List<Port> ports;
    private final DeviceAttributes attributes;
    private final EventLines events;
    private final CommandQueue commands;
    private final long adapter;
    /** By port. */
    private final List<GidTable> gids = new ArrayList<>();
    private final List<PortWatch> watches = new ArrayList<>();
    private final Listeners listeners;
    private final Management management;
    /** By their number in events. */
    private final Map<Integer, SharedCompletionQueue> queues = new ConcurrentHashMap<>();

    /**
     * Brings it up, in the order of the Linux driver.
     *
     * @param part the id of the auxiliary device
     * @param name what the device is called
     * @param ports of the function, in their order
     * @param listeners for requests that come
     * @param timing of connections
     */
    VerbsDevice(String part, String name, FunctionSession function, MemoryBorrower memory, List<Port> ports,
            Listeners listeners, Timing timing) {
        super(part, name, register(function, memory), memory);
        this.listeners = listeners;
        ClientSession client = client();
        EventLines lines = null;
        CommandQueue soon = null;
        try {
            QueryRdmaCapabilities.Result can = client.call(new QueryRdmaCapabilities());
            this.ports = (can.features() & QueryRdmaCapabilities.PORTS) != 0 ? List.copyOf(ports)
                    : List.of(ports.getFirst());
            attributes = attributes(can, function);
            lines = new EventLines(client, "manafold-rdma-" + part, this::event, 0, 2);
            soon = new CommandQueue("manafold-rdma-commands-" + part);
            events = lines;
            commands = soon;
            boolean tellsErrors = (can.features() & QueryRdmaCapabilities.ERROR_COMPLETIONS) != 0;
            adapter = client.call(new CreateRdmaAdapter(lines.failures(), tellsErrors
                    ? CreateRdmaAdapter.ERROR_COMPLETIONS : 0))
                    .adapter();
            for (Port port : this.ports) {
                client.call(new ConfigureRdmaMac(adapter, ConfigureRdmaMac.ADD, port.mac()));
            }
            for (Port port : this.ports) {
                gids.add(new GidTable(client, adapter, Gid.linkLocal(port.mac())));
                watches.add(new PortWatch(name, gids.size(), port, gids.getLast().list()));
            }
            management = new Management(this, "manafold-rdma-cm-" + part,
                    new ManagementQueuePair(client, adapter, lines.completions()), timing);
            management.start();
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

    private static ClientSession register(FunctionSession function, MemoryBorrower memory) {
        DeviceId id = function.device(DeviceId.TYPE_RDMA).orElseThrow(() -> new Refusal(Errno.ENODEV,
                function.pci().id() + " lists no RDMA device."));
        return function.register(id, memory.whole());
    }

    /** What the device says it can, as far as it can be true. */
    private DeviceAttributes attributes(QueryRdmaCapabilities.Result can, FunctionSession function) {
        int requests = Math.min(MOST_REQUESTS, Math.min(can.requesterSendBytes() / SEND_BYTES,
                can.requesterReceiveBytes() / RECEIVE_BYTES));
        if (requests < 1 || can.sendPieces() < 1 || can.receivePieces() < 1) {
            throw new Refusal(Errno.EPROTO, function.pci().id()
                    + " says that its RDMA device has no room for requests: rings of " + can.requesterSendBytes()
                    + " and " + can.requesterReceiveBytes() + " bytes, " + can.sendPieces() + " and "
                    + can.receivePieces() + " pieces.");
        }
        return new DeviceAttributes(function.pci().identity().vendor(), DeviceId.TYPE_RDMA,
                Gid.guid(ports.getFirst().mac()), ports.size(), can.protectionDomains(), can.memoryRegions(),
                can.completionQueues(), can.queuePairs(), requests,
                Math.min(can.sendPieces(), WorkRequest.MAX_SEND_PIECES - 1), Math.min(can.receivePieces(),
                WorkRequest.MAX_RECEIVE_PIECES), requests, Math.clamp(can.inboundReads(), 0, 255),
                Math.clamp(can.outboundReads(), 0, 255), LONGEST);
    }

    // ---- what it is

    @Override
    DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    List<Port> ports() {
        return ports;
    }

    @Override
    int mostGids() {
        return GidTable.MOST;
    }

    @Override
    List<Gid> gids(int port) {
        at(port);
        return gids.get(port - 1).list();
    }

    /** Whether one of the ports has an address. */
    boolean has(Gid gid) {
        return gids.stream().anyMatch(table -> table.list().contains(gid));
    }

    Neighbours neighbours(int port) {
        return at(port).neighbours();
    }

    /** The addresses of the ports are those of their hosts; contexts are told what is different. */
    void follow() {
        for (int i = 0; i < gids.size(); i++) {
            Neighbours neighbours = ports.get(i).neighbours();
            gids.get(i).follow(neighbours.isTaken() ? List.of() : neighbours.addresses());
            watches.get(i).look(gids.get(i).list(), event -> contexts().forEach(context -> context.tell(event)));
        }
    }

    Listeners listeners() {
        return listeners;
    }

    Management management() {
        return management;
    }

    /** What packets carry from a queue pair of a port to a peer. */
    SetQpState.Path path(Path path, int port, int from, int peer) {
        return PathFields.of(this, path, port, from, peer);
    }

    @Override
    Map<String, Long> counters() {
        QueryVfCounters.Result counted = client().call(new QueryVfCounters(adapter));
        Map<String, Long> counters = new LinkedHashMap<>();
        for (RdmaCounter counter : RdmaCounter.values()) {
            counters.put(counter.label(), counted.value(counter));
        }
        return counters;
    }

    // ---- for its contexts

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

    void soon(Runnable command) {
        commands.send(command);
    }

    @Override
    VerbsContext open() {
        return opened(new VerbsContext(this));
    }

    // ---- events, on the agent

    private void event(int type, int data) {
        switch (type) {
            case EventEntry.COMPLETION -> {
                SharedCompletionQueue queue = queues.get(EventEntry.completionQueue(data));
                if (queue != null) {
                    queue.signal();
                } else if (management != null && management.pair().queue() == EventEntry.completionQueue(data)) {
                    management.signal();
                }
            }
            case EventEntry.QUEUE_PAIR_FATAL -> {
                for (Context<?, ?> context : contexts()) {
                    RcQueuePair pair = ((VerbsContext) context).pair(EventEntry.queuePair(data));
                    if (pair != null) {
                        pair.fatal();
                    }
                }
            }
            default -> LOG.debug("{}: event {} with {}", name(), type, data);
        }
    }

    // ---- the end

    @Override
    public void close() {
        end();
        Teardown teardown = new Teardown();
        contexts().forEach(context -> ((VerbsContext) context).end(teardown));
        teardown.add(management.pair());
        teardown.leave();
        management.close();
        commands.close();
        events.close();
        contexts().forEach(context -> context.tell(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0,
                gone().getMessage())));
        try {
            teardown.device(client(), adapter);
        } finally {
            events.destroy();
            client().close();
            teardown.common().memory(client());
            blocks().close();
        }
    }
}

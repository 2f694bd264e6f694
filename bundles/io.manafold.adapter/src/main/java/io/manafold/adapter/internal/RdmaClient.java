package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.adapter.internal.rdma.GidTable;
import io.manafold.adapter.internal.rdma.QpNumber;
import io.manafold.adapter.internal.rdma.QueuePair;
import io.manafold.adapter.internal.rdma.RdmaCompletions;
import io.manafold.adapter.internal.rdma.RdmaEngine;
import io.manafold.adapter.internal.rdma.Traced;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.adapter.RdmaCompletionQueue;
import io.manafold.api.adapter.RdmaPort;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Gid;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.ConfigureRdmaGid;
import io.manafold.gdma.message.ConfigureRdmaMac;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.gdma.message.CreateRdmaAdapter;
import io.manafold.gdma.message.CreateRdmaCq;
import io.manafold.gdma.message.CreateUdQp;
import io.manafold.gdma.message.DestroyRcQp;
import io.manafold.gdma.message.DestroyRdmaAdapter;
import io.manafold.gdma.message.DestroyRdmaCq;
import io.manafold.gdma.message.DestroyUdQp;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.QueryRdmaCapabilities;
import io.manafold.gdma.message.QueryRdmaCounters;
import io.manafold.gdma.message.QueryVfCounters;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.RdmaDeviceCounter;
import io.manafold.gdma.message.RequestHead;
import io.manafold.gdma.message.SetQpState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The RDMA device: its adapter with addresses, completion queues, queue pairs, counters. */
final class RdmaClient implements Client {
    /** Reads that a queue pair answers and asks at a time. */
    static final int MOST_READS = 32;

    private static final int SEND_BYTES = 2 << 20;
    private static final int RECEIVE_BYTES = 1 << 20;
    private static final int SEND_PIECES = 16;
    private static final int RECEIVE_PIECES = 15;
    private static final long ADAPTER = 0x7001;
    private static final long MEGABIT = 1_000_000;

    private final FunctionParts hardware;
    private final FunctionObjects objects;
    private final Registration registration;
    private final List<RdmaEngine> engines;
    private final QueuePairs pairs;
    private final GidTable gids = new GidTable();
    private final Map<Long, Completions> completions = new LinkedHashMap<>();
    private long nextHandle = 0x8001;
    private boolean open;
    private boolean suspended;
    /** Hears of what queue pairs cannot tell by completions. */
    private volatile EventQueue events;

    RdmaClient(FunctionParts hardware, FunctionObjects objects, Registration registration) {
        this.hardware = hardware;
        this.objects = objects;
        this.registration = registration;
        this.engines = hardware.engines();
        this.pairs = new QueuePairs(hardware, objects, registration, this::completions);
    }

    /** A completion queue and the memory it has. */
    private record Completions(RdmaCompletions queue, Region region, long bytes) {
    }

    @Override
    public DeviceId device() {
        return DeviceId.RDMA;
    }

    @Override
    public boolean knows(Command command) {
        return command.isRdma();
    }

    @Override
    public Reply reply(Command command, RequestHead head, Message request) {
        if (!registration.isTaken()) {
            throw new CommandException(Status.DENIED, "a device is registered before it is used",
                    "send register-device first");
        }
        return switch (command) {
            case QUERY_RDMA_CAPABILITIES -> Reply.of(capabilities());
            case CREATE_RDMA_ADAPTER -> create(CreateRdmaAdapter.decode(request));
            case DESTROY_RDMA_ADAPTER -> {
                require(DestroyRdmaAdapter.decode(request).adapter());
                end();
                yield Reply.DONE;
            }
            case CONFIGURE_RDMA_GID -> configure(ConfigureRdmaGid.decode(request));
            case CONFIGURE_RDMA_MAC -> configure(ConfigureRdmaMac.decode(request));
            case CREATE_RDMA_CQ -> create(CreateRdmaCq.decode(request));
            case DESTROY_RDMA_CQ -> destroy(DestroyRdmaCq.decode(request));
            case CREATE_UD_QP -> {
                CreateUdQp asked = CreateUdQp.decode(request);
                require(asked.adapter());
                yield Reply.of(pairs.create(asked, engines.getFirst()));
            }
            case DESTROY_UD_QP -> {
                DestroyUdQp asked = DestroyUdQp.decode(request);
                yield destroyPair(asked.adapter(), asked.queuePair());
            }
            case CREATE_RC_QP -> {
                CreateRcQp asked = CreateRcQp.decode(request);
                require(asked.adapter());
                yield Reply.of(pairs.create(asked, engines.getFirst()));
            }
            case DESTROY_RC_QP -> {
                DestroyRcQp asked = DestroyRcQp.decode(request);
                yield destroyPair(asked.adapter(), asked.queuePair());
            }
            case SET_QP_STATE -> {
                SetQpState asked = SetQpState.decode(request);
                require(asked.adapter());
                pairs.change(asked, gids);
                yield Reply.DONE;
            }
            case QUERY_VF_COUNTERS -> {
                require(QueryVfCounters.decode(request).adapter());
                yield Reply.of(counters());
            }
            case QUERY_RDMA_COUNTERS -> {
                require(QueryRdmaCounters.decode(request).adapter());
                yield Reply.of(deviceCounters());
            }
            default -> throw new CommandException(Status.UNSUPPORTED, "this adapter has no " + command.label(),
                    "do without it, as the answer's status asks");
        };
    }

    private QueryRdmaCapabilities.Result capabilities() {
        long features = QueryRdmaCapabilities.ERROR_COMPLETIONS
                | (hardware.firmware().knows(Command.QUERY_RDMA_COUNTERS) ? QueryRdmaCapabilities.DEVICE_COUNTERS : 0)
                | (engines.size() > 1 ? QueryRdmaCapabilities.PORTS : 0);
        int lastNumber = QpNumber.last();
        ObjectLimits limits = hardware.settings().limits();
        return new QueryRdmaCapabilities.Result(lastNumber, lastNumber, Doorbells.COMPLETION_IDS - 1,
                limits.most(ObjectLimit.QUEUE_PAIRS), limits.most(ObjectLimit.COMPLETION_QUEUES),
                limits.most(ObjectLimit.MEMORY_KEYS), limits.most(ObjectLimit.PROTECTION_DOMAINS), MOST_READS,
                MOST_READS, 0, 0, SEND_BYTES, SEND_BYTES, RECEIVE_BYTES, RECEIVE_BYTES, SEND_PIECES, RECEIVE_PIECES, 0,
                features);
    }

    // ---- the adapter

    private Reply create(CreateRdmaAdapter asked) {
        if (open) {
            throw new CommandException(Status.BUSY, "a device has one RDMA adapter", "destroy the other one first");
        }
        events = objects.events().get(asked.eventQueue(), device());
        open = true;
        return Reply.of(new CreateRdmaAdapter.Result(ADAPTER));
    }

    private void require(long adapter) {
        if (!open || adapter != ADAPTER) {
            throw CommandException.missing("the RDMA adapter", adapter,
                    "use the handle that create-rdma-adapter has answered");
        }
    }

    private Reply configure(ConfigureRdmaGid asked) {
        require(asked.adapter());
        switch (asked.operation()) {
            case ConfigureRdmaGid.ADD -> {
                if (!gids.add(asked.gid())) {
                    throw CommandException.exhausted("addresses", GidTable.MOST);
                }
            }
            case ConfigureRdmaGid.REMOVE -> gids.remove(asked.gid());
            default -> throw wrongOperation(asked.operation());
        }
        return Reply.DONE;
    }

    private Reply configure(ConfigureRdmaMac asked) {
        require(asked.adapter());
        RdmaEngine engine = engines.stream().filter(one -> one.port().mac().equals(asked.mac())).findFirst()
                .orElseThrow(() -> CommandException.invalid("an RDMA adapter has the addresses of its own ports, not "
                + asked.mac(), "use the address that query-vport-config has answered"));
        switch (asked.operation()) {
            case ConfigureRdmaMac.ADD -> engine.open(gids, pairs.table(), this::tellFatal);
            case ConfigureRdmaMac.REMOVE -> engine.shut();
            default -> throw wrongOperation(asked.operation());
        }
        return Reply.DONE;
    }

    /** Any thread. */
    private void tellFatal(int queuePair) {
        EventQueue told = events;
        if (told != null) {
            told.post(EventEntry.QUEUE_PAIR_FATAL, queuePair);
        }
    }

    private static CommandException wrongOperation(int operation) {
        return CommandException.invalid("an address is added with 1 and removed with 2, not with " + operation,
                "write 1 or 2");
    }

    // ---- completion queues

    private Reply create(CreateRdmaCq asked) {
        require(asked.adapter());
        Region region = objects.regions().get(asked.region());
        int bytes = (int) Math.min(region.length(), FunctionObjects.MOST_QUEUE_BYTES + 1L) / CompletionQueue.ENTRY
                * CompletionQueue.ENTRY;
        FunctionObjects.checkCompletions(bytes);
        EventQueue queue = objects.events().get(asked.eventQueue(), device());
        if (!objects.pages().isUsable(asked.page(), registration.page())) {
            throw CommandException.missing("the doorbell page", Integer.toUnsignedLong(asked.page()),
                    "use one that was allocated, or the device's own");
        }
        QueueMemory memory = objects.queueMemory(region, bytes);
        long cost = FunctionObjects.queueBytes(bytes);
        hardware.budget().take("the completion queue", cost);
        int id = objects.doorbells().completion.take();
        if (id < 0) {
            hardware.budget().give(cost);
            throw CommandException.exhausted("completion queues", objects.doorbells().completion.most());
        }
        CompletionQueue made = new CompletionQueue(id, memory, queue, false);
        long handle = nextHandle++;
        objects.regions().consume(region);
        objects.events().depend(queue, 1);
        completions.put(handle, new Completions(new RdmaCompletions(handle, made), region, cost));
        objects.doorbells().completion.put(id, new Doorbells.Door(asked.page(), made::doorbell));
        return Reply.of(new CreateRdmaCq.Result(handle, id));
    }

    private RdmaCompletions completions(long handle) {
        Completions found = completions.get(handle);
        if (found == null) {
            throw CommandException.missing("the completion queue", handle,
                    "use a handle that create-rdma-cq has answered");
        }
        return found.queue;
    }

    private Reply destroy(DestroyRdmaCq asked) {
        require(asked.adapter());
        if (completions(asked.completionQueue()).isUsed()) {
            throw new CommandException(Status.BUSY, "a completion queue ends after the queue pairs that name it",
                    "destroy those first");
        }
        endCompletions(asked.completionQueue());
        return Reply.DONE;
    }

    private void endCompletions(long handle) {
        Completions ended = completions.remove(handle);
        CompletionQueue queue = ended.queue.queue();
        objects.doorbells().completion.remove(queue.id());
        objects.events().depend(queue.events(), -1);
        objects.doorbells().completion.free(queue.id());
        objects.regions().release(ended.region);
        hardware.budget().give(ended.bytes);
    }

    private Reply destroyPair(long adapter, long handle) {
        require(adapter);
        pairs.destroy(handle);
        return Reply.DONE;
    }

    // ---- counters

    private QueryVfCounters.Result counters() {
        long[] sums = new long[RdmaCounter.values().length];
        engines.forEach(engine -> engine.counters().addTo(sums));
        sums[RdmaCounter.CURRENT_RATE.ordinal()] = pairs.slowest() / MEGABIT;
        return new QueryVfCounters.Result(sums);
    }

    private QueryRdmaCounters.Result deviceCounters() {
        long[] sums = new long[RdmaDeviceCounter.values().length];
        engines.forEach(engine -> engine.counters().addDeviceTo(sums));
        return new QueryRdmaCounters.Result((int) sums[0], (int) sums[1], (int) sums[2], (int) sums[3], (int) sums[4],
                (int) sums[5]);
    }

    // ---- the administrator

    /** What there is, with what the ports have counted. */
    RdmaStatus status(List<RdmaPort> ports) {
        List<RdmaCompletionQueue> queues = completions.values().stream().map(RdmaClient::status).toList();
        return new RdmaStatus(open, suspended, ports, gids.all().stream().map(Gid::toString).toList(), queues,
                pairs.status());
    }

    private static RdmaCompletionQueue status(Completions one) {
        CompletionQueue queue = one.queue.queue();
        return new RdmaCompletionQueue(queue.id(), queue.entries(), queue.events().id(), one.queue.isUsed());
    }

    /** What is remembered of requests, also of queue pairs that have ended. */
    List<Traced> traced() {
        return pairs.traced();
    }

    boolean isSuspended() {
        return suspended;
    }

    /** Whether the driver has been told to do without RDMA. */
    void suspended(boolean told) {
        suspended = told;
    }

    /** The queue pairs of a port. */
    List<QueuePair> pairs(RdmaEngine engine) {
        return pairs.at(engine);
    }

    // ---- the end

    @Override
    public int end() {
        int ended = pairs.end() + completions.size();
        if (open) {
            engines.forEach(engine -> FunctionObjects.undo(engine.name(), engine::shut));
        }
        for (Long handle : completions.keySet().toArray(new Long[0])) {
            endCompletions(handle);
        }
        gids.all().forEach(gids::remove);
        open = false;
        events = null;
        return ended;
    }

    @Override
    public void usage(Map<String, Long> into) {
        into.put("queue_pairs", (long) pairs.count());
        into.put("rdma_completion_queues", (long) completions.size());
        into.put("gids", (long) gids.all().size());
    }
}

package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.adapter.internal.rdma.GidTable;
import io.manafold.adapter.internal.rdma.QpNumber;
import io.manafold.adapter.internal.rdma.QpSettings;
import io.manafold.adapter.internal.rdma.QueuePair;
import io.manafold.adapter.internal.rdma.RcQueuePair;
import io.manafold.adapter.internal.rdma.RcRings;
import io.manafold.adapter.internal.rdma.RdmaCompletions;
import io.manafold.adapter.internal.rdma.RdmaEngine;
import io.manafold.adapter.internal.rdma.RequestRing;
import io.manafold.adapter.internal.rdma.Traced;
import io.manafold.adapter.internal.rdma.UdQueuePair;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.net.MacAddress;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.Status;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.gdma.message.CreateUdQp;
import io.manafold.gdma.message.SetQpState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;

/** The queue pairs of a driver's RDMA adapter. Control agent only. */
final class QueuePairs {
    /** What a queue pair takes of our memory besides its rings. */
    private static final long PAIR_BYTES = 24 << 10;
    private static final long MANAGEMENT_BYTES = 300 << 10;

    private final FunctionParts hardware;
    private final FunctionObjects objects;
    private final Registration registration;
    private final LongFunction<RdmaCompletions> completions;
    private final IdTable<QueuePair> table;
    private final Map<Long, Owned> pairs = new LinkedHashMap<>();
    private final PairTraces traces = new PairTraces();
    private long nextHandle = 0x9001;

    QueuePairs(FunctionParts hardware, FunctionObjects objects, Registration registration,
            LongFunction<RdmaCompletions> completions) {
        this.hardware = hardware;
        this.objects = objects;
        this.registration = registration;
        this.completions = completions;
        table = new IdTable<>(0, QpNumber.SLOTS, hardware.settings().limits().most(ObjectLimit.QUEUE_PAIRS));
        // a peer that remembers a connection of an earlier life shall not take a new one for it
        table.startAt(ThreadLocalRandom.current().nextInt(QpNumber.SLOTS));
    }

    private static final class Owned {
        final QueuePair pair;
        final int slot;
        final List<Region> regions;
        final long bytes;
        QpSettings settings = QpSettings.NONE;

        Owned(QueuePair pair, int slot, List<Region> regions, long bytes) {
            this.pair = pair;
            this.slot = slot;
            this.regions = regions;
            this.bytes = bytes;
        }
    }

    IdTable<QueuePair> table() {
        return table;
    }

    int count() {
        return pairs.size();
    }

    /** Bits a second that congestion leaves the slowest queue pair, 0 if it limits none. */
    long slowest() {
        return pairs.values().stream().mapToLong(one -> one.pair instanceof RcQueuePair rc ? rc.limit() : 0)
                .filter(limit -> limit > 0).min().orElse(0);
    }

    List<RdmaQueuePair> status() {
        return pairs.values().stream().map(owned -> owned.pair.status()).toList();
    }

    /** What is remembered of requests, also of queue pairs that have ended. */
    List<Traced> traced() {
        return traces.all(pairs.values().stream().map(owned -> owned.pair)::iterator);
    }

    /** Those of a port. */
    List<QueuePair> at(RdmaEngine engine) {
        return pairs.values().stream().map(owned -> owned.pair).filter(pair -> pair.engine() == engine).toList();
    }

    // ---- reliable connections

    CreateRcQp.Result create(CreateRcQp asked, RdmaEngine engine) {
        int pd = domain(asked.protectionDomain());
        requirePage(asked.page());
        RdmaCompletions sends = completions.apply(asked.sendCompletions());
        RdmaCompletions receives = completions.apply(asked.receiveCompletions());
        List<Region> regions = regions(asked.sendRequester(), asked.sendResponder(), asked.receiveRequester(),
                asked.receiveResponder());
        RcRings rings = new RcRings(ring(regions.get(0), WorkRequest.MAX_SEND),
                ring(regions.get(2), WorkRequest.MAX_RECEIVE), ring(regions.get(3), WorkRequest.MAX_RECEIVE));
        long bytes = PAIR_BYTES + ringBytes(regions);
        int slot = take(bytes);
        RcQueuePair pair = new RcQueuePair(engine, slot, objects.keys(), pd, rings, sends, receives);
        objects.doorbells().pairs.put(slot, new Doorbells.PairDoor(asked.page(), pair));
        long handle = add(pair, slot, regions, bytes);
        int number = pair.number();
        return new CreateRcQp.Result(handle, number, number + 1, number + 2, number + 1, number);
    }

    // ---- management datagrams

    CreateUdQp.Result create(CreateUdQp asked, RdmaEngine engine) {
        if (asked.type() != CreateUdQp.MANAGEMENT) {
            throw new CommandException(Status.UNSUPPORTED,
                    "datagrams are for management alone, type " + CreateUdQp.MANAGEMENT
                    + ", not " + asked.type(), "use a reliable connection");
        }
        if (objects.doorbells().receive.get(UdQueuePair.NUMBER) != null) {
            throw new CommandException(Status.BUSY, "there is one queue pair of management",
                    "destroy the other one first");
        }
        int pd = domain(asked.protectionDomain());
        requirePage(asked.page());
        RdmaCompletions sends = completions.apply(asked.sendCompletions());
        RdmaCompletions receives = completions.apply(asked.receiveCompletions());
        List<Region> regions = regions(asked.sendRegion(), asked.receiveRegion());
        RequestRing sendRing = ring(regions.get(0), WorkRequest.MAX_SEND);
        RequestRing receiveRing = ring(regions.get(1), WorkRequest.MAX_RECEIVE);
        long bytes = MANAGEMENT_BYTES + ringBytes(regions);
        int slot = take(bytes);
        int send = objects.doorbells().send.take();
        if (send < 0) {
            table.free(slot);
            hardware.budget().give(bytes);
            throw CommandException.exhausted("send queues", objects.doorbells().send.most());
        }
        UdQueuePair pair = new UdQueuePair(engine, send, slot, objects.keys(), pd, sendRing, receiveRing, sends,
                receives, hardware.memory());
        objects.doorbells().send.put(send, new Doorbells.Door(asked.page(), (index, arm) -> pair.ringSends(index)));
        objects.doorbells().receive.put(UdQueuePair.NUMBER,
                new Doorbells.Door(asked.page(), (index, arm) -> pair.ringReceives(index)));
        long handle = add(pair, slot, regions, bytes);
        engine.manage(pair);
        return new CreateUdQp.Result(handle, send, UdQueuePair.NUMBER);
    }

    // ---- what both need

    private int domain(long handle) {
        int pd = objects.domains().usable(handle, DeviceId.RDMA);
        if (pd == Limits.NO_ID) {
            throw CommandException.missing("the protection domain", handle, "use a handle that create-pd has answered");
        }
        return pd;
    }

    private void requirePage(int page) {
        if (!objects.pages().isUsable(page, registration.page())) {
            throw CommandException.missing("the doorbell page", Integer.toUnsignedLong(page),
                    "use one that was allocated, or the device's own");
        }
    }

    private List<Region> regions(long... handles) {
        List<Region> regions = new ArrayList<>();
        for (long handle : handles) {
            Region region = objects.regions().get(handle);
            if (regions.contains(region)) {
                throw CommandException.invalid("each ring has a region of its own", "describe a region for each");
            }
            regions.add(region);
        }
        return regions;
    }

    private static int ringSize(Region region) {
        return (int) Long.highestOneBit(Math.min(region.length(), FunctionObjects.MOST_QUEUE_BYTES));
    }

    private static long ringBytes(List<Region> regions) {
        return regions.stream().mapToLong(region -> FunctionObjects.queueBytes(ringSize(region))).sum();
    }

    private RequestRing ring(Region region, int most) {
        int size = ringSize(region);
        FunctionObjects.checkSize("work queue", size);
        QueueMemory memory = objects.queueMemory(region, size);
        return new RequestRing(memory, size, most);
    }

    private int take(long bytes) {
        hardware.budget().take("the queue pair", bytes);
        int slot = table.take();
        if (slot < 0) {
            hardware.budget().give(bytes);
            throw CommandException.exhausted("queue pairs", table.most());
        }
        return slot;
    }

    private long add(QueuePair pair, int slot, List<Region> regions, long bytes) {
        regions.forEach(objects.regions()::consume);
        pair.sendCompletions().use(pair.engine());
        pair.receiveCompletions().use(pair.engine());
        objects.domains().use(pair.pd(), 1);
        pairs.put(nextHandle, new Owned(pair, slot, regions, bytes));
        table.put(slot, pair);
        return nextHandle++;
    }

    private Owned owned(long handle) {
        Owned found = pairs.get(handle);
        if (found == null) {
            throw CommandException.missing("the queue pair", handle,
                    "use a handle that create-rc-qp or create-ud-qp has answered");
        }
        return found;
    }

    /** On return nothing of the queue pair touches memory any more. */
    void destroy(long handle) {
        Owned ended = owned(handle);
        pairs.remove(handle);
        end(ended);
    }

    private void end(Owned ended) {
        QueuePair pair = ended.pair;
        if (pair instanceof UdQueuePair management) {
            objects.doorbells().receive.remove(UdQueuePair.NUMBER);
            objects.doorbells().send.remove(management.sendNumber());
        } else {
            objects.doorbells().pairs.remove(ended.slot);
        }
        // before the agent's next cycle, lest a packet find it in that
        table.remove(ended.slot);
        Traced last = pair instanceof RcQueuePair connected ? connected.traced() : null;
        FunctionObjects.undo(pair.engine().name(), () -> pair.engine().remove(pair));
        if (last != null) {
            traces.end(last);
        }
        // the writer of these may be another link's agent, which has its own reasons not to answer
        FunctionObjects.undo(pair.engine().name(), () -> pair.sendCompletions().leave(pair.engine()));
        FunctionObjects.undo(pair.engine().name(), () -> pair.receiveCompletions().leave(pair.engine()));
        if (pair instanceof UdQueuePair management) {
            objects.doorbells().send.free(management.sendNumber());
        }
        table.free(ended.slot);
        ended.regions.forEach(objects.regions()::release);
        objects.domains().use(pair.pd(), -1);
        hardware.budget().give(ended.bytes);
    }

    /** Ends all; returns how many there were. */
    int end() {
        int ended = pairs.size();
        pairs.values().forEach(this::end);
        pairs.clear();
        return ended;
    }

    // ---- states

    /** The engine of the port that packets from an address leave through. */
    private RdmaEngine through(MacAddress source) {
        List<RdmaEngine> all = hardware.engines();
        if (all.size() == 1) {
            return all.getFirst();
        }
        return all.stream().filter(RdmaEngine::isOpen).filter(engine -> engine.port().mac().equals(source))
                .findFirst().orElseThrow(() -> CommandException.invalid(
                        "packets come from a port whose address the RDMA adapter has, not from " + source,
                        "add the port's address with configure-rdma-mac first"));
    }

    void change(SetQpState asked, GidTable gids) {
        Owned one = owned(asked.queuePair());
        // one that has failed since it was looked at is looked at again
        boolean changed = false;
        while (!changed) {
            changed = change(one, one.pair.state(), asked, gids);
        }
    }

    /** Nothing if the queue pair is in the state no more; refused if it may not go from there where it is asked to. */
    private boolean change(Owned one, QpState before, SetQpState asked, GidTable gids) {
        boolean connected = one.pair instanceof RcQueuePair;
        QpState next = QpTransitions.next(before, asked, connected);
        QpSettings settings = next == QpState.RESET ? QpSettings.NONE : one.settings.with(asked);
        if (connected) {
            QpTransitions.check(asked, settings, next, gids);
        }
        QueuePair pair = one.pair;
        if (connected && (asked.mask() & QpAttribute.PATH) != 0) {
            RdmaEngine through = through(asked.path().sourceMac());
            if (through != pair.engine()) {
                pair.engine().handOver(pair, through);
            }
        }
        boolean[] changed = new boolean[1];
        pair.engine().change(pair, () -> changed[0] = switch (pair) {
            case RcQueuePair rc -> rc.change(before, next, settings);
            case UdQueuePair management -> management.change(before, next);
            default -> true;
        });
        if (changed[0]) {
            one.settings = settings;
        }
        return changed[0];
    }
}

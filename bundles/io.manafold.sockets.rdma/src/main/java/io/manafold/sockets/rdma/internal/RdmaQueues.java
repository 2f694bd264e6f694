package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.streams.Context;
import io.manafold.streams.StreamQueues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Queues over completion queues, one or more of each device that endpoints use. */
final class RdmaQueues extends StreamQueues {
    /** Of one message at most, which devices may know less of. */
    static final int PIECES = 30;
    private static final int MESSAGES = Outgoing.MOST + Window.CONTROL;
    private static final int BATCH = 64;
    /** Batches of one completion queue in a look, so that others have their turn. */
    private static final int ROUNDS = 8;
    private static final int SERIALS = 0xffff;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What is waited for until a time. */
    interface Waiting {
        /** By {@link System#nanoTime}. */
        long until();

        /** It is that time. */
        void due();
    }

    private final RdmaTransport transport;
    private final boolean single;
    private final List<DeviceQueue> queues = new ArrayList<>();
    private final List<RequestListener> listeners = new ArrayList<>();
    private final List<RdmaEndpoint> attended = new ArrayList<>();
    private final List<RdmaEndpoint> lingering = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Completions completions = new Completions(BATCH);
    private final SendList sends = new SendList(MESSAGES, MESSAGES * PIECES);
    private final IdleWatch idle = new IdleWatch();
    private RdmaEndpoint[] endpoints = new RdmaEndpoint[16];
    private RdmaEndpoint[] touched = new RdmaEndpoint[BATCH];
    private int touchedCount;
    private int serial;
    private volatile Thread parked;
    private volatile boolean woken;

    RdmaQueues(RdmaTransport transport, Context context, QueuesPlan plan, List<KnobState> knobs) {
        super(context, plan, knobs);
        this.transport = transport;
        single = KnobStates.is(knobs, Knob.QUEUES, "calls");
    }

    /** Whether each message has a doorbell of its own. */
    boolean isSingle() {
        return single;
    }

    /** For messages of one endpoint, which posts them before another fills it. */
    SendList sends() {
        return sends;
    }

    RdmaConnections connections() {
        return transport.connections();
    }

    // ---- endpoints by the ids of their completions

    /** Completions of a device, with room for so many more at a time. */
    DeviceQueue queue(Device device, int room) {
        for (DeviceQueue queue : queues) {
            if (queue.device() == device && queue.reserve(room)) {
                return queue;
            }
        }
        DeviceQueue made = new DeviceQueue(device);
        queues.add(made);
        if (!made.reserve(room)) {
            throw new Refusal(Errno.ENOBUFS, "A completion queue of " + device.name() + " holds less than the " + room
                    + " completions that one endpoint can have at a time.");
        }
        return made;
    }

    long enlist(RdmaEndpoint endpoint) {
        int slot = 0;
        while (slot < endpoints.length && endpoints[slot] != null) {
            slot++;
        }
        if (slot == endpoints.length) {
            endpoints = Arrays.copyOf(endpoints, slot * 2);
        }
        endpoints[slot] = endpoint;
        serial = serial % SERIALS + 1;
        return (long) slot << 32 | (long) serial << 16;
    }

    void delist(long id) {
        endpoints[(int) (id >>> 32)] = null;
    }

    /** Its connection is asked for events from now on. */
    void attend(RdmaEndpoint endpoint) {
        if (!endpoint.isAttended) {
            endpoint.isAttended = true;
            attended.add(endpoint);
        }
    }

    void attendNoMore(RdmaEndpoint endpoint) {
        if (endpoint.isAttended) {
            endpoint.isAttended = false;
            attended.remove(endpoint);
        }
    }

    void lingers(RdmaEndpoint endpoint) {
        lingering.add(endpoint);
    }

    void lingersNoMore(RdmaEndpoint endpoint) {
        lingering.remove(endpoint);
    }

    void add(RequestListener listener) {
        listeners.add(listener);
    }

    void remove(RequestListener listener) {
        listeners.remove(listener);
    }

    // ---- what comes

    @Override
    protected void look() {
        takeAll();
        for (int i = attended.size() - 1; i >= 0; i--) {
            // one may end others, which are none any more then
            if (i < attended.size()) {
                attended.get(i).events();
            }
        }
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).requests();
        }
    }

    private void takeAll() {
        for (int i = 0; i < queues.size(); i++) {
            poll(queues.get(i), ROUNDS);
        }
    }

    /** Takes all that has come by a device before an event of it, and so as much as a queue of it holds. */
    void takeAllOf(Device device) {
        for (int i = 0; i < queues.size(); i++) {
            if (queues.get(i).device() == device) {
                poll(queues.get(i), DeviceQueue.ENTRIES / BATCH);
            }
        }
    }

    private void poll(DeviceQueue from, int rounds) {
        try {
            for (int round = 0; round < rounds && from.queue().poll(completions) > 0; round++) {
                for (int i = 0; i < completions.count(); i++) {
                    take(i);
                }
                settle();
            }
        } catch (Refusal refused) {
            settle();
            gone(from.device(), refused);
        }
    }

    private void take(int index) {
        long id = completions.id(index);
        RdmaEndpoint endpoint = endpoints[(int) (id >>> 32)];
        // what one had that was closed meanwhile is not for the next one at its place
        if (endpoint == null || (endpoint.id() ^ id) >>> 16 != 0) {
            return;
        }
        endpoint.completed(completions, index);
        if (!endpoint.isTouched) {
            endpoint.isTouched = true;
            touched[touchedCount++] = endpoint;
        }
    }

    private void settle() {
        int count = touchedCount;
        touchedCount = 0;
        // before any is settled, so that one that fails leaves nothing behind
        for (int i = 0; i < count; i++) {
            touched[i].isTouched = false;
        }
        for (int i = 0; i < count; i++) {
            RdmaEndpoint endpoint = touched[i];
            touched[i] = null;
            endpoint.settle();
        }
    }

    /** A device has gone, or its completions cannot be read: what it carries ends. */
    void gone(Device device, Refusal why) {
        boolean known = false;
        for (int i = queues.size() - 1; i >= 0; i--) {
            known |= queues.get(i).device() == device;
        }
        if (!known) {
            return;
        }
        for (RdmaEndpoint endpoint : endpoints.clone()) {
            if (endpoint != null && endpoint.isOf(device)) {
                endpoint.gone(why);
            }
        }
        for (int i = queues.size() - 1; i >= 0; i--) {
            if (queues.get(i).device() == device) {
                Device.quietly(queues.remove(i).queue()::close);
            }
        }
    }

    // ---- waiting

    @Override
    protected void rest(long nanos) {
        Thread self = Thread.currentThread();
        parked = self;
        for (int i = 0; i < queues.size(); i++) {
            arm(queues.get(i), self);
        }
        for (int i = 0; i < attended.size(); i++) {
            attended.get(i).unpark(self);
        }
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).unpark(self);
        }
        // what came before all of them were armed
        look();
        if (ring().isEmpty() && !woken) {
            LockSupport.parkNanos(this, nanos);
        }
        woken = false;
        look();
    }

    private void arm(DeviceQueue queue, Thread self) {
        try {
            queue.queue().unpark(self);
            queue.queue().arm();
        } catch (Refusal _) {
            // the look that follows finds out why
        }
    }

    @Override
    protected void wake() {
        woken = true;
        LockSupport.unpark(parked);
    }

    // ---- what is due

    void schedule(Waiting one) {
        waiting.add(one);
    }

    /** An endpoint wants to know of its peer when it has heard nothing for so long. */
    void watch(long idleNanos) {
        idle.watch(idleNanos, System.nanoTime());
    }

    void unschedule(Waiting one) {
        waiting.remove(one);
    }

    @Override
    protected long timers() {
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            if (i >= waiting.size()) {
                continue;
            }
            Waiting one = waiting.get(i);
            long left = one.until() - now;
            if (left <= 0) {
                waiting.remove(i);
                one.due();
            } else {
                next = Math.min(next, left);
            }
        }
        next = Math.min(next, idle.look(endpoints, now));
        // what an end that was not told of waits for is not far
        return attended.isEmpty() ? next : Math.min(next, TimeUnit.MILLISECONDS.toNanos(100));
    }

    // ---- the end

    @Override
    protected void end() {
        long limit = System.nanoTime() + END_NANOS;
        while (isSomethingOnItsWay() && System.nanoTime() - limit < 0) {
            look();
            Thread.onSpinWait();
        }
        for (RdmaEndpoint endpoint : List.copyOf(lingering)) {
            endpoint.finished();
        }
        waiting.clear();
        for (DeviceQueue queue : queues) {
            queue.queue().unpark(null);
            Device.quietly(queue.queue()::close);
        }
        queues.clear();
        transport.forget(this);
    }

    private boolean isSomethingOnItsWay() {
        for (RdmaEndpoint endpoint : lingering) {
            if (!endpoint.isAllThere()) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected boolean isForAnyThread() {
        return true;
    }
}

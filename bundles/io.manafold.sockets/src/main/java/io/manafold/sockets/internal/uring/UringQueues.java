package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.linux.EventFd;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import io.manafold.streams.Context;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.Pool;
import io.manafold.streams.StreamQueues;
import io.manafold.uring.GatherList;
import io.manafold.uring.Operation;
import io.manafold.uring.Request;
import io.manafold.uring.Ring;
import io.manafold.uring.RingSetup;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues over a ring of the kernel's, which belongs to the thread that uses them first, for good. */
final class UringQueues extends StreamQueues {
    /** Of the knob of receiving. */
    static final String AREA = "area";
    private static final int REQUESTS = 512;
    private static final int COMPLETIONS = 4096;
    private static final int POLLING_MILLIS = 100;
    /** How long a wait goes without a look at whether its thread was interrupted. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** How long the end of queues waits for peers to acknowledge what was sent where it lies. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int GROUPS = 1 << 16;
    /** The kernel keeps each until the ring is closed. */
    private static final int MOST_AREAS = 64;

    private final UringTransport transport;
    private final Ring ring;
    private final EventFd waker;
    private final Arena arena = Arena.ofShared();
    private final long wakeCount = arena.allocate(8, 8).address();
    private final Request heardWake;
    private final CopyOnWriteArrayList<KnobState> knobs;
    private final boolean registers;
    private final boolean demandsRegistered;
    private final boolean oneByOne;
    private final int busyPoll;
    private final boolean demandsBusyPoll;
    /** Why the kernel does not poll the card though it was asked to; {@code null} if it does, or was not. */
    private String noBusyPoll;
    private int busyPollErrno;
    private final Owners owners = new Owners();
    private final List<Owner> scheduled = new ArrayList<>();
    private final List<UringPool> pools = new ArrayList<>();
    private final List<UringArea> areas = new ArrayList<>();
    private final boolean hasAreas;
    private final boolean demandsAreas;
    private final Lists lists = new Lists();
    /** Those that the ring has registered, for threads that close them. */
    private final Set<HeldRegion> known = ConcurrentHashMap.newKeySet();
    /** Of these, those that were closed and are known to the kernel still; one command is for all of them. */
    private final Queue<HeldRegion> closing = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private Slots slots;
    private String unregistered;
    private Thread thread;
    private UringEndpoint first;
    private long counted;
    private long place;
    private int lastGroup;
    private boolean wakeArmed;
    private boolean over;
    private volatile boolean isResting;
    private volatile boolean signalled;
    /** Of other threads, each a system call; counted by the serving one. */
    private final AtomicInteger signals = new AtomicInteger();

    UringQueues(UringTransport transport, Context context, QueuesPlan plan, List<KnobState> knobs) {
        this(transport, context, plan, new CopyOnWriteArrayList<>(knobs));
    }

    /** @param knobs of which one may change when the ring is the thread's, and the kernel is asked */
    private UringQueues(UringTransport transport, Context context, QueuesPlan plan,
            CopyOnWriteArrayList<KnobState> knobs) {
        super(context, plan, Collections.unmodifiableList(knobs));
        this.transport = transport;
        this.knobs = knobs;
        registers = Settings.is(knobs, Knob.MEMORY, "registered");
        demandsRegistered = registers && !plan.knobs().isPreferred(Knob.MEMORY);
        oneByOne = Settings.is(knobs, Knob.QUEUES, "calls");
        busyPoll = Settings.number(knobs, Knob.BUSYPOLL);
        demandsBusyPoll = !plan.knobs().isPreferred(Knob.BUSYPOLL);
        hasAreas = AREA.equals(plan.knobs().asked(Knob.RECEIVE)) && transport.can(Operation.AREA);
        demandsAreas = hasAreas && !plan.knobs().isPreferred(Knob.RECEIVE);
        RingSetup narrow = RingSetup.of(REQUESTS, COMPLETIONS);
        RingSetup setup = hasAreas ? narrow.wider() : narrow;
        ring = Ring.open(Settings.is(knobs, Knob.WAIT, "kernel") ? setup.polling(POLLING_MILLIS) : setup);
        try {
            waker = EventFd.create();
        } catch (SystemCallException failed) {
            ring.close();
            throw Failures.refusal("There is nothing to wake the queues '" + plan.name() + "' with", failed);
        }
        heardWake = Request.read(waker.descriptor().number());
    }

    /** The ring, which is the calling thread's from now on if it was no thread's. */
    Ring kernel() {
        if (thread == null) {
            ring.enable();
            thread = Thread.currentThread();
            if (busyPoll > 0) {
                heardOfBusyPoll(ring.busyPoll(busyPoll));
            }
            if (registers) {
                try {
                    slots = new Slots(ring, known);
                } catch (Refusal no) {
                    unregistered = no.getMessage();
                }
            }
        }
        return ring;
    }

    /** @param answer of the kernel, which each ring asks: it may refuse one though it has let another */
    private void heardOfBusyPoll(int answer) {
        if (answer >= 0) {
            return;
        }
        busyPollErrno = -answer;
        noBusyPoll = "the kernel answers " + Failures.name(-answer) + " to polling the card";
        knobs.replaceAll(state -> state.knob() != Knob.BUSYPOLL ? state : new KnobState(Knob.BUSYPOLL, state.asked(),
                "0", "not " + busyPoll + ": " + noBusyPoll));
    }

    /** Knobs of an endpoint or a listener, with what the kernel refused the ring when it became its thread's. */
    List<KnobState> asGot(List<KnobState> settled) {
        kernel();
        if (noBusyPoll == null) {
            return settled;
        }
        if (demandsBusyPoll) {
            Errno errno = Errno.of(busyPollErrno);
            throw new Refusal(errno == null ? Errno.EOPNOTSUPP : errno, "The knob busypoll of the queues '" + name()
                    + "' cannot be '" + busyPoll + "': " + noBusyPoll + ". Prefer it instead of demanding it.");
        }
        List<KnobState> got = new ArrayList<>(settled);
        for (KnobState mine : knobs) {
            got.replaceAll(state -> state.knob() == Knob.BUSYPOLL && mine.knob() == Knob.BUSYPOLL ? mine : state);
        }
        return List.copyOf(got);
    }

    /** Whether the calling thread may use the ring. */
    boolean isAtHome() {
        return thread == null || thread == Thread.currentThread();
    }

    UringTransport transport() {
        return transport;
    }

    // ---- registered memory

    /** The slot of a region, −1 if it has none. */
    int slot(HeldRegion region) {
        return slots == null ? -1 : slots.of(region);
    }

    boolean registers() {
        return registers;
    }

    /** Whether what is not registered must not be sent instead. */
    boolean demandsRegistered() {
        return demandsRegistered;
    }

    /** Whether pools of pages are areas: completions are wide enough to say where things came. */
    boolean hasAreas() {
        return hasAreas;
    }

    /** Where in an area the bytes are of the completion that is being looked at. */
    long place() {
        return place;
    }

    /** Why memory was not registered, {@code null} if it was. */
    String unregistered() {
        return slots == null ? unregistered : slots.refusal();
    }

    /** A region was closed; any thread. Regions that the ring never knew take no command of it. */
    void closing(HeldRegion region) {
        if (!known.contains(region)) {
            return;
        }
        closing.add(region);
        if (isClosing.compareAndSet(false, true)) {
            run(this::forgetClosing);
        }
    }

    private void forgetClosing() {
        isClosing.set(false);
        // another thread is here only to close the queues, which forget all that they know, and cannot tell the kernel
        // anything of the ring
        if (slots == null || over || !isAtHome()) {
            return;
        }
        boolean isPushed = false;
        for (HeldRegion region = closing.poll(); region != null; region = closing.poll()) {
            if (slots.has(region)) {
                if (!isPushed) {
                    // what names the slot and was not handed over yet would find it empty
                    pushAll();
                    isPushed = true;
                }
                slots.forget(region);
            }
        }
        look();
    }

    // ---- requests

    int number(Owner owner) {
        return owners.add(owner);
    }

    void remove(int index) {
        owners.remove(index);
    }

    /** Adds a request; false if the kernel takes none at the moment. */
    boolean ask(UringEndpoint of, Request request, long address, int length, long tag) {
        if (!hasRoom()) {
            return false;
        }
        ring.add(request, address, length, tag);
        asked(of);
        return true;
    }

    /** As {@link #ask(UringEndpoint, Request, long, int, long)}, from a slot of registered memory. */
    boolean ask(UringEndpoint of, Request request, int slot, long address, int length, long tag) {
        if (!hasRoom()) {
            return false;
        }
        ring.add(request, slot, address, length, tag);
        asked(of);
        return true;
    }

    private boolean hasRoom() {
        Ring home = kernel();
        if (home.room() == 0) {
            push();
        }
        return home.room() > 0;
    }

    private void asked(UringEndpoint of) {
        if (first == null) {
            first = of;
        }
        if (oneByOne) {
            push();
        }
    }

    /**
     * A list for one request, which is asked for next; {@code null} if the kernel has to take others first and does not
     * at the moment.
     */
    GatherList list() {
        // the request must find room: pushed for it only then, the ring would have the list given out again before the
        // kernel has read it
        if (!hasRoom()) {
            return null;
        }
        GatherList list = lists.next();
        if (list == null) {
            push();
            list = lists.next();
        }
        return list;
    }

    /** Has the kernel take what was asked before memory that requests name goes away. */
    void pushAll() {
        push();
        while (ring.room() < ring.capacity()) {
            Thread.onSpinWait();
            push();
        }
    }

    /** Has the kernel take what was asked. */
    void push() {
        Ring home = kernel();
        home.submit();
        while (home.isPolling() && lists.isUsed() && home.room() < home.capacity()) {
            // its thread reads lists a moment later
            Thread.onSpinWait();
            home.submit();
        }
        if (home.room() == home.capacity()) {
            lists.reset();
        }
        count();
    }

    /** Counts calls for the endpoint that they were made for first, and those that woke it. */
    private void count() {
        for (int left = signals.get() == 0 ? 0 : signals.getAndSet(0); left > 0; left--) {
            called();
        }
        for (long now = ring.calls(); counted < now; counted++) {
            if (first == null) {
                called();
            } else {
                first.entered();
            }
        }
        first = null;
    }

    @Override
    protected void flush() {
        // with nothing to tell the kernel it is not entered: what comes meanwhile is taken together when it is looked
        // for
        if (!over && kernel().room() < ring.capacity()) {
            push();
        }
    }

    // ---- what comes

    @Override
    protected void look() {
        if (over) {
            return;
        }
        push();
        reap();
    }

    private void reap() {
        while (ring.ready() > 0) {
            long tag = ring.tag(0);
            int result = ring.result(0);
            int flags = ring.flags(0);
            if (hasAreas) {
                place = ring.place(0);
            }
            ring.done(1);
            switch (Tags.kind(tag)) {
                case Tags.WAKE -> wakeArmed = false;
                case Tags.CANCEL -> {
                    // what was cancelled says so itself
                }
                case Tags.SLOT -> {
                    if (slots != null) {
                        slots.left(Tags.owner(tag));
                    }
                }
                default -> {
                    Owner owner = owners.get(Tags.owner(tag));
                    if (owner != null) {
                        owner.completed(Tags.kind(tag), Tags.number(tag), result, flags);
                    } else {
                        closeAccepted(tag, result);
                    }
                }
            }
        }
    }

    /** A connection that was accepted for a listener that has gone: only this completion names its descriptor. */
    private static void closeAccepted(long tag, int result) {
        if (Tags.kind(tag) == Tags.ACCEPT && result >= 0) {
            TcpSocket.adopt(result).close();
        }
    }

    /**
     * Connections whose completions were never read are closed, or their peers would wait for ever. Another thread than
     * the ring's may do so while that one is outside.
     */
    private void closeUnread() {
        while (ring.ready() > 0) {
            closeAccepted(ring.tag(0), ring.result(0));
            ring.done(1);
        }
    }

    @Override
    protected void rest(long nanos) {
        if (over) {
            return;
        }
        Ring home = kernel();
        if (!wakeArmed && home.room() > 0) {
            wakeArmed = home.add(heardWake, wakeCount, 8, Tags.of(Tags.WAKE, 0, 0));
        }
        isResting = true;
        VarHandle.fullFence();
        if (!signalled && home.ready() == 0) {
            home.await(1, Math.min(nanos, SLICE_NANOS));
            if (home.room() == home.capacity()) {
                lists.reset();
            }
            count();
        }
        isResting = false;
        signalled = false;
        reap();
    }

    @Override
    protected void wake() {
        signalled = true;
        VarHandle.fullFence();
        if (isResting) {
            waker.signal();
            signals.incrementAndGet();
        }
    }

    // ---- what is due

    void schedule(Owner one) {
        scheduled.add(one);
    }

    void unschedule(Owner one) {
        scheduled.remove(one);
    }

    @Override
    protected long timers() {
        if (scheduled.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        for (int i = scheduled.size() - 1; i >= 0; i--) {
            Owner one = scheduled.get(i);
            long left = one.until() - now;
            if (left <= 0) {
                scheduled.remove(i);
                one.due();
            } else {
                next = Math.min(next, left);
            }
        }
        return next;
    }

    // ---- pools

    @Override
    protected Pool makePool(HeldRegion region, int bufferBytes, int buffers) {
        kernel();
        if (hasAreas) {
            if (UringArea.fits(region, bufferBytes, buffers) && areas.size() < MOST_AREAS) {
                UringArea area = new UringArea(this, region, buffers);
                areas.add(area);
                return area;
            }
            if (demandsAreas) {
                throw areas.size() < MOST_AREAS ? new Refusal(Errno.EINVAL, "An area is whole pages: its pool has"
                        + " buffers of " + UringArea.PAGE + " bytes and a region that begins with a page, not buffers"
                        + " of " + bufferBytes + " bytes.")
                        : new Refusal(Errno.ENOSPC, "The queues '" + name() + "' have had " + MOST_AREAS
                        + " areas, which the kernel keeps until they are closed; make other queues.");
            }
        }
        UringPool made = new UringPool(this, region, bufferBytes, buffers, nextGroup());
        pools.add(made);
        return made;
    }

    private int nextGroup() {
        for (int tried = 0; tried < GROUPS; tried++) {
            lastGroup = lastGroup + 1 & GROUPS - 1;
            int candidate = lastGroup;
            if (pools.stream().noneMatch(pool -> pool.group() == candidate)) {
                return candidate;
            }
        }
        throw new Refusal(Errno.ENOSPC, "The queues '" + name() + "' have " + GROUPS + " pools already; close some.");
    }

    /** Whether the ring is there to take it from, still. */
    boolean forget(UringPool pool) {
        return pools.remove(pool) && !over;
    }

    // ---- the end

    @Override
    protected void end() {
        scheduled.clear();
        if (isAtHome()) {
            kernel();
            drain();
            for (UringPool pool : List.copyOf(pools)) {
                pool.leave();
            }
            if (slots != null) {
                slots.close();
            }
            reap();
        }
        over = true;
        closeUnread();
        ring.close();
        apart();
        if (slots != null) {
            slots.abandon();
        }
        pools.forEach(UringPool::abandon);
        pools.clear();
        areas.forEach(UringArea::abandon);
        areas.clear();
        waker.close();
        lists.close();
        arena.close();
        transport.forget(this);
    }

    /**
     * Waits until the kernel has let go of the memory of all endpoints; peers that do not acknowledge are not waited
     * for long.
     */
    private void drain() {
        long begin = System.nanoTime();
        boolean reset = false;
        while (!owners.isEmpty() && System.nanoTime() - begin < 2 * PATIENCE_NANOS) {
            if (!reset && System.nanoTime() - begin > PATIENCE_NANOS) {
                reset = true;
                for (int i = 0; i < owners.bound(); i++) {
                    if (owners.get(i) instanceof UringEndpoint endpoint) {
                        endpoint.reset();
                    }
                }
            }
            ring.await(1, STEP_NANOS);
            count();
            reap();
        }
    }

    /** What is still there is over: the ring was closed, which ends all that was under way. */
    private void apart() {
        for (int i = 0; i < owners.bound(); i++) {
            if (owners.get(i) instanceof UringEndpoint endpoint) {
                endpoint.apart();
            }
        }
    }

    @Override
    protected boolean isForAnyThread() {
        return false;
    }
}

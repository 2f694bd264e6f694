package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What queues of all transports have in common: one thread, completions, submitting, waiting, and the end. */
public abstract class StreamQueues implements Queues {
    /** After so many polls that found completions there is a look for more. */
    private static final int LOOK_EVERY = 8;
    /** So many endpoints that rest and could not go on end an attempt; it is gone on with before any wait. */
    private static final int FRUITLESS = 16;

    private final Context context;
    private final String name;
    private final List<KnobState> knobs;
    private final boolean spins;
    private final OneThread thread;
    private final CompletionRing ring;
    private final Set<StreamEndpoint> endpoints = new LinkedHashSet<>();
    private final List<StreamListener> listeners = new ArrayList<>();
    private final List<Pool> pools = new ArrayList<>();
    private final ArrayDeque<StreamEndpoint> resting = new ArrayDeque<>();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private StreamEndpoint[] waiting = new StreamEndpoint[16];
    private int waitingCount;
    private boolean retry;
    /** So many of those that rest have not been tried yet since they may have room. */
    private int untried;
    private int polls;
    private volatile boolean woken;
    private volatile boolean closing;
    private volatile boolean closed;
    private volatile long calls;

    protected StreamQueues(Context context, QueuesPlan plan, List<KnobState> knobs) {
        if (plan.entries() < 16 || plan.entries() > 1 << 20) {
            throw new Refusal(Errno.EINVAL, "Queues hold 16 to 1048576 completions, not " + plan.entries() + ".");
        }
        this.context = context;
        this.knobs = knobs;
        name = plan.name();
        spins = knobs.stream().anyMatch(knob -> knob.knob() == Knob.WAIT && knob.got().equals("spin"));
        thread = new OneThread("The queues '" + name + "'");
        ring = new CompletionRing(plan.entries());
    }

    // ---- what a transport does; inside

    /** Takes what has come, without waiting. */
    protected abstract void look();

    /**
     * Waits until something may have come, {@link #wake} was called, the thread is interrupted, or the time has passed.
     */
    protected abstract void rest(long nanos);

    /** Ends a {@link #rest}, or the next one. Any thread may call. */
    protected abstract void wake();

    /** Has what the endpoints have begun go to the kernel, for those that collect it. */
    protected void flush() {
        // what begins is there already
    }

    /** Nanoseconds until something is due, {@link Long#MAX_VALUE} if nothing is; does what is due. */
    protected long timers() {
        return Long.MAX_VALUE;
    }

    /** Its pool of a region that has room for it and is in use for it. */
    protected Pool makePool(HeldRegion region, int bufferBytes, int buffers) {
        return new Pool(this, region, bufferBytes, buffers);
    }

    /**
     * All endpoints and listeners are closed; waits until the kernel has let go of all memory, and closes what is the
     * transport's own.
     */
    protected abstract void end();

    /** Whether another thread may do what is to be done, while the serving one is elsewhere. */
    protected abstract boolean isForAnyThread();

    /** Whether the knob says to look for more instead of sleeping. */
    protected final boolean isSpinning() {
        return spins;
    }

    // ---- of endpoints and listeners; inside

    public final CompletionRing ring() {
        return ring;
    }

    public final Context context() {
        return context;
    }

    final void waits(StreamEndpoint endpoint) {
        if (!endpoint.isWaiting) {
            endpoint.isWaiting = true;
            if (waitingCount == waiting.length) {
                waiting = Arrays.copyOf(waiting, waiting.length * 2);
            }
            waiting[waitingCount++] = endpoint;
        }
    }

    /** It has no room for what comes, and goes on when there may be some. */
    public final void rests(StreamEndpoint endpoint) {
        if (!endpoint.isResting) {
            endpoint.isResting = true;
            resting.add(endpoint);
        }
    }

    /** Those that rest may have room. */
    final void retry() {
        retry = true;
    }

    /** Counts that the kernel was entered. */
    public final void called() {
        calls = calls + 1;
    }

    public final void add(StreamEndpoint endpoint) {
        endpoints.add(endpoint);
        context.add(endpoint);
    }

    final void forget(StreamEndpoint endpoint) {
        endpoints.remove(endpoint);
        context.forget(endpoint);
    }

    public final void add(StreamListener listener) {
        listeners.add(listener);
        context.add(listener);
    }

    final void forget(StreamListener listener) {
        listeners.remove(listener);
        context.forget(listener);
    }

    final void forget(Pool pool) {
        pools.remove(pool);
    }

    /** The serving thread goes in. */
    public final void enter() {
        thread.enter();
    }

    public final void leave() {
        thread.leave();
    }

    final boolean isOwn() {
        return thread.isOwn();
    }

    /** Has something done inside, soon, whichever thread asks. */
    public final void run(Runnable command) {
        if (closed) {
            return;
        }
        commands.add(command);
        if (thread.isOwn()) {
            if (thread.isInside()) {
                // what is being done here, or by the thread that closes them, goes first
                return;
            }
            enter();
            try {
                commands();
            } finally {
                leave();
            }
        } else if (isForAnyThread() && thread.tryEnter()) {
            try {
                commands();
            } finally {
                thread.leave();
            }
        } else {
            wakeup();
        }
    }

    private void commands() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        if (closing && !closed) {
            endInside();
        }
    }

    private void resume() {
        boolean isNew = retry;
        if (isNew) {
            retry = false;
            untried = resting.size();
        }
        int fruitless = 0;
        while (untried > 0 && fruitless < FRUITLESS) {
            if (ring.room() <= 0) {
                // a poll that takes completions has all of them tried again
                untried = 0;
                break;
            }
            // before it is tried, which may fail
            untried--;
            StreamEndpoint next = resting.poll();
            next.isResting = false;
            next.resume();
            fruitless = next.isResting ? fruitless + 1 : 0;
        }
        // by number: a loop over a collection allocates
        for (int i = 0; isNew && i < listeners.size(); i++) {
            listeners.get(i).resume();
        }
    }

    private int submitInside() {
        int began = 0;
        int i = 0;
        try {
            while (i < waitingCount) {
                StreamEndpoint next = waiting[i];
                waiting[i++] = null;
                next.isWaiting = false;
                began += next.begin();
            }
        } finally {
            // those behind one that throws begin the next time
            int left = waitingCount - i;
            if (left > 0) {
                System.arraycopy(waiting, i, waiting, 0, left);
                Arrays.fill(waiting, left, waitingCount, null);
            }
            waitingCount = left;
        }
        flush();
        return began;
    }

    // ---- of the channel view; inside

    /** Begins what is posted. */
    final void begin() {
        submitInside();
    }

    /** Begins what is posted and takes what has come, after a rest if it is to be waited for. */
    final void turn(long nanos) {
        commands();
        if (closed) {
            return;
        }
        submitInside();
        resume();
        if (nanos > 0 && untried == 0) {
            rest(Math.min(nanos, timers()));
        }
        look();
        timers();
    }

    // ---- what a program does

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<KnobState> knobs() {
        return knobs;
    }

    @Override
    public final int entries() {
        return ring.limit();
    }

    @Override
    public final int room() {
        return Math.max(0, ring.room());
    }

    @Override
    public final ReceivePool pool(Region region, int bufferBytes, int buffers) {
        enter();
        try {
            checkOpen();
            Pool.check(region, bufferBytes, buffers);
            HeldRegion held = context.table().use(region.key(), 0, 1, Region.RECEIVE);
            Pool made;
            try {
                made = makePool(held, bufferBytes, buffers);
            } catch (RuntimeException refused) {
                held.giveBack();
                throw refused;
            }
            pools.add(made);
            return made;
        } finally {
            leave();
        }
    }

    public final void checkOpen() {
        if (closing) {
            throw new Refusal(Errno.EBADF, "The queues '" + name + "' are closed.");
        }
    }

    @Override
    public final int submit() {
        enter();
        try {
            commands();
            return submitInside();
        } finally {
            leave();
        }
    }

    @Override
    public final int poll(Completions completions) {
        enter();
        try {
            completions.clear();
            commands();
            if (closed && ring.isEmpty()) {
                checkOpen();
            }
            ring.drain(completions);
            if (!closed && !completions.isFull() && (completions.count() == 0 || ++polls >= LOOK_EVERY)) {
                polls = 0;
                timers();
                look();
                ring.drain(completions);
            }
            if (!closed && (!resting.isEmpty() || !listeners.isEmpty())) {
                retry |= completions.count() > 0;
                resume();
            }
            return completions.count();
        } finally {
            leave();
        }
    }

    @Override
    public final boolean await(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        enter();
        try {
            commands();
            while (ring.isEmpty() && !closed && !woken) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                resume();
                long due = timers();
                if (spins || untried > 0) {
                    look();
                    Thread.onSpinWait();
                } else if (ring.isEmpty()) {
                    rest(Math.min(left, due));
                }
                commands();
            }
            woken = false;
            return !ring.isEmpty();
        } finally {
            leave();
        }
    }

    @Override
    public final void wakeup() {
        woken = true;
        wake();
    }

    @Override
    public final void release() {
        enter();
        try {
            if (!isForAnyThread()) {
                throw new Refusal(Errno.EOPNOTSUPP, "The queues '" + name
                        + "' belong to their thread for good; make others.");
            }
            thread.release();
        } finally {
            leave();
        }
    }

    @Override
    public final long systemCalls() {
        return calls;
    }

    @Override
    public final void close() {
        closing = true;
        while (!closed) {
            if (thread.tryEnter()) {
                try {
                    commands();
                } finally {
                    thread.leave();
                }
            } else {
                // the serving thread leaves soon, or does it itself
                wakeup();
                Thread.onSpinWait();
            }
        }
    }

    private void endInside() {
        List.copyOf(listeners).forEach(StreamListener::closeInside);
        List.copyOf(endpoints).forEach(endpoint -> endpoint.closeInside(false));
        end();
        List.copyOf(pools).forEach(Pool::end);
        resting.clear();
        untried = 0;
        Arrays.fill(waiting, 0, waitingCount, null);
        waitingCount = 0;
        closed = true;
        context.forget(this);
    }
}

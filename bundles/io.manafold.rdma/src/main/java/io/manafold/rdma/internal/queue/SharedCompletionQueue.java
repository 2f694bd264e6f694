package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.Completions;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.message.CreateRdmaCq;
import io.manafold.gdma.message.DestroyRdmaCq;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A completion queue that queue pairs share. */
public final class SharedCompletionQueue extends PolledQueue {
    private static final int LEAST_BYTES = 4096;
    private static final Side[] NONE = {};

    private final RdmaQueueDevice home;
    private final Consumer<SharedCompletionQueue> closing;
    private final DmaPiece memory;
    private final long handle;
    private final io.manafold.gdma.driver.CompletionQueue queue;
    /** Guards who is failing. */
    private final Object failures = new Object();
    /** Changed with the gate shut. */
    private SideTable table = SideTable.EMPTY;
    /** Directions of queue pairs that carry nothing out any more; what they have left comes back. */
    private volatile Side[] failing = NONE;
    private volatile boolean broken;

    /** @param closing is told that it is being closed */
    public SharedCompletionQueue(RdmaQueueDevice home, int entries, Consumer<SharedCompletionQueue> closing) {
        super(home);
        this.home = home;
        this.closing = closing;
        int bytes = Math.max(LEAST_BYTES, Integer.highestOneBit(2 * entries - 1) * CompletionEntry.SIZE);
        memory = home.client().memory().allocate(bytes);
        CreateRdmaCq.Result made;
        try {
            long region = home.client().function().createRegion(memory, bytes);
            try {
                made = home.client().call(new CreateRdmaCq(home.adapter(), region, home.eventQueue(),
                        home.page().number()));
            } catch (RuntimeException refused) {
                home.client().function().abandonRegion(region);
                throw refused;
            }
        } catch (RuntimeException refused) {
            home.free(List.of(memory));
            throw refused;
        }
        handle = made.handle();
        queue = new io.manafold.gdma.driver.CompletionQueue(memory, bytes, home.page(), made.id());
    }

    @Override
    public int id() {
        return queue.id();
    }

    long handle() {
        return handle;
    }

    @Override
    String who() {
        return "completion queue " + id() + " of " + home.name();
    }

    @Override
    public int entries() {
        return queue.slots();
    }

    // ---- the thread that polls

    @Override
    public int poll(Completions into) {
        into.clear();
        if (!gate.enter()) {
            return outside(into);
        }
        try {
            boolean drained = read(into);
            Side[] left = failing;
            for (int i = 0; i < left.length; i++) {
                Side side = left[i];
                if ((side.hasFailed() || side.pair().isQuiet() && drained) && !side.flush(into)) {
                    break;
                }
            }
            if (broken && into.count() == 0) {
                throw new Refusal(Errno.EIO, subject() + " was broken by its device: " + queue.failure()
                        + " Close its queue pairs and make others.");
            }
            return into.count();
        } finally {
            gate.leave();
        }
    }

    /** Returns whether nothing is left to be read. */
    private boolean read(Completions into) {
        long entry = 0;
        int count = 0;
        int budget = queue.slots();
        while (count < budget && !broken && (entry = queue.next()) != 0) {
            int last = queue.last();
            Side side = table.get(last);
            if (side == null) {
                if (!SideTable.isDisowned(last)) {
                    queue.fail("It got a completion of " + (CompletionEntry.isSendSide(last) ? "send" : "receive")
                            + " queue " + CompletionEntry.workQueue(last) + ", which is not one of its own.");
                    break;
                }
            } else if (!side.take(entry, RawMemory.get32(entry + RdmaCompletion.FIRST), into)) {
                break;
            }
            queue.consume();
            count++;
        }
        queue.polled(count);
        if (queue.failure() != null && !broken) {
            breaks();
        }
        return entry == 0 || broken;
    }

    /** The device has written what cannot be: all that is under way here ends. */
    private void breaks() {
        broken = true;
        home.tell(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, "Completion queue " + id() + " cannot be used any more: "
                + queue.failure()));
        for (Side side : table.sides()) {
            side.fail();
            side.pair().broken("its completion queue " + id() + " was broken by the device");
        }
    }

    @Override
    void flush(Completions into) {
        for (Side side : table.sides()) {
            if (!side.flush(into)) {
                break;
            }
        }
    }

    @Override
    void armInside() {
        queue.disarm(id());
        queue.arm();
        if (broken || failing.length > 0) {
            signal();
        }
    }

    // ---- queue pairs; one thread at a time

    void attach(int key, Side side) {
        change();
        table = table.with(key, side);
        gate.leave();
    }

    /** What came of a queue pair and was not polled is forgotten; what it begins anew is another life. */
    void forget(RcQueuePair pair, Runnable inside) {
        change();
        try {
            SideTable now = table;
            queue.disown(last -> {
                Side side = now.get(last);
                return side != null && side.pair() == pair;
            });
            inside.run();
        } finally {
            gate.leave();
        }
    }

    /** A queue pair has ended. */
    void detach(RcQueuePair pair) {
        if (gate.hasEnded()) {
            synchronized (gate) {
                table = table.without(pair);
            }
        } else {
            forget(pair, () -> table = table.without(pair));
        }
        recovers(pair);
    }

    /** A queue pair has failed: what it has left comes back. */
    void fails(Side side) {
        synchronized (failures) {
            for (Side one : failing) {
                if (one == side) {
                    return;
                }
            }
            Side[] more = Arrays.copyOf(failing, failing.length + 1);
            more[failing.length] = side;
            failing = more;
        }
    }

    /** A queue pair has begun anew, or has ended. */
    void recovers(RcQueuePair pair) {
        synchronized (failures) {
            failing = Arrays.stream(failing).filter(side -> side.pair() != pair).toArray(Side[]::new);
        }
    }

    // ---- the end

    /** Has the device forget it; its memory goes then. */
    public DestroyRdmaCq destroyRequest() {
        return new DestroyRdmaCq(home.adapter(), handle);
    }

    /** What it lies in. */
    public List<DmaPiece> memory() {
        return List.of(memory);
    }

    /** Ends it before it is known to anyone, or after it was forgotten. */
    public void undo() {
        home.client().callQuietly(List.of(destroyRequest()));
        if (gate.end()) {
            home.free(List.of(memory));
        }
    }

    @Override
    String users() {
        return table.isEmpty() ? null : table.sides().size() + " sides of queue pairs; close those first.";
    }

    @Override
    void closes() {
        closing.accept(this);
        undo();
    }
}

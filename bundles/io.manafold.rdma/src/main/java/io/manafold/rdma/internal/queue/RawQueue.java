package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.memory.DmaPiece;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A work queue of a port with the completion queue that it has for itself: one object of the Ethernet device. */
public abstract sealed class RawQueue permits RawQueuePair, RawReceiveQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RawQueue.class);
    private static final int FLUSHED = VendorError.FLUSHED_BY_DRIVER.code();

    private final QueueDevice device;
    private final PortInUse port;
    private final RawCompletionQueue completions;
    private final Consumer<RawQueue> closing;
    private final WorkObject made;
    private final PostedWork posted;
    private final Gate gate;
    private final DirectUse direct;
    /** Nothing is posted any more, and what is under way comes back. */
    private volatile boolean failed;
    private boolean closed;
    /** How many spread packets to it. */
    private int holds;

    /**
     * Makes it.
     *
     * @param requests that may be outstanding
     * @param size bytes that one of them takes at most
     * @param closing is told that it is being closed
     */
    RawQueue(QueueDevice device, PortInUse port, int type, RawCompletionQueue completions, int requests, int size,
            Consumer<RawQueue> closing) {
        this.device = device;
        gate = new Gate(device.checksThreads());
        this.port = port;
        this.completions = completions;
        this.closing = closing;
        direct = new DirectUse(this, gate, completions);
        made = WorkObject.make(device, port, type, requests * size, completions.entries());
        posted = new PostedWork(made.work(), requests);
        try {
            completions.attach(this);
        } catch (RuntimeException refused) {
            device.client().callQuietly(List.of(destroyRequest()));
            device.free(made.memory());
            throw refused;
        }
    }

    public final int number() {
        return made.work().id();
    }

    /** The port that it is of. */
    public final PortInUse port() {
        return port;
    }

    /** By which requests name it. */
    final long object() {
        return made.handle();
    }

    final int type() {
        return made.type();
    }

    final io.manafold.gdma.driver.CompletionQueue entries() {
        return made.completions();
    }

    final PostedWork posted() {
        return posted;
    }

    final QueueDevice device() {
        return device;
    }

    /** What it is, within a sentence. */
    abstract String who();

    private String subject() {
        return Character.toUpperCase(who().charAt(0)) + who().substring(1);
    }

    /** A sentence about it. */
    final Refusal refusal(Errno errno, String rest) {
        return new Refusal(errno, subject() + rest);
    }

    abstract AsyncEvent.Type fatal();

    abstract CompletionOpcode opcode();

    // ---- the thread that posts

    /** Comes in to post; refused if that cannot be. */
    final void enter() {
        if (!gate.enter()) {
            throw outside();
        }
        if (failed) {
            gate.leave();
            throw device.isGone() ? device.gone() : refusal(Errno.EINVAL, " has failed; close it and make another.");
        }
    }

    final void leave() {
        gate.leave();
    }

    private Refusal outside() {
        if (device.isGone()) {
            return device.gone();
        }
        if (gate.hasEnded()) {
            return refusal(Errno.EBADF, " has been closed.");
        }
        return direct.isTaken() ? refusal(Errno.EBUSY,
                " is written directly by the application that has taken it; post there.")
                : gate.busy("posts to " + who(), "a queue has one poster");
    }

    // ---- the thread that polls

    /**
     * Takes a completion, for which there is room.
     *
     * @return false if there was no room for all that has ended by it: it is to be shown again
     */
    abstract boolean take(long entry, Completions into);

    final boolean hasFailed() {
        return failed;
    }

    /** All that is left comes back. Returns false if there was no room for all. */
    final boolean flush(Completions into) {
        while (posted.hasOldest()) {
            if (into.isFull()) {
                return false;
            }
            into.add(posted.id(), number(), CompletionStatus.FLUSHED, opcode(), 0, FLUSHED);
            posted.retire();
        }
        return true;
    }

    /** The device has said what cannot be: what is under way comes back, and nothing more is posted. */
    final void broken(String why) {
        fails("is given up: " + why + ". Close it and make another; if it happens again, reset the adapter.");
    }

    /** It carries nothing out any more. */
    final void fails(String sentence) {
        if (!failed) {
            failed = true;
            device.tell(new AsyncEvent(fatal(), number(), subject() + " " + sentence));
        }
    }

    // ---- direct use

    public final <T> T direct(Class<T> wanted, Runnable withdrawn) {
        if (wanted != DirectQueue.class) {
            throw refusal(Errno.EOPNOTSUPP, " lets no " + wanted.getName() + " have, but a "
                    + DirectQueue.class.getName() + " of the bundle whose packages its driver uses.");
        }
        if (!device.enter()) {
            throw device.gone();
        }
        try {
            return wanted.cast(handOut(withdrawn));
        } finally {
            device.leave();
        }
    }

    private synchronized DirectQueue handOut(Runnable withdrawn) {
        enter();
        try {
            if (!posted.isUnused()) {
                throw refusal(Errno.EBUSY, " has been posted to; take a queue directly before that.");
            }
            direct.take(withdrawn);
        } catch (RuntimeException refused) {
            gate.leave();
            throw refused;
        }
        // the gates stay shut behind the caller
        return new DirectQueue(made.type(), made.work(), made.completions(), port.page(), port.vportOffset());
    }

    /** Has who uses it directly leave it, without waiting for that. */
    public final void withdraw() {
        direct.withdraw();
    }

    // ---- the end

    /** The device has gone: returns with no thread in the memory of the device any more, false if one stays there. */
    public final boolean end() {
        if (!direct.isGivenBack()) {
            return false;
        }
        boolean left = gate.end();
        return completions.end() && left;
    }

    /** Has the device forget it; its memory goes then. */
    public final DestroyWqObject destroyRequest() {
        return made.destroyRequest();
    }

    /** What it lies in, completions too. */
    public final List<DmaPiece> memory() {
        return made.memory();
    }

    /** Packets are spread to it: it is not closed before {@link #release}. */
    final synchronized void hold() {
        if (closed) {
            throw refusal(device.isGone() ? Errno.ENODEV : Errno.EBADF, " has been closed.");
        }
        holds++;
    }

    final synchronized void release() {
        holds--;
    }

    public final void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (holds > 0 && !device.isGone()) {
                throw refusal(Errno.EBUSY, " gets packets of its port; end or change their spreading first.");
            }
            closed = true;
        }
        direct.leave();
        if (device.enter()) {
            try {
                undo();
            } finally {
                device.leave();
            }
        } else {
            completions.detach(this);
        }
    }

    /** Ends it for a bundle that is gone, perhaps with a thread in it, which has been asked to leave. */
    public final void abandon() {
        direct.isGivenBack();
        close();
    }

    /** Ends it before it is known to anyone, or after it was forgotten. */
    public final void undo() {
        boolean left = direct.isGivenBack() && gate.end();
        try {
            device.client().callQuietly(List.of(destroyRequest()));
        } finally {
            if (left && completions.detach(this)) {
                device.free(made.memory());
            } else {
                LOG.error("A thread does not leave {}; its memory stays.", who());
            }
            closing.accept(this);
        }
    }
}

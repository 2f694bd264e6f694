package io.manafold.vfio.internal.protocol;

import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.EventFd;
import io.manafold.linux.UnixSocket;
import io.manafold.memory.Locks;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client from its first message to its last. All of it runs on one thread, which waits in the kernel while the
 * client is idle; a client that says nothing at first, or stops in the middle of a message, has a time limit. Whatever
 * ends the session, the function is left as after power-on, with nothing of the client's in reach; by the thread
 * that ends it if the client holds its own.
 */
public final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final Duration LEAVING = Duration.ofSeconds(2);
    private static final int TOLD = 20;

    private final String name;
    private final PciFunction function;
    private final Line line;
    private final SessionCounters costs = new SessionCounters();
    private final EventFd wake;
    private final long patience;
    private final GuestMemory memory;
    private final Vectors vectors;
    private final Commands commands;
    private final MessageReader reader;
    private final Replies replies;
    private final Request request = new Request();
    private final Answer answer = new Answer();
    private final SessionListener listener;
    private long refused;
    private boolean unshared;
    private volatile boolean greeted;
    private volatile String ordered;
    private volatile boolean functionGone;
    /** Held while the function is used, and while it is given back. */
    private final ReentrantLock use = Locks.named("function of a session");
    private volatile boolean givenBack;

    /**
     * @param mostBytes how much memory the client can have mapped
     * @param client the connection; closed when the session has ended
     * @param interrupts writes the client's eventfds, see {@link #interruptWriter}
     * @param patience how long the client may take for its first message, and for the rest of any
     * @param listener is told what the client does
     */
    public Session(String name, PciFunction function, long mostBytes, UnixSocket client, InterruptWriter interrupts,
            Duration patience, SessionListener listener) throws IOException {
        this.name = name;
        this.function = function;
        this.patience = patience.toNanos();
        this.listener = listener;
        this.memory = new GuestMemory(function.dma(), Mappings.SHARED, mostBytes);
        this.vectors = new Vectors(function.interrupts(), interrupts, costs);
        this.commands = new Commands(function, memory, vectors);
        // behind what a function that has gone refuses, so that nothing stays open then
        this.wake = EventFd.create();
        this.line = new Line(client, wake, this.patience, costs);
        this.reader = new MessageReader(line);
        this.replies = new Replies(line, wake, this.patience);
    }

    /**
     * Made once for all sessions with a function: however many clients come, they hold a few threads at most.
     *
     * @param lacking runs when interrupts of a client have no thread that writes them
     * @param threads makes those that write them
     */
    public static InterruptWriter interruptWriter(String name, PciFunction function, Runnable lacking,
            ThreadFactory threads) {
        return new InterruptWriter(name, Vectors.places(function.interrupts()), lacking, threads);
    }

    /** Whether the client has said who it is and has not left. Any thread may ask. */
    public boolean greeted() {
        return greeted;
    }

    /** What it costs, while it lasts and afterwards. */
    public SessionCounters costs() {
        return costs;
    }

    /** Makes {@link #run} come to its end soon. Any thread may call. */
    public void end(String why, boolean gone) {
        functionGone |= gone;
        if (ordered == null) {
            ordered = why;
        }
        line.shutdown();
        wake.signal();
    }

    /** Closes what it has, in place of {@link #run}; the connection stays the caller's. */
    public void discard() {
        wake.close();
    }

    /**
     * Serves the client until it leaves, misbehaves, or is to be left.
     *
     * @return why it is over
     */
    public String run() {
        String why;
        try {
            serve();
            why = "";
        } catch (SessionEndedException over) {
            why = over.getMessage();
        } catch (IOException broken) {
            why = "the connection broke: " + broken.getMessage();
        } catch (RuntimeException | Error unexpected) {
            LOG.error("export {}: the session ended by an error", name, unexpected);
            why = "an error here";
        } finally {
            leave();
        }
        String over = ordered == null ? why : ordered;
        LOG.debug("export {}: the virtual machine is gone: {}", name, over);
        return over;
    }

    private void serve() throws SessionEndedException, IOException {
        long since = System.nanoTime();
        while (ordered == null) {
            boolean any = false;
            while (ordered == null && !replies.full() && reader.next(request)) {
                carryOut();
                any = true;
            }
            // whole messages may be left in the buffer when answers pile up: those first, then the socket
            boolean heldUp = replies.full();
            replies.flush();
            if (heldUp) {
                if (replies.full()) {
                    line.await(false, patience);
                    wake.take();
                }
                continue;
            }
            long now = System.nanoTime();
            since = any ? now : since;
            if (greeted && !reader.inMessage()) {
                idle();
                since = System.nanoTime();
            } else {
                hurried(since + patience - now);
            }
        }
        throw new SessionEndedException(ordered);
    }

    /** The client owes nothing: it may take its time. */
    private void idle() throws SessionEndedException, IOException {
        if (!replies.holding()) {
            reader.receive(true);
        } else if (!reader.receive(false)) {
            line.await(true, patience);
            wake.take();
        }
    }

    /** The client owes the rest of a message. */
    private void hurried(long left) throws SessionEndedException, IOException {
        if (reader.receive(false)) {
            return;
        }
        if (left <= 0) {
            throw new SessionEndedException(greeted ? "it stopped in the middle of a message"
                    : "it did not say VERSION in time");
        }
        line.await(true, left);
        wake.take();
    }

    private void carryOut() throws SessionEndedException, IOException {
        costs.message();
        try {
            if ((request.flags() & VfioUser.TYPE_MASK) == VfioUser.TYPE_REPLY) {
                return; // nothing was asked of the client: an answer of its own goes nowhere
            }
            answer.begin(request);
            try {
                handle();
            } catch (Refusal refusal) {
                answer.refuse(refusal.errno().number());
                told(refusal);
            } catch (RuntimeException | Error unexpected) {
                answer.refuse(Refusals.errno(unexpected));
                if (refused++ < TOLD) {
                    LOG.error("export {}: a request failed by an error", name, unexpected);
                }
            }
            boolean turnedOut = !greeted && !commands.greeted();
            if (!greeted && !turnedOut) {
                greet();
            }
            if (request.wantsReply()) {
                replies.send(answer);
            }
            if (turnedOut) {
                throw new SessionEndedException("its first message was refused");
            }
        } finally {
            request.closeDescriptors();
        }
    }

    private void handle() throws SessionEndedException {
        use.lock();
        try {
            if (givenBack) {
                throw new SessionEndedException(ordered);
            }
            commands.handle(request, answer);
        } finally {
            use.unlock();
        }
    }

    private void greet() {
        greeted = true;
        LOG.debug("export {}: a virtual machine is connected", name);
        listener.greeted();
    }

    private void told(Refusal refusal) {
        if (refusal instanceof UnsharedMemory && !unshared) {
            unshared = true;
            listener.unshared(refusal.getMessage());
        }
        if (refused++ < TOLD) {
            LOG.warn("export {}: {}", name, refusal.getMessage());
        } else if (refused == TOLD + 1) {
            LOG.warn("export {}: more was refused; it is not told any more", name);
        }
    }

    private void leave() {
        greeted = false;
        line.close();
        use.lock();
        try {
            giveBack();
        } finally {
            use.unlock();
        }
        request.closeDescriptors();
        reader.closeDescriptors();
        wake.close();
    }

    private void giveBack() {
        if (givenBack) {
            return;
        }
        givenBack = true;
        greeted = false;
        if (!functionGone) {
            quietly("reset", function::reset);
        }
        quietly("take memory from", this::awaitGone);
        quietly("take interrupts from", vectors::close);
    }

    /**
     * Takes the function away from a session that has been ended and is not over, since its client holds its thread in
     * the kernel: when that comes back the function may be another's. Any thread may call, after {@link #end}.
     */
    public void abandon() {
        boolean free = false;
        try {
            free = use.tryLock(LEAVING.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        if (!free) {
            LOG.warn("export {}: the virtual machine still does something with the function", name);
            givenBack = true;
            return;
        }
        try {
            giveBack();
        } finally {
            use.unlock();
        }
    }

    private void awaitGone() {
        try {
            memory.unmapAll().get(LEAVING.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException busy) {
            LOG.warn("export {}: memory of the virtual machine is still in use", name);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void quietly(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error failed) {
            LOG.warn("export {}: could not {} the function: {}", name, what, String.valueOf(failed.getMessage()));
        }
    }
}

package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.Paths;
import io.manafold.streams.Pool;
import io.manafold.streams.ReceiveQueue;
import io.manafold.streams.StreamEndpoint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An endpoint over a queue pair: sends are read by the device where they lie, what comes is copied out of buffers that
 * were posted ahead.
 */
final class RdmaEndpoint extends StreamEndpoint implements RdmaQueues.Waiting {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaEndpoint.class);
    private static final String SENT = "the device reads it where it lies";
    private static final String CAME = "copied out of the buffers that the connection has posted for its peer";
    /** How long an end that was not told of is waited for. */
    private static final long CAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** How long what was sent has to arrive after closing. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** How long a peer may repeat what it does not know to have arrived, since acknowledgments may be lost. */
    private static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final RdmaQueues queues;
    private final Line line;
    private final boolean gathers;
    private InetSocketAddress here;
    private InetSocketAddress there;
    /** That it comes by, until it is there. */
    private RequestListener listener;
    /** That has taken it; {@code null} if none has, or it has no memory any more. */
    private RequestListener home;
    /** Without a word for so long, the peer is asked; 0 for never. */
    private final long idleNanos;
    private boolean isReady;
    /** Whether there was a sign of the peer since {@link #heardAt}. */
    private boolean wasHeard;
    private long heardAt;
    private boolean isAsked;
    private boolean hasPeerFinished;
    /** The peer has asked for the connection, and leaves it first. */
    private boolean wasAskedFor;
    /** The pair carries nothing any more, and it is not known why. */
    private boolean isFlushed;
    /** Closed by the program; what was sent is still on its way. */
    private boolean isLingering;
    /** All has arrived at the peer, which has not left yet. */
    private boolean isAllThere;
    /** Of what ends it, 0 while nothing does. */
    private int endErrno;
    private String end;
    private long until;
    /** Something has come of it in this look. */
    boolean isTouched;
    /** Its connection is asked for events. */
    boolean isAttended;

    RdmaEndpoint(RdmaQueues queues, Device device, EndpointPlan plan, List<KnobState> knobs) {
        super(queues, plan, knobs, true);
        this.queues = queues;
        gathers = KnobStates.is(knobs, Knob.GATHER, "on");
        idleNanos = TimeUnit.SECONDS.toNanos(KnobStates.number(knobs, Knob.KEEPALIVE));
        line = new Line(queues, device, name(), KnobStates.number(knobs, Knob.BUFFERS));
    }

    // ---- connecting

    void connect(InetSocketAddress to, EndpointPlan plan, long tag) {
        there = to;
        line.open(this);
        line.connect(to);
        connecting(to, tag);
        until = System.nanoTime() + plan.connectLimit().toNanos();
        queues.schedule(this);
        queues.attend(this);
    }

    /** Takes what a peer asks; the endpoint is the program's when the peer knows that. */
    void accept(ConnectionRequest request, Hello hello, RequestListener of) {
        listener = of;
        wasAskedFor = true;
        there = request.remote();
        line.outgoing().peer(hello);
        line.open(this);
        line.accept(request);
        home = of;
        until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        queues.schedule(this);
        queues.attend(this);
    }

    private void established(ConnectionEvent event) {
        if (listener == null) {
            Hello peer = Hello.decode(event.privateData());
            if (peer == null) {
                ends(Errno.EPROTO, "To connect to " + there + " failed: what answers there carries no byte streams.");
                return;
            }
            line.outgoing().peer(peer);
        }
        queues.unschedule(this);
        queues.attendNoMore(this);
        here = line.local();
        isReady = true;
        if (idleNanos > 0) {
            heardAt = System.nanoTime();
            queues.watch(idleNanos);
        }
        connected(here, there);
        if (listener != null) {
            listener.came(this);
            listener = null;
        }
    }

    /** Takes events of its connection. */
    void events() {
        for (ConnectionEvent event = line.event(); event != null; event = line.event()) {
            switch (event.type()) {
                case ESTABLISHED -> established(event);
                case DISCONNECTED -> {
                    // what the peer has sent before is in completions that the user may not have looked at
                    queues.takeAllOf(line.device());
                    disconnected(event);
                }
                default -> ends(event.errno() == null ? Errno.EIO : event.errno(),
                        (isReady ? "The connection to " : "To connect to ") + there + " failed: " + event.sentence());
            }
        }
        if (isFlushed && endErrno == 0 && line.isOpen() && System.nanoTime() - until > 0) {
            ends(Errno.ECONNRESET, "The connection to " + there + " failed: its queue pair carries nothing any more.");
        }
        settle();
    }

    private void disconnected(ConnectionEvent event) {
        if (endErrno != 0 || !line.isOpen()) {
            return;
        }
        boolean allArrived = line.outgoing().free() == sends().queue().accepted() && sends().queue().isAllAccepted();
        if (hasPeerFinished && allArrived) {
            // what it has sent is here, to be read; credits on their way are of no use to it
            queues.attendNoMore(this);
            line.close();
        } else {
            ends(event.errno() == Errno.ENODEV ? Errno.ENODEV : Errno.ECONNRESET, "The connection to " + there
                    + " failed: " + event.sentence());
        }
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public void due() {
        if (isLingering) {
            finished();
        } else if (!isReady) {
            ends(Errno.ETIMEDOUT, "The connection of " + name() + " to " + there
                    + " was not there within the time that its plan gives.");
            settle();
        }
    }

    // ---- what comes

    long id() {
        return line.id();
    }

    boolean isOf(Device device) {
        return line.device() == device;
    }

    void unpark(Thread waiter) {
        line.unpark(waiter);
    }

    /** A message of the peer, or the end of one that was posted. */
    void completed(Completions completions, int index) {
        CompletionStatus status = completions.status(index);
        boolean isSend = Line.isSend(completions.id(index));
        if (status == CompletionStatus.SUCCESS) {
            wasHeard = true;
            if (isSend) {
                freed(line.outgoing().done(), 0, null);
            } else {
                message(completions, index);
            }
        } else if (status == CompletionStatus.FLUSHED) {
            flushed();
        } else if (isAsked && Statuses.errno(status) == Errno.ETIMEDOUT) {
            ends(Errno.ETIMEDOUT, "The connection to " + there + " failed: nothing was heard of the peer for "
                    + TimeUnit.NANOSECONDS.toSeconds(idleNanos) + " s, and its device does not answer.");
        } else {
            ends(Statuses.errno(status), "The connection to " + there + " failed: " + (isSend ? "a send" : "a receive")
                    + " ended with '" + status.label() + "'.");
        }
    }

    /** Asks the peer for a sign if there was none for as long as the knob says. */
    void idles(long now) {
        if (idleNanos == 0 || !isReady || endErrno != 0 || isFlushed || isLingering || isClosing() || isBroken()
                || !line.isOpen()) {
            return;
        }
        if (wasHeard) {
            wasHeard = false;
            isAsked = false;
            heardAt = now;
        } else if (now - heardAt >= idleNanos) {
            try {
                isAsked |= line.ask();
            } catch (Refusal _) {
                // its pair is down: perhaps the peer has closed, which an event says
                flushed();
            }
        }
    }

    /** The pair carries nothing any more; why, a completion or an event says. What came before is read all the same. */
    private void flushed() {
        if (!isFlushed && endErrno == 0) {
            isFlushed = true;
            until = System.nanoTime() + CAUSE_NANOS;
            queues.attend(this);
        }
    }

    private void message(Completions completions, int index) {
        int buffer = Line.buffer(completions.id(index));
        int length = completions.length(index);
        int value = completions.immediate(index);
        // nothing bounds the length of what was written elsewhere
        if (completions.opcode(index) != CompletionOpcode.RECV || length > line.window().bytes()
                || !completions.hasImmediate(index) || Immediate.isUnknown(value)
                || Immediate.isControl(value) != (length == 0)) {
            lies("sent a message that is none of this protocol");
        } else if (!line.outgoing().credit(Immediate.credits(value))) {
            lies("gives more credits than it has buffers");
        } else if (length == 0) {
            hasPeerFinished |= Immediate.isFinish(value);
            line.window().again(buffer, line.id());
        } else if (hasPeerFinished) {
            lies("sent data after the end of its stream");
        } else if (!line.window().came(buffer, length)) {
            lies("sent more than it had credits for");
        }
    }

    private void lies(String what) {
        ends(Errno.EPROTO, "The connection to " + there + " failed: the peer " + what + ".");
    }

    private void freed(long upTo, int errno, String because) {
        for (long place = line.outgoing().free(); place < upTo; place++) {
            sends().freed(place, Paths.ZERO_COPY, null, because == null ? SENT : because, false, errno);
        }
        line.outgoing().free(Math.max(upTo, line.outgoing().free()));
    }

    /** After a look: takes what came, gives credits, sends what can be sent. */
    void settle() {
        try {
            settleOrThrow();
        } catch (RuntimeException mistake) {
            fails(mistake);
        }
    }

    private void settleOrThrow() {
        if (endErrno != 0) {
            if (!isBroken()) {
                broken();
            }
            return;
        }
        if (isLingering) {
            if (line.outgoing().isNone()) {
                allThere();
            }
            return;
        }
        if (isReady && !isClosing()) {
            deliver();
            send();
        }
    }

    // ---- moving bytes

    @Override
    protected int begin() {
        if (!isReady || isConnecting() || isBroken() || isClosing()) {
            return 0;
        }
        try {
            deliver();
            int began = send();
            if (endErrno != 0) {
                broken();
            }
            return began;
        } catch (RuntimeException mistake) {
            fails(mistake);
            return 0;
        }
    }

    @Override
    protected void checkSend(HeldRegion region) {
        line.checkSend(region);
    }

    private int send() {
        if (!line.isOpen()) {
            if (!sends().queue().isAllAccepted()) {
                ends(Errno.ECONNRESET, "To send to " + there + " failed: the peer has closed the connection.");
            } else if (sends().isFinishDue()) {
                sends().finishDone(0);
            }
            return 0;
        }
        if (isFlushed) {
            return 0;
        }
        try {
            int began = line.send(sends(), gathers, SENT);
            if (sends().isFinishDue() && line.finish(sends().queue().accepted())) {
                sends().finishDone(0);
            }
            line.post();
            return began;
        } catch (Refusal refused) {
            if (line.isDown()) {
                // perhaps the peer has closed after all that it had to send
                flushed();
            } else {
                ends(refused.errno(), "To send to " + there + " failed: " + refused.getMessage());
            }
            return 0;
        }
    }

    private void deliver() {
        Window window = line.window();
        while (!window.isEmpty() && receives().isWanted()) {
            if (receives().pool() == null) {
                ReceiveQueue posted = receives().queue();
                HeldRegion region = posted.region(0);
                int length = window.read(region.block().segment(), region.offset() + posted.offset(0), posted.length(0),
                        line.id());
                receives().received(length, 0, 1, CAME);
            } else if (!pooled(window, receives().pool())) {
                break;
            }
        }
        if (window.isEmpty() && hasPeerFinished) {
            if (!receives().isEnded()) {
                receives().end();
            } else if (receives().isWanted()) {
                receives().endAgain();
            }
        }
    }

    private boolean pooled(Window window, Pool pool) {
        if (pool.free() == 0 || queues.room() == 0) {
            queues.rests(this);
            return false;
        }
        long now = System.nanoTime();
        int buffer = pool.take();
        HeldRegion region = pool.region();
        int length = window.read(region.block().segment(), region.offset() + pool.offset(buffer), pool.bufferBytes(),
                line.id());
        receives().delivered(buffer, pool.offset(buffer), length, 1, 0, Paths.COPIED, null, CAME, now);
        return true;
    }

    @Override
    protected void resume() {
        if (isReady && !isClosing() && !isBroken()) {
            settle();
        }
    }

    @Override
    protected void stopReceives() {
        // none is in the device: what comes lies in buffers of the connection
        receivesStopped();
    }

    // ---- coming to rest

    private void ends(Errno errno, String sentence) {
        if (endErrno == 0) {
            endErrno = errno.number();
            end = sentence;
        }
    }

    /** Its device has gone. */
    void gone(Refusal why) {
        if (line.isOpen()) {
            ends(Errno.ENODEV, "The connection to " + there + " failed: " + why.getMessage());
            settle();
        }
    }

    /** What is wrong with it costs no other endpoint of the queues anything. */
    private void fails(RuntimeException mistake) {
        LOG.error("The connection of {} to {} ends after an error", name(), there, mistake);
        ends(Errno.EIO, "The connection to " + there + " failed by an error of the platform's; see log.");
        if (!isBroken()) {
            broken();
        }
    }

    private void broken() {
        if (listener != null) {
            listener.lost(this);
            unmade();
            return;
        }
        if (isLingering) {
            finished();
            return;
        }
        release();
        freed(sends().queue().accepted(), endErrno, end);
        broke(endErrno, end);
    }

    /** Nothing of it is in the device after this. */
    private void release() {
        queues.unschedule(this);
        queues.attendNoMore(this);
        line.close();
    }

    /** It never was the program's. */
    void unmade() {
        release();
        forgetMemory();
    }

    private void forgetMemory() {
        line.window().close();
        if (home != null) {
            home.left();
            home = null;
        }
    }

    @Override
    protected void disconnect(boolean abort) {
        queues.unschedule(this);
        if (abort || !isReady || !line.isOpen() || isBroken() || isFlushed) {
            finished();
            return;
        }
        try {
            line.finish(sends().queue().accepted());
            line.post();
        } catch (Refusal _) {
            finished();
            return;
        }
        isLingering = true;
        until = System.nanoTime() + LINGER_NANOS;
        queues.lingers(this);
        queues.schedule(this);
        if (line.outgoing().isNone()) {
            allThere();
        }
    }

    /**
     * Closed, and what was sent has arrived. Where both streams have come to their end the asking peer may still wait
     * for acknowledgments that were lost, and could not tell our leaving from a loss: it is the first to leave.
     */
    private void allThere() {
        if (!wasAskedFor || !hasPeerFinished || isFlushed || !line.isOpen()) {
            finished();
        } else if (!isAllThere) {
            isAllThere = true;
            until = System.nanoTime() + REPEAT_NANOS;
        }
    }

    /** Whether it lingers for nothing but the peer's leaving. */
    boolean isAllThere() {
        return isAllThere;
    }

    /** Nothing is waited for any more. */
    void finished() {
        isLingering = false;
        queues.lingersNoMore(this);
        release();
        freed(sends().queue().accepted(), endErrno != 0 ? endErrno : line.outgoing().isNone() ? 0
                : Errno.ECANCELED.number(), end);
        forgetMemory();
        gone();
    }
}

package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Pieces;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Transfer;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.util.List;

/**
 * What endpoints of all transports have in common: posting, states, errors and the end. A transport moves the bytes.
 */
public abstract class StreamEndpoint implements Endpoint {
    private final StreamQueues queues;
    private final String name;
    private final List<KnobState> knobs;
    private final SendSide sends;
    private final ReceiveSide receives;
    private final Counts counts = new Counts();
    private final History history = new History();
    private long connectTag;
    private volatile boolean connecting;
    private volatile String failure;
    private volatile int failureErrno;
    private volatile boolean closing;
    private volatile boolean closed;
    private volatile EndpointState.Phase phase = EndpointState.Phase.CONNECTED;
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress remote;
    private volatile Object attachment;
    /** Made by whichever thread asks first. */
    private volatile ChannelView view;
    /** Posted to since the last submit; of the queues. */
    boolean isWaiting;
    /** Has no room for what comes; of the queues. */
    boolean isResting;

    /** @param zeroCopy whether a send can be free later than it is accepted */
    @SuppressWarnings("this-escape") // the sides keep it, and use it when there is something to post
    protected StreamEndpoint(StreamQueues queues, EndpointPlan plan, List<KnobState> knobs, boolean zeroCopy) {
        this.queues = queues;
        this.knobs = knobs;
        name = queues.context().nextName();
        sends = new SendSide(this, queues.ring(), plan.sends(), plan.pieces(), zeroCopy);
        receives = new ReceiveSide(this, queues.ring(), plan.receives());
    }

    // ---- what a transport does

    /** Begins what can begin of what is posted and due. @return how many sends began */
    protected abstract int begin();

    /** There is room again for what comes. */
    protected abstract void resume();

    /** Has no receive in the kernel any more; {@link #receivesStopped} when that is so, which may be at once. */
    protected abstract void stopReceives();

    /**
     * Whether a range of a region can be sent as the knobs demand.
     *
     * @throws Refusal if it cannot
     */
    protected void checkSend(HeldRegion region) {
        // nothing is demanded of memory that this transport could lack
    }

    /** How many of the oldest sends the kernel is at, so that they cannot be taken back. */
    protected int sendsBegun() {
        return 0;
    }

    /** Lets go of the connection; {@link #gone} when nothing of it is in the kernel any more, which may be at once. */
    protected abstract void disconnect(boolean abort);

    /**
     * Ids of the kernel's receive queue, its processor and the device's queue, −1 for what is not known. Any thread may
     * call.
     */
    protected int napi() {
        return -1;
    }

    protected int cpu() {
        return -1;
    }

    protected int queue() {
        return -1;
    }

    // ---- what a transport says

    protected final void connecting(InetSocketAddress to, long tag) {
        connecting = true;
        connectTag = tag;
        remote = to;
        phaseChanged();
    }

    protected final void connected(InetSocketAddress at, InetSocketAddress to) {
        local = at;
        remote = to;
        if (connecting) {
            connecting = false;
            phaseChanged();
            queues.ring().add(this, Operation.CONNECT, connectTag, 0, 0, 0);
            begins();
        }
    }

    /**
     * The connection broke, or could not be made.
     *
     * @param sentence why, and where
     */
    protected final void broke(int errno, String sentence) {
        if (failure == null) {
            failureErrno = errno;
            failure = sentence;
        }
        phaseChanged();
        fail(errno, sentence);
    }

    private void fail(int errno, String because) {
        if (connecting) {
            connecting = false;
            queues.ring().add(this, Operation.CONNECT, connectTag, 0, errno, 0);
        }
        sends.fail(errno, because);
        receives.fail(errno, because);
    }

    /** Nothing of it is in the kernel any more. */
    protected final void gone() {
        if (closed) {
            return;
        }
        fail(Errno.ECANCELED.number(), "closed");
        closed = true;
        phaseChanged();
        queues.forget(this);
        if (view != null) {
            view.closed();
        }
        queues.ring().add(this, Operation.CLOSE, 0, 0, failureErrno, 0);
    }

    /** No receive is in the kernel; those that were posted come back. */
    protected final void receivesStopped() {
        receives.fail(Errno.ECANCELED.number(), "taken back");
    }

    protected final SendSide sends() {
        return sends;
    }

    protected final ReceiveSide receives() {
        return receives;
    }

    /** Counts that the kernel was entered for it. */
    protected final void called() {
        counts.calls++;
        queues.called();
    }

    protected final boolean isConnecting() {
        return connecting;
    }

    protected final boolean isClosing() {
        return closing;
    }

    protected final boolean isResting() {
        return isResting;
    }

    protected final boolean isBroken() {
        return failure != null;
    }

    public final StreamQueues streamQueues() {
        return queues;
    }

    // ---- of its parts

    final void begins() {
        queues.waits(this);
    }

    final void phaseChanged() {
        phase = closed ? EndpointState.Phase.CLOSED : failure != null ? EndpointState.Phase.BROKEN
                : connecting ? EndpointState.Phase.CONNECTING
                : sends.isFinished() ? receives.isEnded() ? EndpointState.Phase.DRAINED : EndpointState.Phase.FINISHED
                : receives.isEnded() ? EndpointState.Phase.ENDED : EndpointState.Phase.CONNECTED;
    }

    final void checkUsable() {
        if (closing || closed) {
            throw new Refusal(Errno.EBADF, "The endpoint " + name + " is closed.");
        }
        if (failure != null) {
            Errno errno = Errno.of(failureErrno);
            throw new Refusal(errno == null ? Errno.EIO : errno, "The endpoint " + name + " carries nothing any more. "
                    + failure);
        }
    }

    final boolean isUsable() {
        return !closing && !closed && failure == null;
    }

    final RegionTable regions() {
        return queues.context().table();
    }

    final Counts counts() {
        return counts;
    }

    final History history() {
        return history;
    }

    final ChannelView view() {
        return view;
    }

    final void heardByView() {
        if (view != null) {
            view.heard();
        }
    }

    /** A place in one of its queues is free. */
    final void roomCame() {
        if (view != null) {
            view.roomCame();
        }
    }

    /** Inside: closes it now. */
    final void closeInside(boolean abort) {
        if (!closing) {
            closing = true;
            disconnect(abort);
        }
    }

    // ---- what a program does

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Queues queues() {
        return queues;
    }

    @Override
    public final InetSocketAddress local() {
        return local;
    }

    @Override
    public final InetSocketAddress remote() {
        return remote;
    }

    @Override
    public final EndpointState state() {
        return new EndpointState(name, queues.context().transport(), local, remote, phase, napi(), cpu(),
                closed ? -1 : queue(), knobs, counts.statistics(sends.inFlight() + receives.inFlight()),
                queues.context().owner());
    }

    @Override
    public final Object attachment() {
        return attachment;
    }

    @Override
    public final void attach(Object object) {
        attachment = object;
    }

    @Override
    public final void send(int key, long offset, int length, long tag) {
        queues.enter();
        try {
            sends.post(key, offset, length, tag, false);
        } finally {
            queues.leave();
        }
    }

    @Override
    public final void send(Pieces pieces, long tag) {
        queues.enter();
        try {
            sends.post(pieces, tag);
        } finally {
            queues.leave();
        }
    }

    @Override
    public final int sendRoom() {
        return sends.room();
    }

    @Override
    public final void receive(int key, long offset, int length, long tag) {
        queues.enter();
        try {
            receives.post(key, offset, length, tag, false);
        } finally {
            queues.leave();
        }
    }

    @Override
    public final int receiveRoom() {
        return receives.room();
    }

    @Override
    public final void receive(ReceivePool pool, long tag) {
        queues.enter();
        try {
            if (!(pool instanceof Pool ours) || ours.queues() != queues) {
                throw new Refusal(Errno.EINVAL, "The pool belongs to other queues than the endpoint " + name
                        + "; make one of its own.");
            }
            receives.arm(ours, tag);
        } finally {
            queues.leave();
        }
    }

    @Override
    public final void finish(long tag) {
        queues.enter();
        try {
            sends.finish(tag);
        } finally {
            queues.leave();
        }
    }

    @Override
    public final int cancelReceives() {
        queues.enter();
        try {
            int outstanding = receives.outstanding();
            if (outstanding > 0) {
                stopReceives();
            }
            return outstanding;
        } finally {
            queues.leave();
        }
    }

    @Override
    public final int cancelSends() {
        queues.enter();
        try {
            return sends.cancel(sendsBegun());
        } finally {
            queues.leave();
        }
    }

    @Override
    public final void abort() {
        queues.enter();
        try {
            if (failure == null && !closing) {
                failureErrno = Errno.ECONNRESET.number();
                failure = "This end broke it.";
            }
            closeInside(true);
        } finally {
            queues.leave();
        }
    }

    @Override
    public final String failure() {
        return failure;
    }

    @Override
    public final List<Transfer> explain() {
        return history.list();
    }

    @Override
    public final ByteChannel channel() {
        synchronized (this) {
            if (view == null) {
                view = new ChannelView(this);
                if (closed) {
                    // it ended meanwhile, and has not seen the channel
                    view.closed();
                }
            }
            return view;
        }
    }

    @Override
    public final void close() {
        queues.run(() -> closeInside(false));
    }
}

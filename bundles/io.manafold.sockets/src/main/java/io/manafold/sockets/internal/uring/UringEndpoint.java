package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.linux.InternetAddress;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.StreamEndpoint;
import io.manafold.uring.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * An endpoint over a ring. The kernel has one send and one receive of it at a time, each of as much as was posted; what
 * is posted meanwhile goes with the next.
 */
final class UringEndpoint extends StreamEndpoint implements Owner {
    /** How long an endpoint that was closed waits for a peer to acknowledge what it was sent. */
    private static final int PATIENCE_MILLIS = 100_000;

    private final UringQueues queues;
    private final TcpSocket socket;
    private final int index;
    private final Sending sending;
    private final Receiving receiving;
    /** Requests whose last completion has not come; those of free memory apart. */
    private int outstanding;
    private boolean isOpen = true;
    private boolean isReset;
    private boolean isAborted;
    private boolean isEnding;
    private long connectUntil;
    private int breakErrno;
    private String breakSentence;

    UringEndpoint(UringQueues queues, TcpSocket socket, EndpointPlan plan, List<KnobState> knobs, boolean local) {
        super(queues, plan, knobs, !Settings.is(knobs, Knob.SEND, "copy"));
        this.queues = queues;
        this.socket = socket;
        index = queues.number(this);
        sending = new Sending(this, queues, sends(), knobs, local);
        receiving = new Receiving(this, queues, receives(), knobs);
    }

    // ---- of its parts

    int descriptor() {
        return socket.number();
    }

    long tag(int kind, int number) {
        return Tags.of(kind, index, number);
    }

    /** One more request is with the kernel. */
    void asked() {
        outstanding++;
    }

    void answered() {
        outstanding--;
    }

    /** The kernel was entered for it. */
    void entered() {
        called();
        sending.entered();
        receiving.entered();
    }

    boolean isIdle() {
        return isConnecting() || isBroken() || isClosing() || breakErrno != 0;
    }

    boolean isLeaving() {
        return isClosing();
    }

    /** Its connection has an end: nothing of it is with the kernel before it is said. */
    void fails(int errno, String doing) {
        if (breakErrno == 0) {
            breakErrno = errno;
            breakSentence = "To " + doing + " " + remote() + " failed: " + Failures.name(errno) + ".";
            if (outstanding > 0 && !cancelled()) {
                // a connection that is reset ends what is under way as well
                hangUp(true);
            }
        }
    }

    /** Something has come back: goes on, or comes to its end. */
    void settle() {
        receiving.deliver();
        if (breakErrno != 0 && !isBroken() && outstanding == 0 && !receiving.isHolding()) {
            if (!sending.isPending()) {
                broke(breakErrno, breakSentence);
            } else if (!isReset) {
                // what is broken carries nothing any more: without the connection the kernel lets go of what it sends
                isReset = true;
                hangUp(true);
            }
        }
        if (isClosing()) {
            leave();
        } else if (!isIdle()) {
            begin();
        }
    }

    void finishNow() {
        called();
        int errno = 0;
        try {
            socket.shutdown(1);
        } catch (SystemCallException failed) {
            errno = failed.errno();
        }
        sends().finishDone(errno);
    }

    void stopped() {
        receivesStopped();
    }

    // ---- connecting

    void connect(InetSocketAddress to, EndpointPlan plan, long tag) {
        connecting(to, tag);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = InternetAddress.encode(to, arena);
            if (!queues.ask(this, Request.connect(descriptor(), (int) address.byteSize()), address.address(), 0,
                    tag(Tags.CONNECT, 0))) {
                throw new Refusal(Errno.ENOBUFS, "The kernel takes no requests of the queues '" + queues.name()
                        + "' at the moment; poll them first.");
            }
            asked();
            queues.pushAll();
        } catch (SystemCallException failed) {
            throw Failures.refusal("Nothing connects to " + to, failed);
        }
        connectUntil = System.nanoTime() + plan.connectLimit().toNanos();
        queues.schedule(this);
    }

    private void connectEnded(int result) {
        answered();
        queues.unschedule(this);
        if (isConnecting() && !isClosing()) {
            if (result == 0) {
                came(remote());
            } else {
                broke(-result, "To connect to " + remote() + " failed: " + Failures.name(-result) + ".");
            }
        }
        settle();
    }

    /** The connection is there. */
    void came(InetSocketAddress to) {
        InetSocketAddress at = null;
        try {
            called();
            at = socket.local();
        } catch (SystemCallException failed) {
            // it has gone already, which the first transfer says
        }
        connected(at, to);
    }

    /** Connecting could not begin. */
    void unmade() {
        queues.unschedule(this);
        queues.remove(index);
    }

    @Override
    public long until() {
        return connectUntil;
    }

    @Override
    public void due() {
        broke(Errno.ETIMEDOUT.number(), "The connection of " + name() + " to " + remote()
                + " was not there within the time that its plan gives.");
        if (outstanding > 0 && !cancelled()) {
            hangUp(true);
        }
    }

    /** Has the kernel take back all that is under way; false if it takes no requests at the moment. */
    private boolean cancelled() {
        return queues.ask(this, Request.cancelAll(descriptor()), 0, 0, tag(Tags.CANCEL, 0));
    }

    // ---- moving bytes

    @Override
    public void completed(int kind, int number, int result, int flags) {
        switch (kind) {
            case Tags.CONNECT -> connectEnded(result);
            case Tags.SEND -> sending.completed(number, result, flags);
            case Tags.RECEIVE, Tags.POOL -> receiving.completed(kind, result, flags);
            default -> {
                // nothing else is asked for
            }
        }
    }

    @Override
    protected int begin() {
        if (isIdle() || !queues.isAtHome()) {
            return 0;
        }
        int began = sending.begin();
        receiving.begin();
        return began;
    }

    @Override
    protected void resume() {
        if (!isClosing()) {
            settle();
        }
    }

    @Override
    protected void checkSend(HeldRegion region) {
        sending.check(region);
    }

    @Override
    protected int sendsBegun() {
        return sending.begun();
    }

    @Override
    protected void stopReceives() {
        receiving.stop();
    }

    // ---- the end

    @Override
    protected void disconnect(boolean abort) {
        queues.unschedule(this);
        receiving.letGo();
        isAborted = abort;
        if (outstanding > 0 || !queues.isAtHome()) {
            // the ring holds the file: closing it alone would tell the peer nothing
            hangUp(abort || !queues.isAtHome() && sending.isPending());
            if (queues.isAtHome()) {
                if (!cancelled()) {
                    hangUp(true);
                }
                queues.push();
            }
        } else if (abort) {
            lingerNot();
        }
        if (queues.isAtHome()) {
            leave();
        }
    }

    private void hangUp(boolean abort) {
        called();
        try {
            if (abort) {
                socket.reset();
            } else {
                socket.shutdown(2);
            }
        } catch (SystemCallException gone) {
            // it never was connected, or is not any more
        }
    }

    private void lingerNot() {
        called();
        try {
            socket.linger(0);
        } catch (SystemCallException gone) {
            // then closing does as well
        }
    }

    /** Gives back what can be given back; it has gone when the kernel reads nothing of it any more. */
    private void leave() {
        if (outstanding > 0) {
            return;
        }
        if (!sending.isPending()) {
            closeSocket();
            queues.remove(index);
            gone();
        } else if (!isEnding) {
            isEnding = true;
            end();
        }
    }

    /**
     * The peer has still to acknowledge what lies in the program's memory. A closed socket could not be reset any more,
     * and the kernel would go on sending that memory after the queues have ended and the program has written it anew.
     */
    private void end() {
        if (isAborted) {
            closeSocket();
            return;
        }
        hangUp(false);
        called();
        try {
            // the kernel has as much patience with sockets that were closed: a peer may leave its window shut for ever
            socket.option(TcpSocket.IPPROTO_TCP, TcpSocket.TCP_USER_TIMEOUT, PATIENCE_MILLIS);
        } catch (SystemCallException gone) {
            // then it ends as others do
        }
    }

    private void closeSocket() {
        if (isOpen) {
            isOpen = false;
            called();
            socket.close();
        }
    }

    /** Breaks it, so that the kernel lets go of what it sends. */
    void reset() {
        if (isOpen) {
            hangUp(true);
        }
    }

    /** The ring was closed, and all that it was asked for is over. */
    void apart() {
        if (sending.isPending()) {
            reset();
        }
        closeSocket();
        sending.forget();
        queues.remove(index);
        gone();
    }

    // ---- what the kernel says of it

    @Override
    protected int queue() {
        return queues.transport().steering().queue(local(), remote());
    }

    @Override
    protected int napi() {
        int id = option(TcpSocket.SO_INCOMING_NAPI_ID);
        return id > 0 ? id : -1;
    }

    @Override
    protected int cpu() {
        return option(TcpSocket.SO_INCOMING_CPU);
    }

    private int option(int option) {
        if (!socket.descriptor().enter()) {
            return -1;
        }
        try {
            return socket.option(TcpSocket.SOL_SOCKET, option);
        } catch (SystemCallException unknown) {
            return -1;
        } finally {
            socket.descriptor().leave();
        }
    }
}

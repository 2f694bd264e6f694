package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import io.manafold.sockets.internal.nio.SendBuffer;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.streams.StreamListener;
import io.manafold.uring.Request;
import io.manafold.uring.Ring;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A listener over a ring. */
final class UringListener extends StreamListener implements Owner {
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ECONNABORTED = 103;
    private static final int ECANCELED = 125;
    private static final int EMFILE = 24;
    /** Made while there are descriptors: to load what names an error takes one. */
    private static final String NO_DESCRIPTORS = Failures.name(EMFILE);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final UringQueues queues;
    private final TcpSocket socket;
    private final int index;
    private final Request accept;
    private boolean isOut;
    private boolean isPausing;
    /** Connections that came when the queue of completions was full. */
    private final ArrayDeque<TcpSocket> held = new ArrayDeque<>();
    private long until;
    /** Of connections from this machine; the others' own where a size was asked for. */
    private final List<KnobState> localKnobs;

    UringListener(UringQueues queues, TcpSocket socket, InetSocketAddress at, EndpointPlan plan, List<KnobState> knobs,
            long tag) {
        super(queues, plan, knobs, tag);
        this.queues = queues;
        this.socket = socket;
        accept = Settings.is(knobs, Knob.ACCEPT, "multishot") ? Request.acceptOnAndOn(socket.number())
                : Request.accept(socket.number());
        localKnobs = SendBuffer.local(knobs);
        index = queues.number(this);
        listening(at);
        begin();
        queues.push();
    }

    private void begin() {
        if (isClosed() || isOut || until != 0) {
            return;
        }
        if (!held.isEmpty() || queues.ring().room() <= 0) {
            rests(0, "the queue of completions is full");
        } else if (queues.ask(null, accept, 0, 0, Tags.of(Tags.ACCEPT, index, 0))) {
            isOut = true;
        } else {
            rests(0, "the kernel takes no requests at the moment");
        }
    }

    @Override
    public void completed(int kind, int number, int result, int flags) {
        if ((flags & Ring.MORE) == 0) {
            isOut = false;
            isPausing = false;
        }
        if (result >= 0) {
            TcpSocket come = TcpSocket.adopt(result);
            if (!isClosed() && (!held.isEmpty() || queues.ring().room() <= 0)) {
                held.add(come);
                rests(0, "the queue of completions is full");
            } else {
                come(come);
            }
        } else if (result != -ECANCELED && result != -EINTR && result != -EAGAIN && result != -ECONNABORTED
                && !isClosed()) {
            rests(-result, result == -EMFILE ? NO_DESCRIPTORS : Failures.name(-result));
            until = System.nanoTime() + AGAIN_NANOS;
            queues.schedule(this);
        }
        if (isClosed()) {
            leave();
        } else if (isOut && queues.ring().room() <= 0 && !isPausing) {
            isPausing = queues.ask(null, Request.cancelAll(socket.number()), 0, 0, Tags.of(Tags.CANCEL, index, 0));
        } else {
            begin();
        }
    }

    private void come(TcpSocket come) {
        if (isClosed()) {
            come.close();
            return;
        }
        if (isResting() && held.isEmpty()) {
            goesOn();
        }
        InetSocketAddress remote = null;
        boolean isLocal = false;
        List<KnobState> knobs = knobs();
        try {
            queues.called();
            remote = come.remote();
            isLocal = QueueSteering.isLocal(remote);
            if (isLocal && localKnobs != knobs) {
                queues.called();
                come.option(TcpSocket.SOL_SOCKET, TcpSocket.SO_SNDBUF, SendBuffer.bytes(localKnobs));
                knobs = localKnobs;
            }
        } catch (SystemCallException gone) {
            // it came and went: the first transfer says so
        }
        UringEndpoint endpoint = new UringEndpoint(queues, come, plan(), knobs, isLocal);
        endpoint.came(remote);
        queues.add(endpoint);
        accepted(endpoint);
    }

    @Override
    protected void resume() {
        while (!held.isEmpty() && queues.ring().room() > 0) {
            come(held.poll());
        }
        if (until == 0 && held.isEmpty()) {
            // those that were held have said that it goes on, and a single accept is over all the same
            goesOn();
            begin();
        }
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public void due() {
        until = 0;
        begin();
    }

    @Override
    protected void stop() {
        queues.unschedule(this);
        while (!held.isEmpty()) {
            queues.called();
            held.poll().close();
        }
        queues.called();
        try {
            // the ring holds the file: closing it alone would leave the port as it is
            socket.shutdown(2);
        } catch (SystemCallException gone) {
            // nothing listens any more, which is what was wanted
        }
        if (!queues.isAtHome()) {
            isOut = false;
        } else if (isOut) {
            queues.ask(null, Request.cancelAll(socket.number()), 0, 0, Tags.of(Tags.CANCEL, index, 0));
            queues.push();
        }
        leave();
    }

    private void leave() {
        if (!isOut && socket.descriptor().isOpen()) {
            queues.called();
            socket.close();
            queues.remove(index);
        }
    }
}

package io.manafold.sockets.internal.nio;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.streams.StreamListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A listener over a channel of Java that never blocks. */
final class NioListener extends StreamListener implements NioQueues.Waiting {
    /** Connections that are accepted before others have their turn; the selector names it again if there are more. */
    private static final int MOST = 64;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final NioQueues queues;
    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final boolean acceptsMany;
    /** Of connections from this machine. */
    private final List<KnobState> localKnobs;
    private long until;

    /** @param channel bound and not blocking */
    NioListener(NioQueues queues, ServerSocketChannel channel, EndpointPlan plan, List<KnobState> knobs, long tag)
            throws IOException {
        super(queues, plan, knobs, tag);
        this.queues = queues;
        this.channel = channel;
        localKnobs = SendBuffer.local(knobs);
        acceptsMany = NioEndpoint.got(knobs, Knob.ACCEPT).equals("multishot");
        listening((InetSocketAddress) channel.getLocalAddress());
        key = channel.register(queues.selector(), SelectionKey.OP_ACCEPT, this);
    }

    void ready() {
        for (int left = acceptsMany ? MOST : 1; left > 0; left--) {
            if (queues.room() == 0) {
                pause(0, "the queue of completions is full");
                return;
            }
            SocketChannel come = null;
            try {
                queues.called();
                come = channel.accept();
                if (come == null) {
                    return;
                }
                come.configureBlocking(false);
                List<KnobState> knobs = QueueSteering.isLocal((InetSocketAddress) come.getRemoteAddress()) ? localKnobs
                        : knobs();
                NioTransport.prepare(come, knobs);
                NioEndpoint endpoint = new NioEndpoint(queues, come, plan(), knobs);
                endpoint.connected();
                queues.add(endpoint);
                accepted(endpoint);
            } catch (IOException failed) {
                NioTransport.close(come);
                Errno errno = NioErrors.errno(failed);
                if (errno != Errno.ECONNABORTED && come == null) {
                    pause(errno.number(), NioErrors.words(failed));
                    until = System.nanoTime() + AGAIN_NANOS;
                    queues.schedule(this);
                    return;
                }
            }
        }
    }

    private void pause(int errno, String why) {
        key.interestOps(0);
        rests(errno, why);
    }

    @Override
    protected void resume() {
        // one that rests for want of a descriptor waits for its time
        if (isResting() && until == 0 && queues.room() > 0) {
            goesOn();
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public void due() {
        until = 0;
        if (!isClosed()) {
            try {
                // whether it is over shows when one is taken
                key.interestOps(SelectionKey.OP_ACCEPT);
                queues.called();
                SocketChannel.open().close();
                goesOn();
            } catch (IOException _) {
                key.interestOps(0);
                until = System.nanoTime() + AGAIN_NANOS;
                queues.schedule(this);
            }
        }
    }

    @Override
    protected void stop() {
        queues.unschedule(this);
        NioTransport.close(channel);
        queues.letGo();
    }
}

package io.manafold.failover.internal;

import io.manafold.api.net.SyntheticPort;
import io.manafold.packet.FrameRing;
import java.util.concurrent.atomic.AtomicBoolean;

/** The synthetic device in the hands of one who polls it: the other ends of its rings. */
final class PolledSynthetic implements SyntheticPort {
    private final Pair pair;
    private final SyntheticPlug plug;
    private final FrameRing incoming;
    private final FrameRing outgoing;
    private final AtomicBoolean closed = new AtomicBoolean();

    PolledSynthetic(Pair pair, SyntheticPlug plug) {
        this.pair = pair;
        this.plug = plug;
        incoming = plug.incoming();
        outgoing = plug.outgoing();
    }

    @Override
    public int length() {
        return incoming.length();
    }

    @Override
    public long address() {
        return incoming.address();
    }

    @Override
    public void free() {
        incoming.free(1);
    }

    @Override
    public long reserve() {
        return outgoing.reserve();
    }

    @Override
    public void commit(int length) {
        outgoing.commit(length);
    }

    @Override
    public void flush() {
        plug.wake();
    }

    @Override
    public int longest() {
        return FrameRing.LONGEST;
    }

    @Override
    public void steer(boolean toFunction) {
        pair.steer(toFunction);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            pair.endPoll();
        }
    }
}

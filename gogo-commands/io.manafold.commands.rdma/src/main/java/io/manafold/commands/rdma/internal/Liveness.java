package io.manafold.commands.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.rdma.SendList;
import java.util.concurrent.TimeUnit;

/**
 * Learns whether an end elsewhere is still there while this one only waits: once in a while it writes into the other's
 * region, where neither end reads. An end that was killed says nothing, and its device answers no more: then the write
 * fails, and so does the wait.
 */
final class Liveness {
    /** In the first page of a region, behind what a {@link Barrier} has there. */
    private static final long PLACE = 2048;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final End end;
    private final RemoteMemory remote;
    private final SendList write = new SendList(1);
    private long last = System.nanoTime();

    Liveness(End end, RemoteMemory remote) {
        this.end = end;
        this.remote = remote;
    }

    /** Asks once more, if it has not for a while and knows the last answer. */
    void ask() {
        long now = System.nanoTime();
        if (now - last < PAUSE_NANOS || end.isAsking()) {
            return;
        }
        last = now;
        write.clear();
        write.write(Completing.LIVENESS, SendList.SIGNALED, remote.address() + PLACE, remote.key())
                .piece(end.address(PLACE + JAVA_LONG.byteSize()), end.key(), Long.BYTES);
        if (end.pair(0).post(write) == 1) {
            end.asks(true);
        }
    }
}

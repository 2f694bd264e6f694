package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Listener;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Where messages come in: each is answered by one as long, until the stream begins, which is only counted. */
final class CompareReceiver extends CompareEnd {
    private final CompletableFuture<InetSocketAddress> listening = new CompletableFuture<>();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean isStream;

    CompareReceiver(MemorySource memory, Workload load, CompletableFuture<Void> failure) {
        super(memory, load, "sock compare receiver", failure);
        failure.whenComplete((_, failed) -> listening.completeExceptionally(failed));
    }

    @Override
    void begin() {
        Listener listener = load().sockets().listen(queues(), new InetSocketAddress(load().at(), 0), plan(), 0);
        listening.complete(listener.local());
    }

    /** Where it listens, as soon as it does. */
    CompletableFuture<InetSocketAddress> listening() {
        return listening;
    }

    /** What comes from now on is not answered. */
    void stream() {
        isStream = true;
    }

    /** Of the stream, so far. */
    long bytes() {
        return bytes.getAcquire();
    }

    @Override
    void joined(Line line) {
        // the other end begins
    }

    @Override
    void received(Line line, long length) {
        if (isStream) {
            bytes.setRelease(bytes.getPlain() + length);
        } else if (line.isWhole(length, load().message())) {
            send(line);
        }
    }

    @Override
    void streamed(Line line, long slot) {
        // this end sends answers only
    }
}

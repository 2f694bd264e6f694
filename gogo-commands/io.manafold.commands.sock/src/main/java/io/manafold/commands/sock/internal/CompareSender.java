package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemorySource;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** Where messages leave: for a while each connection waits for the answer to each, then they stream. */
final class CompareSender extends CompareEnd {
    private static final int MOST_SAMPLES = 10_000;

    private final CompareReceiver receiver;
    private final InetSocketAddress to;
    private final long roundNanos;
    private final CompletableFuture<Void> streaming = new CompletableFuture<>();
    private final long[] samples;
    private int count;
    private int joined;
    private int rounding;
    private long roundsEnd;

    /** @param rounds how long answers are waited for */
    CompareSender(MemorySource memory, Workload load, CompareReceiver receiver, InetSocketAddress to, Duration rounds,
            CompletableFuture<Void> failure) {
        super(memory, load, "sock compare sender", failure);
        this.receiver = receiver;
        this.to = to;
        roundNanos = rounds.toNanos();
        samples = new long[Math.max(MOST_SAMPLES, load.connections())];
        failure.whenComplete((_, failed) -> streaming.completeExceptionally(failed));
    }

    /** Completes when the stream has begun. */
    CompletableFuture<Void> streaming() {
        return streaming;
    }

    @Override
    void begin() {
        for (int i = 0; i < load().connections(); i++) {
            load().sockets().connect(queues(), to, plan(), 0);
        }
    }

    @Override
    void joined(Line line) {
        if (++joined == load().connections()) {
            roundsEnd = System.nanoTime() + roundNanos;
            rounding = joined;
            lines().forEach(this::round);
        }
    }

    private void round(Line line) {
        line.begin();
        send(line);
    }

    @Override
    void received(Line line, long length) {
        if (!line.isWhole(length, load().message())) {
            return;
        }
        long now = System.nanoTime();
        if (count < samples.length) {
            samples[count++] = now - line.begunNanos();
        }
        if (now - roundsEnd < 0 && count < samples.length) {
            round(line);
        } else if (--rounding == 0) {
            receiver.stream();
            lines().forEach(this::stream);
            streaming.complete(null);
        }
    }

    private void stream(Line line) {
        for (int slot = 0; slot < load().underWay(); slot++) {
            stream(line, slot);
        }
    }

    @Override
    void streamed(Line line, long slot) {
        stream(line, slot);
    }

    /** Microseconds that so many of a hundred answers did not take; once the stream has begun. */
    double percentile(int part) {
        long[] sorted = Arrays.copyOf(samples, count);
        Arrays.sort(sorted);
        return Math.round(sorted[Math.min(count - 1, count * part / 100)] / 100.0) / 10.0;
    }
}

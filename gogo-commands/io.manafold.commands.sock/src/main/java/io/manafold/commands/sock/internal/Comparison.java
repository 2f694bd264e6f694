package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Has one workload carried for a while, and says what was seen. */
final class Comparison {
    private static final int PATIENCE_SECONDS = 60;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;

    private final MemorySource memory;
    private final Meter meter = new Meter();

    Comparison(MemorySource memory) {
        this.memory = memory;
    }

    /** What is counted, at one moment. */
    private record Reading(long nanos, long bytes, long sendCalls, long receiveCalls, long processorNanos,
            long allocated) {
    }

    /**
     * Measures for that long, after a quarter of it to warm up and as long as it for answers at most.
     *
     * @throws Refusal as the transport refuses, or when a connection ends
     */
    Measured run(Workload load, Duration time) throws InterruptedException {
        CompletableFuture<Void> failure = new CompletableFuture<>();
        try (CompareReceiver receiver = new CompareReceiver(memory, load, failure)) {
            receiver.start();
            try (CompareSender sender = new CompareSender(memory, load, receiver, await(receiver.listening()), time,
                    failure)) {
                sender.start();
                await(sender.streaming());
                pass(time.dividedBy(4), failure);
                Reading before = read(sender, receiver);
                pass(time, failure);
                Reading after = read(sender, receiver);
                // a machine that has much else to do may need longer
                for (long end = before.nanos() + PATIENCE_SECONDS * 1_000_000_000L; after.bytes() == before.bytes()
                        && after.nanos() - end < 0;) {
                    pass(time, failure);
                    after = read(sender, receiver);
                }
                return measured(before, after, sender, receiver);
            }
        }
    }

    private static <T> T await(CompletableFuture<T> what) throws InterruptedException {
        try {
            return what.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new Refusal(Errno.ETIMEDOUT, "The connections did not come about within " + PATIENCE_SECONDS
                    + " s.", late);
        } catch (ExecutionException failed) {
            throw cause(failed);
        }
    }

    private static void pass(Duration time, CompletableFuture<Void> failure) throws InterruptedException {
        try {
            failure.get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // as it should be
        } catch (ExecutionException failed) {
            throw cause(failed);
        }
    }

    private static RuntimeException cause(ExecutionException failed) {
        if (failed.getCause() instanceof RuntimeException cause) {
            return cause;
        }
        return new IllegalStateException(failed.getCause());
    }

    private Reading read(CompareSender sender, CompareReceiver receiver) {
        return new Reading(System.nanoTime(), receiver.bytes(), sender.queues().systemCalls(),
                receiver.queues().systemCalls(), meter.processorNanos(), meter.allocated(sender.thread())
                + meter.allocated(receiver.thread()));
    }

    private static Measured measured(Reading before, Reading after, CompareSender sender, CompareReceiver receiver) {
        long bytes = after.bytes() - before.bytes();
        if (bytes == 0) {
            throw new Refusal(Errno.ETIMEDOUT, "Nothing came within " + PATIENCE_SECONDS + " s.");
        }
        List<EndpointState> sending = sender.states();
        return new Measured(round(bytes / (double) (after.nanos() - before.nanos()), 1000),
                round((after.processorNanos() - before.processorNanos()) / GIGA / (bytes / GIGA), 1000),
                round((after.sendCalls() - before.sendCalls()) / (bytes / MEGA), 1000),
                round((after.receiveCalls() - before.receiveCalls()) / (bytes / MEGA), 1000),
                round(sendCopies(sending) + receiveCopies(receiver.states()), 100),
                after.allocated() - before.allocated(), sender.percentile(50), sender.percentile(99),
                sending.getFirst().knobs().stream()
                        .filter(knob -> !knob.got().equals(knob.knob().classic())).map(knob -> knob.knob().word() + "="
                        + knob.got()).toList());
    }

    private static double sendCopies(List<EndpointState> states) {
        long zero = states.stream().mapToLong(state -> state.statistics().zeroCopy()).sum();
        long copied = states.stream().mapToLong(state -> state.statistics().copied() + state.statistics()
                .unreported()).sum();
        return copied / (double) Math.max(1, zero + copied);
    }

    private static double receiveCopies(List<EndpointState> states) {
        long area = states.stream().mapToLong(state -> state.statistics().area()).sum();
        long all = states.stream().mapToLong(state -> state.statistics().receivedTransfers()).sum();
        return (all - area) / (double) Math.max(1, all);
    }

    private static double round(double value, int parts) {
        return Math.round(value * parts) / (double) parts;
    }
}

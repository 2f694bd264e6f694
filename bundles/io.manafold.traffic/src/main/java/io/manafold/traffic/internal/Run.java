package io.manafold.traffic.internal;

import io.manafold.api.traffic.TrafficAddresses;
import io.manafold.api.traffic.TrafficLoss;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import io.manafold.api.traffic.TrafficShare;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One piece of traffic, from its start until its last packet has arrived or been given up. */
final class Run implements TrafficRun {
    /** A packet that has been on its way this long while no other arrived is lost. */
    private static final long GRACE_NANOS = 500_000_000;
    private static final long STOP_SECONDS = 30;

    private final int number;
    private final TrafficPlan plan;
    private final Sending sending;
    private final Arrivals arrivals;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Runnable look;
    private volatile boolean stopping;
    private volatile boolean cancelled;
    private volatile boolean quiet;
    private boolean quietAsked;
    private volatile long returns;
    private volatile long quietSince;
    private volatile long overAt;
    private final Losses book;
    private final long lossesToldNanos;
    private long explainedAt;
    private volatile List<TrafficLoss> losses = List.of();

    /**
     * @param lossesTold until when after the last packet the counters tell what was lost
     * @param look has the control thread look at it soon
     */
    Run(int number, TrafficPlan plan, Losses book, Duration lossesTold, Runnable look) {
        this.number = number;
        this.plan = plan;
        this.book = book;
        lossesToldNanos = lossesTold.toNanos();
        this.look = look;
        explainedAt = System.nanoTime() - GRACE_NANOS;
        sending = new Sending(plan, number);
        arrivals = new Arrivals(plan, sending);
    }

    Sending sending() {
        return sending;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    void returned() {
        returns++;
    }

    // ---- on the control thread

    /** True once: when nothing more is to be sent. */
    boolean wantsQuiet() {
        boolean wants = !quietAsked && (stopping || sending.isOver());
        quietAsked |= wants;
        return wants;
    }

    /** Nothing is sent from here on. */
    void quiet() {
        sending.end();
        quietSince = System.nanoTime();
        quiet = true;
    }

    /** Whether it is over as it stands. */
    boolean isCancelled() {
        return cancelled && quiet;
    }

    boolean isSettled() {
        if (!quiet) {
            return false;
        }
        Arrivals.Counts counts = arrivals.counts();
        long now = System.nanoTime();
        return counts.all() >= sending.sent()
                || now - quietSince > GRACE_NANOS && now - counts.lastAt > GRACE_NANOS;
    }

    /** Looks where packets were lost; whether no more is to be learned of a run that is settled. */
    boolean isExplained() {
        long now = System.nanoTime();
        Arrivals.Counts counts = arrivals.counts();
        long lost = isSettled() ? sending.sent() - counts.received : counts.overtaken;
        if (lost > 0 && now - explainedAt > GRACE_NANOS / 2) {
            explainedAt = now;
            losses = book.explain(lost, counts.corrupted);
        }
        return lost <= 0 || losses.stream().mapToLong(TrafficLoss::packets).sum() >= lost
                || quiet && now - quietSince > lossesToldNanos;
    }

    void finish() {
        overAt = System.nanoTime();
        over.countDown();
    }

    // ---- any thread

    @Override
    public int number() {
        return number;
    }

    @Override
    public TrafficPlan plan() {
        return plan;
    }

    @Override
    public Optional<TrafficAddresses> addresses() {
        return plan.form().isIp() ? Optional.of(sending.headers().addresses()) : Optional.empty();
    }

    @Override
    public boolean isRunning() {
        return over.getCount() > 0;
    }

    @Override
    public void stop() {
        stopping = true;
        look.run();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    over.await(STOP_SECONDS, TimeUnit.SECONDS);
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void stop(Duration patience) {
        stopping = true;
        look.run();
        try {
            if (await(patience)) {
                return;
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
        cancelled = true;
        stop();
    }

    @Override
    public boolean await(Duration limit) throws InterruptedException {
        return over.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public TrafficReport report() {
        boolean running = isRunning();
        Arrivals.Counts counts = arrivals.counts();
        long sent = sending.sent();
        long first = sending.firstAt();
        long end = running ? System.nanoTime() : counts.lastAt == 0 ? overAt : counts.lastAt;
        return new Report(Duration.ofNanos(first == 0 ? 0 : Math.max(0, end - first)), sent, sending.largeSends(),
                sending.bytes(), counts.received, counts.bytes, running ? counts.overtaken
                : Math.max(0, sent - counts.received), counts.reordered, counts.duplicated, counts.checked,
                counts.corrupted, Duration.ofNanos(counts.longestGap), returns,
                Duration.ofNanos(first == 0 ? 0 : sending.lastAt() - first), sending.full(),
                Shares.of(sending, counts.byQueue), losses);
    }

    private record Report(Duration time, long sent, long largeSends, long sentBytes, long received,
            long receivedBytes, long lost, long reordered, long duplicated, long checksumsGood, long corrupted,
            Duration longestGap, long returns, Duration sending, long full, List<TrafficShare> shares,
            List<TrafficLoss> losses) implements TrafficReport {
    }
}

package io.manafold.qualify.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficForm.Transport;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;

/** Packets from one device to another for a slice of time. */
final class TrafficTrials implements RatesAndTrips.Frames {
    /** Of a frame on the wire; the generator counts none. */
    private static final int CHECKSUM = 4;
    private static final int LARGE = 65_536;
    private static final TrafficForm STREAM = new TrafficForm(Transport.TCP, false, 0, LARGE, false);
    private static final Duration ON_THEIR_WAY = Duration.ofMillis(200);
    private static final double NANOS = 1e9;
    /** Packets in a second: no plan asks for more. */
    private static final double FASTEST = 1e9;

    private final Traffic traffic;
    private final String from;
    private final String to;
    private final Duration slice;

    TrafficTrials(Traffic traffic, String from, String to, Duration slice) {
        this.traffic = traffic;
        this.from = from;
        this.to = to;
        this.slice = slice;
    }

    @Override
    public Runnable begin(int size, long rate) {
        TrafficRun run = start(size, rate);
        return () -> run.stop(Duration.ZERO);
    }

    /** Begins to send until it is stopped. */
    TrafficRun start(int size, long rate) {
        return traffic.start(plan(size, rate, TrafficForm.PLAIN));
    }

    private TrafficPlan plan(int size, long rate, TrafficForm form) {
        return new TrafficPlan(from, to, rate, size - CHECKSUM, 1, false, 0, form);
    }

    @Override
    public Bisection.Outcome send(int size, long rate) throws InterruptedException {
        TrafficReport report = send(plan(size, rate, TrafficForm.PLAIN));
        return new Bisection.Outcome(Math.min(FASTEST, perSecond(report.sent() - 1, sending(report))),
                perSecond(report.received(), report.time()), (double) report.lost() / report.sent());
    }

    /** A device that takes as many at once as it has room for, and then none for long, does not send them as fast. */
    private Duration sending(TrafficReport report) {
        boolean isHeldBack = report.full() > 0 && report.sending().compareTo(slice.dividedBy(2)) < 0;
        return isHeldBack ? slice : report.sending();
    }

    /** Bits of payload that arrive in a second of large sends, which the device cuts into frames of a size. */
    double stream(int size) throws InterruptedException {
        TrafficForm form = STREAM;
        int segment = size - CHECKSUM - form.headers();
        int last = (LARGE - 1) % segment + 1;
        if (last < TrafficForm.NUMBERS) {
            form = new TrafficForm(Transport.TCP, false, 0, LARGE - last, false);
        }
        TrafficReport report = send(plan(size, 0, form));
        return perSecond(report.received() * (size - CHECKSUM - form.headers()) * 8L, report.time());
    }

    private TrafficReport send(TrafficPlan plan) throws InterruptedException {
        TrafficRun run = traffic.start(plan);
        try {
            Thread.sleep(slice);
        } finally {
            // once one is lost, the others tell nothing more
            run.stop(run.report().lost() == 0 ? ON_THEIR_WAY : Duration.ZERO);
        }
        TrafficReport report = run.report();
        if (report.sent() < 2) {
            throw new Refusal(Errno.ENETDOWN, "Nothing was sent from " + from + " to " + to + " within "
                    + slice.toMillis() + " ms: a device is down or away, a limit holds it back, or it has no time; "
                    + "'devices', 'ip link' and 'netshaper dump " + from + "' show them.");
        }
        return report;
    }

    private static double perSecond(long what, Duration time) {
        return what * NANOS / Math.max(1, time.toNanos());
    }
}

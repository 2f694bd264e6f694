package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import java.util.List;

/** Measures between an end here and one elsewhere; the one that connects says what is measured. */
final class RemoteMeasurement extends RemoteRun {
    static final String BANNER = "\n" + "*".repeat(36) + "\n* Waiting for client to connect... *\n" + "*".repeat(36);

    private final Operation operation;
    private final boolean latency;
    private final boolean gigabits;

    RemoteMeasurement(Call call, Devices devices, MeasurePlan own) {
        super(call, devices, MeasureRequest.MEASURES);
        operation = own.operation();
        latency = own.latency();
        gigabits = own.gigabits();
    }

    @Override
    void check(MeasurePlan asked) {
        if (asked.operation() != operation || asked.latency() != latency) {
            throw new Refusal(Errno.EPROTO, "The other end measures something else, ib_" + asked.operation().word()
                    + (asked.latency() ? "_lat" : "_bw") + "; start the same program at both ends.");
        }
    }

    @Override
    void talk(End end, MeasurePlan asked, RemoteMemory[] remotes, boolean serving) throws InterruptedException {
        MeasurePlan plan = asked.in(gigabits);
        MeasureText text = new MeasureText(call(), plan, end.device().name(), serving,
                end.device().attributes().maxOutboundReads());
        text.begin();
        tell(text, end, plan, remotes);
        text.table();
        Barrier barrier = barrier(end, remotes[0]);
        for (int size : plan.sizes()) {
            text.add(measure(plan.ofSize(size), end, remotes, serving, barrier));
        }
        text.end();
        // the end that leaves first takes the connection along
        barrier.meet(new long[0], new Passive(end));
    }

    private void tell(MeasureText text, End end, MeasurePlan plan, RemoteMemory[] remotes) {
        Gid remote = remote();
        for (int i = 0; i < end.pairs(); i++) {
            text.pair(true, end.pair(i).number(), end.pair(i).attributes().sendPsn(), end.remote(), end.in(i),
                    end.device().gids(end.port()).get(plan.gid()));
        }
        for (int i = 0; i < end.pairs(); i++) {
            QueuePairAttributes known = end.pair(i).attributes();
            text.pair(false, known.peer(), known.receivePsn(), remotes[i], end.in(i), remote);
        }
    }

    private Result measure(MeasurePlan one, End end, RemoteMemory[] remotes, boolean serving, Barrier barrier)
            throws InterruptedException {
        Times times = MeasureHere.times(one);
        Side side = side(one, end, remotes, serving, times);
        // what the other end sends once it is here is counted, even if this one learns a moment later that it is
        barrier.meet(new long[0], side);
        new Measuring(List.of(side), List.of(times), one, new MeasureProgress(call(), one), this::isGone).run();
        boolean measured = !serving || one.both();
        Result own = !measured ? null : Result.of(one, times);
        long[] heard = barrier.meet(own == null ? new long[0] : own.numbers(), side);
        Result other = !serving && !one.both() ? null : Result.of(one, heard);
        if (own instanceof Throughput mine && other instanceof Throughput theirs) {
            return mine.with(theirs);
        }
        return own != null ? own : other;
    }

    private static Side side(MeasurePlan one, End end, RemoteMemory[] remotes, boolean serving, Times times) {
        boolean active = !serving || one.both() || one.takesReceives() || one.latency()
                && one.operation() != Operation.READ;
        if (!active) {
            return new Passive(end);
        }
        if (one.latency()) {
            return new PingPong(end, one, remotes[0], !serving, times);
        }
        return new Stream(end, one, remotes, !serving || one.both(), one.takesReceives() && (serving || one.both()),
                times);
    }
}

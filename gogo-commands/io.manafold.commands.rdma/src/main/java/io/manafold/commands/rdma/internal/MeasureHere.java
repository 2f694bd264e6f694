package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Measures between two devices of this platform: both ends are here, and take turns. */
final class MeasureHere {
    private final Call call;
    private final Devices devices;
    private final MeasurePlan plan;
    private final DirectPath path;

    MeasureHere(Call call, Devices devices, MeasurePlan asked, RdmaDevice left, int leftPort, RdmaDevice right, int rightPort) {
        this.call = call;
        this.devices = devices;
        path = DirectPath.between(left, leftPort, right, rightPort, asked.mtu(), asked.gid());
        plan = asked.onPath(path.mtu(), path.gid());
    }

    void run() throws InterruptedException {
        try (End left = new End(path.left(), path.leftPort(), devices.memory(), plan);
                End right = new End(path.right(), path.rightPort(), devices.memory(), plan)) {
            path.connect(left, right, plan);
            MeasureText text = new MeasureText(call, plan, path.left().name(), false, path.reads());
            text.begin();
            tell(text, left, true);
            tell(text, right, false);
            text.table();
            for (int size : plan.sizes()) {
                text.add(measure(plan.ofSize(size), left, right));
            }
            text.end();
        }
    }

    private void tell(MeasureText text, End end, boolean own) {
        for (int i = 0; i < end.pairs(); i++) {
            text.pair(own, end.pair(i).number(), end.psn(i), end.remote(), end.in(i), path.gid(end.device()));
        }
    }

    private Result measure(MeasurePlan one, End left, End right) throws InterruptedException {
        Times there = times(one);
        Times back = one.latency() ? new Times(0) : times(one);
        List<Side> sides = new ArrayList<>();
        if (one.latency()) {
            sides.add(new PingPong(left, one, right.remote(), true, there));
            sides.add(new PingPong(right, one, left.remote(), false, back));
        } else {
            boolean received = one.takesReceives();
            sides.add(new Stream(left, one, all(right), true, received && one.both(), there));
            sides.add(new Stream(right, one, all(left), one.both(), received, back));
        }
        new Measuring(sides, List.of(there, back), one, new MeasureProgress(call, one)).run();
        if (one.latency()) {
            return one.isTimed() ? Latency.Timed.of(one, there) : Latency.of(one, there);
        }
        Throughput result = Throughput.of(one, there);
        return one.both() ? result.with(Throughput.of(one, back)) : result;
    }

    static Times times(MeasurePlan one) {
        return new Times(one.latency() ? one.iterations() : one.hasPeak() ? one.iterations() * one.pairs() : 0);
    }

    private static RemoteMemory[] all(End end) {
        RemoteMemory[] all = new RemoteMemory[end.pairs()];
        Arrays.fill(all, end.remote());
        return all;
    }
}

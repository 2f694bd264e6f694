package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Measures between two devices of this platform: both ends are here, and take turns. */
final class MeasureHere {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final byte NEAR = 0x4e;
    private static final byte FAR = 0x46;

    private final Call call;
    private final Devices devices;
    private final MeasurePlan plan;
    private final DirectPath path;

    MeasureHere(Call call, Devices devices, MeasurePlan asked, RdmaDevice left, int leftPort, RdmaDevice right,
            int rightPort) {
        this.call = call;
        this.devices = devices;
        path = DirectPath.between(left, leftPort, right, rightPort, asked.mtu(), asked.gid());
        plan = asked.onPath(path.mtu(), path.gid());
    }

    void run() throws InterruptedException {
        try (End left = new End(path.left(), path.leftPort(), devices.memory(), plan);
                End right = new End(path.right(), path.rightPort(), devices.memory(), plan)) {
            if (plan.managed()) {
                connectByAddress(left, right);
            } else {
                path.connect(left, right, plan);
            }
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

    /**
     * Posts a message with a key that the other end has given and taken back: it has to be refused, and memory to be as
     * it was.
     */
    void runWithoutKey() throws InterruptedException {
        MeasurePlan one = plan.once();
        try (End left = new End(path.left(), path.leftPort(), devices.memory(), one);
                End right = new End(path.right(), path.rightPort(), devices.memory(), one)) {
            path.connect(left, right, one);
            left.memory().fill(NEAR);
            right.memory().fill(FAR);
            RemoteMemory withdrawn = right.withdrawn();
            Stream stream = new Stream(left, one, new RemoteMemory[] {withdrawn}, true, false, times(one));
            String failed = "";
            try {
                new Measuring(List.of(stream), List.of(times(one)), one, (_, _) -> { }, () -> false).run();
            } catch (Refusal refused) {
                failed = refused.getMessage();
            }
            if (failed.isEmpty()) {
                throw new Refusal(Errno.EIO, ("A message with the key 0x%x, which %s had taken back, was not refused; "
                        + "this is a mistake of the adapter, please report it.").formatted(withdrawn.key(),
                        right.device().name()));
            }
            throw new Refusal(Errno.EACCES,
                    "%s has taken the key 0x%x of its memory back. ".formatted(right.device().name(), withdrawn.key())
                    + failed + " Memory of " + right.device().name()
                    + (isFilled(right, FAR) ? " is as it was" : " HAS CHANGED") + ", of " + left.device().name()
                    + (isFilled(left, NEAR) ? " too." : " it HAS CHANGED."));
        }
    }

    private static boolean isFilled(End end, byte with) {
        MemorySegment memory = end.memory();
        for (long at = 0; at < memory.byteSize(); at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != with) {
                return false;
            }
        }
        return true;
    }

    /** As two programs would, with messages over the wire. */
    private void connectByAddress(End left, End right) throws InterruptedException {
        path.prepare(left, right, plan);
        ConnectionPlan reads = ConnectionPlan.USUAL.withReads(path.reads(), path.reads());
        InetSocketAddress there = new InetSocketAddress(Words.address(path.gid(right.device())), 0);
        try (RdmaListener listener = devices.connections().listen(there, RdmaConnections.USUAL_BACKLOG)) {
            for (int i = 0; i < left.pairs(); i++) {
                RdmaConnection asking = devices.connections().connect(left.pair(i), listener.local(), reads);
                left.closes(asking);
                ConnectionRequest request = listener.next(PATIENCE).orElseThrow(() -> new Refusal(Errno.ETIMEDOUT,
                        "No request for a connection has come to " + listener.local()
                        + "; 'link show' shows the way to it."));
                RdmaConnection asked = request.accept(right.pair(i), reads);
                right.closes(asked);
                asking.established(PATIENCE);
                asked.established(PATIENCE);
            }
        }
    }

    private void tell(MeasureText text, End end, boolean own) {
        for (int i = 0; i < end.pairs(); i++) {
            text.pair(own, end.pair(i).number(), end.pair(i).attributes().sendPsn(), end.remote(), end.in(i),
                    path.gid(end.device()));
        }
    }

    private Result measure(MeasurePlan one, End left, End right) throws InterruptedException {
        Times there = times(one);
        Times back = one.latency() ? new Times(0) : times(one);
        List<Side> sides = sides(one, left, right, there, back);
        new Measuring(sides, List.of(there, back), one, new MeasureProgress(call, one), () -> false).run();
        Result result = Result.of(one, there);
        return one.both() && result instanceof Throughput through ? through.with(Throughput.of(one, back)) : result;
    }

    /**
     * What both ends do in turns, the left one first.
     *
     * @param there times of what the left end sends
     * @param back times of what the right one sends
     */
    static List<Side> sides(MeasurePlan one, End left, End right, Times there, Times back) {
        if (one.latency()) {
            return List.of(new PingPong(left, one, right.remote(), true, there),
                    new PingPong(right, one, left.remote(), false, back));
        }
        boolean received = one.takesReceives();
        return List.of(new Stream(left, one, all(right), true, received && one.both(), there),
                new Stream(right, one, all(left), one.both(), received, back));
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

package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import java.util.List;

/** {@code ibv_rc_pingpong} with the other end elsewhere; each end looks at what it gets if it was told to. */
final class RemotePingpong extends RemoteRun {
    private final boolean checks;

    RemotePingpong(Call call, Devices devices, boolean checks) {
        super(call, devices, MeasureRequest.PINGPONG);
        this.checks = checks;
    }

    /** The peer may have said anything. */
    @Override
    void check(MeasurePlan asked) {
        if (asked.operation() != Operation.SEND || !asked.latency() || asked.isTimed() || asked.all()) {
            throw new Refusal(Errno.EPROTO,
                    "A request for a connection was rejected: it does not send so many messages there and back.");
        }
    }

    @Override
    void talk(End end, MeasurePlan plan, RemoteMemory[] remotes, boolean serving) throws InterruptedException {
        QueuePairAttributes known = end.pair(0).attributes();
        PingpongText.address(call(), true, end.pair(0).number(), known.sendPsn(),
                end.device().gids(end.port()).get(plan.gid()));
        PingpongText.address(call(), false, known.peer(), known.receivePsn(), remote());
        PingpongText.fill(end, serving ? PingpongText.SERVES : PingpongText.ASKS);
        Times times = new Times(0);
        PingPong side = new PingPong(end, plan, remotes[0], !serving, times);
        Barrier barrier = barrier(end, remotes[0]);
        barrier.meet(new long[0], side);
        new Measuring(List.of(side), List.of(times), plan, (_, _) -> { }, this::isGone).run();
        if (checks) {
            PingpongText.check(end, serving ? PingpongText.ASKS : PingpongText.SERVES, plan.size());
        }
        PingpongText.result(call(), plan, times.seconds());
        barrier.meet(new long[0], new Passive(end));
    }
}

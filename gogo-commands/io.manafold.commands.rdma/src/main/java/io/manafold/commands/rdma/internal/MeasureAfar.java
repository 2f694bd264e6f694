package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures between an end here and one elsewhere, connected by address: one serves, the other connects and says what is measured. */
final class MeasureAfar {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration GLANCE = Duration.ofMillis(500);

    private final Call call;
    private final Devices devices;
    private final RdmaConnections connections;
    private final List<RdmaConnection> made = new ArrayList<>();
    private Liveness liveness;

    MeasureAfar(Call call, Devices devices) {
        this.call = call;
        this.devices = devices;
        connections = devices.connections();
    }

    // ---- the end that serves

    /** Serves one measurement. */
    void serve(Operation operation, boolean latency, boolean gigabits, int port) throws InterruptedException {
        try (RdmaListener listener = connections.listen(port)) {
            if (!call.json()) {
                String stars = "*".repeat(36);
                call.out().println("\n" + stars + "\n* Waiting for client to connect... *\n" + stars);
                call.out().flush();
            }
            ConnectionRequest first = next(listener, null);
            MeasureRequest asked = read(first);
            if (asked.plan().operation() != operation || asked.plan().latency() != latency || asked.pair() != 0) {
                first.reject("another program".getBytes(StandardCharsets.UTF_8));
                throw new Refusal(Errno.EPROTO, "The other end measures something else, ib_" + asked.plan().operation().word()
                        + (asked.plan().latency() ? "_lat" : "_bw") + "; start the same program at both ends.");
            }
            RdmaDevice device = devices.device(first.device());
            int number = Words.portOf(device, first.local().getAddress());
            MeasurePlan plan = asked.plan().in(gigabits)
                    .onPath(0, gidOf(device, number, first.local().getAddress()));
            try (End end = new End(device, number, devices.memory(), plan)) {
                RemoteMemory[] remotes = new RemoteMemory[plan.pairs()];
                ready(end, plan);
                accept(first, asked, end, remotes);
                for (int i = 1; i < plan.pairs(); i++) {
                    ConnectionRequest request = next(listener, PATIENCE);
                    accept(request, read(request), end, remotes);
                }
                for (RdmaConnection connection : made) {
                    connection.established(PATIENCE);
                }
                measure(end, plan.onPath(end.pair(0).attributes().mtu(), plan.gid()), remotes, true);
            }
        }
    }

    private ConnectionRequest next(RdmaListener listener, Duration patience) throws InterruptedException {
        long begin = System.nanoTime();
        Optional<ConnectionRequest> request = listener.next(GLANCE);
        while (request.isEmpty()) {
            if (patience != null && System.nanoTime() - begin > patience.toNanos()) {
                throw new Refusal(Errno.ETIMEDOUT, "The other end has connected some of its queue pairs, and no more.");
            }
            request = listener.next(GLANCE);
        }
        return request.get();
    }

    private static MeasureRequest read(ConnectionRequest request) {
        try {
            return MeasureRequest.decode(request.privateData());
        } catch (Refusal wrong) {
            request.reject(new byte[0]);
            throw wrong;
        }
    }

    private void accept(ConnectionRequest request, MeasureRequest asked, End end, RemoteMemory[] remotes) {
        if (!request.device().equals(end.device().name()) || asked.pair() >= remotes.length || remotes[asked.pair()] != null) {
            request.reject("busy".getBytes(StandardCharsets.UTF_8));
            throw new Refusal(Errno.EBUSY, "Another one has connected while queue pairs were connected; start both ends again.");
        }
        remotes[asked.pair()] = asked.memory();
        RdmaConnection connection = request.accept(end.pair(asked.pair()), plan(end).withPrivateData(MeasureRequest.answer(end.remote())));
        made.add(connection);
        end.closes(connection);
    }

    private static ConnectionPlan plan(End end) {
        return ConnectionPlan.USUAL.withReads(end.device().attributes().maxInboundReads(), end.device().attributes().maxOutboundReads());
    }

    private static void ready(End end, MeasurePlan plan) {
        for (int i = 0; i < end.pairs(); i++) {
            end.pair(i).modify(QueuePairAttributes.init(End.RIGHTS).port(end.port()));
        }
        Stream.prepare(end, plan);
    }

    // ---- the end that connects

    /**
     * Measures as planned with the end that serves there.
     *
     * @param port of the device, which has it
     */
    void ask(MeasurePlan asked, RdmaDevice device, int port, InetSocketAddress there) throws InterruptedException {
        Words.connecting(device, port);
        try (End end = new End(device, port, devices.memory(), asked)) {
            RemoteMemory[] remotes = new RemoteMemory[asked.pairs()];
            ready(end, asked);
            for (int i = 0; i < asked.pairs(); i++) {
                RdmaConnection connection = connections.connect(end.pair(i), there,
                        plan(end).withPrivateData(new MeasureRequest(asked, i, end.remote()).encode()));
                made.add(connection);
                end.closes(connection);
                remotes[i] = MeasureRequest.answered(connection.established(PATIENCE).privateData());
            }
            InetAddress local = made.getFirst().local().getAddress();
            measure(end, onPath(asked, end, local), remotes, false);
        }
    }

    // ---- both

    private void measure(End end, MeasurePlan plan, RemoteMemory[] remotes, boolean serving) throws InterruptedException {
        MeasureText text = new MeasureText(call, plan, end.device().name(), serving, end.device().attributes().maxOutboundReads());
        text.begin();
        tell(text, end, plan, remotes);
        text.table();
        liveness = new Liveness(end, remotes[0]);
        Meeting meeting = new Meeting(end, remotes[0], this::isGone);
        for (int size : plan.sizes()) {
            text.add(measure(plan.ofSize(size), end, remotes, serving, meeting));
        }
        text.end();
        // the end that leaves first takes the connection along
        meeting.meet(new long[0], new Passive(end));
    }

    private boolean isGone() {
        liveness.ask();
        return made.stream().anyMatch(connection -> switch (connection.state()) {
            case DISCONNECTING, ENDED -> true;
            default -> false;
        });
    }

    private void tell(MeasureText text, End end, MeasurePlan plan, RemoteMemory[] remotes) {
        Gid remote = Gid.of(made.getFirst().remote().getAddress());
        for (int i = 0; i < end.pairs(); i++) {
            text.pair(true, end.pair(i).number(), end.pair(i).attributes().sendPsn(), end.remote(), end.in(i),
                    end.device().gids(end.port()).get(plan.gid()));
        }
        for (int i = 0; i < end.pairs(); i++) {
            QueuePairAttributes known = end.pair(i).attributes();
            text.pair(false, known.peer(), known.receivePsn(), remotes[i], end.in(i), remote);
        }
    }

    private Result measure(MeasurePlan one, End end, RemoteMemory[] remotes, boolean serving, Meeting meeting)
            throws InterruptedException {
        Times times = MeasureHere.times(one);
        Side side = side(one, end, remotes, serving, times);
        // what the other end sends once it is here is counted, even if this one learns a moment later that it is
        meeting.meet(new long[0], side);
        new Measuring(List.of(side), List.of(times), one, new MeasureProgress(call, one), this::isGone).run();
        boolean measured = !serving || one.both();
        Result own = !measured ? null : Result.of(one, times);
        long[] heard = meeting.meet(own == null ? new long[0] : own.numbers(), side);
        Result other = !serving && !one.both() ? null : Result.of(one, heard);
        if (own instanceof Throughput mine && other instanceof Throughput theirs) {
            return mine.with(theirs);
        }
        return own != null ? own : other;
    }

    private static Side side(MeasurePlan one, End end, RemoteMemory[] remotes, boolean serving, Times times) {
        boolean active = !serving || one.both() || one.takesReceives() || one.latency() && one.operation() != Operation.READ;
        if (!active) {
            return new Passive(end);
        }
        if (one.latency()) {
            return new PingPong(end, one, remotes[0], !serving, times);
        }
        return new Stream(end, one, remotes, !serving || one.both(), one.takesReceives() && (serving || one.both()), times);
    }

    /** The path that was agreed on, which has to be the one that was asked for. */
    private static MeasurePlan onPath(MeasurePlan asked, End end, InetAddress local) {
        int mtu = end.pair(0).attributes().mtu();
        if (asked.mtu() != 0 && asked.mtu() != mtu) {
            throw new Refusal(Errno.EOPNOTSUPP, "The two ends have agreed on packets of " + mtu + " bytes, and with connections by address "
                    + "the connection manager decides that, not -m " + asked.mtu() + "; leave out -m, or name the other end with --to.");
        }
        int gid = gidOf(end.device(), end.port(), local);
        if (asked.gid() >= 0 && asked.gid() != gid) {
            throw new Refusal(Errno.EADDRNOTAVAIL, "The way there is from address " + gid + " of " + end.device().name() + ", and not "
                    + asked.gid() + "; leave out -x, or connect to an address of the other one's network.");
        }
        return asked.onPath(mtu, gid);
    }

    private static int gidOf(RdmaDevice device, int port, InetAddress local) {
        return Math.max(0, device.gids(port).indexOf(Gid.of(local)));
    }
}

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

/**
 * What an end here and one elsewhere do, connected by address: one serves, the other connects and says what is done.
 */
abstract class RemoteRun {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration GLANCE = Duration.ofMillis(500);

    private final Call call;
    private final Devices devices;
    private final int program;
    private final RdmaConnections connections;
    private final List<RdmaConnection> made = new ArrayList<>();
    private Liveness liveness;

    /** @param program whose ends find each other */
    RemoteRun(Call call, Devices devices, int program) {
        this.call = call;
        this.devices = devices;
        this.program = program;
        connections = devices.connections();
    }

    /** Whether the other end does the same; a refusal says why not. */
    abstract void check(MeasurePlan asked);

    /** All pairs are connected. */
    abstract void talk(End end, MeasurePlan plan, RemoteMemory[] remotes, boolean serving) throws InterruptedException;

    Call call() {
        return call;
    }

    /** Where the other end is. */
    Gid remote() {
        return Gid.of(made.getFirst().remote().getAddress());
    }

    // ---- the end that serves

    /**
     * Serves once.
     *
     * @param banner for people who wait for the other end, or empty
     */
    final void serve(int port, String banner) throws InterruptedException {
        try (RdmaListener listener = connections.listen(port)) {
            if (!call.json() && !banner.isEmpty()) {
                call.out().println(banner);
                call.out().flush();
            }
            ConnectionRequest first = next(listener, null);
            MeasureRequest asked = read(first);
            try {
                check(asked.plan());
            } catch (Refusal other) {
                first.reject("another program".getBytes(StandardCharsets.UTF_8));
                throw other;
            }
            try {
                serve(listener, first, asked);
            } catch (Refusal refused) {
                Unserved.reject(first);
                throw refused;
            }
        }
    }

    private void serve(RdmaListener listener, ConnectionRequest first, MeasureRequest asked)
            throws InterruptedException {
        RdmaDevice device = devices.device(first.device());
        int number = Words.portOf(device, first.local().getAddress());
        MeasurePlan plan = asked.plan().onPath(0, gidOf(device, number, first.local().getAddress()));
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
            talk(end, plan.onPath(end.pair(0).attributes().mtu(), plan.gid()), remotes, true);
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

    private MeasureRequest read(ConnectionRequest request) {
        try {
            return MeasureRequest.decode(request.privateData(), program);
        } catch (Refusal wrong) {
            request.reject(new byte[0]);
            throw wrong;
        }
    }

    private void accept(ConnectionRequest request, MeasureRequest asked, End end, RemoteMemory[] remotes) {
        if (!request.device().equals(end.device().name()) || asked.pair() >= remotes.length
                || remotes[asked.pair()] != null) {
            request.reject("busy".getBytes(StandardCharsets.UTF_8));
            throw new Refusal(Errno.EBUSY, "Another one has connected while queue pairs were connected; start both "
                    + "ends again.");
        }
        remotes[asked.pair()] = asked.memory();
        try {
            RdmaConnection connection = request.accept(end.pair(asked.pair()),
                    plan(end).withPrivateData(MeasureRequest.answer(end.remote(), program)));
            made.add(connection);
            end.closes(connection);
        } catch (Refusal refused) {
            Unserved.reject(request);
            throw refused;
        }
    }

    private static ConnectionPlan plan(End end) {
        return ConnectionPlan.USUAL.withReads(end.device().attributes().maxInboundReads(),
                end.device().attributes().maxOutboundReads());
    }

    private static void ready(End end, MeasurePlan plan) {
        for (int i = 0; i < end.pairs(); i++) {
            end.pair(i).modify(QueuePairAttributes.init(End.RIGHTS).port(end.port()));
        }
        Stream.prepare(end, plan);
    }

    // ---- the end that connects

    /**
     * Does as planned with the end that serves there.
     *
     * @param port of the device, which has it
     */
    final void ask(MeasurePlan asked, RdmaDevice device, int port, InetSocketAddress there)
            throws InterruptedException {
        Words.connecting(device, port);
        try (End end = new End(device, port, devices.memory(), asked)) {
            RemoteMemory[] remotes = new RemoteMemory[asked.pairs()];
            ready(end, asked);
            for (int i = 0; i < asked.pairs(); i++) {
                RdmaConnection connection = connections.connect(end.pair(i), there,
                        plan(end).withPrivateData(new MeasureRequest(asked, i, end.remote()).encode(program)));
                made.add(connection);
                end.closes(connection);
                remotes[i] = MeasureRequest.answered(connection.established(PATIENCE).privateData(), program);
            }
            InetAddress local = made.getFirst().local().getAddress();
            talk(end, onPath(asked, end, local), remotes, false);
        }
    }

    // ---- both

    /** Where the two wait for each other. */
    Barrier barrier(End end, RemoteMemory remote) {
        liveness = new Liveness(end, remote);
        return new Barrier(end, remote, this::isGone);
    }

    boolean isGone() {
        liveness.ask();
        return made.stream().anyMatch(connection -> switch (connection.state()) {
            case DISCONNECTING, ENDED -> true;
            default -> false;
        });
    }

    /** The path that was agreed on, which has to be the one that was asked for. */
    private static MeasurePlan onPath(MeasurePlan asked, End end, InetAddress local) {
        int mtu = end.pair(0).attributes().mtu();
        if (asked.mtu() != 0 && asked.mtu() != mtu) {
            throw new Refusal(Errno.EOPNOTSUPP, "The two ends have agreed on packets of " + mtu + " bytes, and with "
                    + "connections by address the connection manager decides that, not -m " + asked.mtu()
                    + "; leave out -m, or name the other end with --to.");
        }
        int gid = gidOf(end.device(), end.port(), local);
        if (asked.gid() >= 0 && asked.gid() != gid) {
            throw new Refusal(Errno.EADDRNOTAVAIL, "The way there is from address " + gid + " of " + end.device().name()
                    + ", and not " + asked.gid() + "; leave the index out, or connect to an address of the other one's "
                    + "network.");
        }
        return asked.onPath(mtu, gid);
    }

    private static int gidOf(RdmaDevice device, int port, InetAddress local) {
        return Math.max(0, device.gids(port).indexOf(Gid.of(local)));
    }
}

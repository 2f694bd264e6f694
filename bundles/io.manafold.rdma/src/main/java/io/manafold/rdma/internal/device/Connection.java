package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionEvent.Type;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.ActiveSide;
import io.manafold.rdma.internal.connection.AddressPair;
import io.manafold.rdma.internal.connection.Exchange;
import io.manafold.rdma.internal.connection.ExchangeListener;
import io.manafold.rdma.internal.connection.PassiveSide;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.roce.cm.CmReply;
import io.manafold.roce.cm.CmRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A connection as its user has it: the queue pair and the messages about it. */
final class Connection implements RdmaConnection, ExchangeListener {
    private static final byte[] NOTHING = {};

    private final Management management;
    private final RcQueuePair pair;
    private final AddressPair ends;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final String owner;
    private final Consumer<Connection> closing;
    private final ConnectedPair steps;
    private final BlockingQueue<ConnectionEvent> events = new LinkedBlockingQueue<>();
    private ConnectionPlan plan;
    private int mtuCode;
    /** What the reply brought. */
    private byte[] established = NOTHING;
    private volatile Exchange exchange;
    private volatile boolean over;
    private volatile Thread waiter;

    /** @param closing is told that it has ended, or that the user has closed it; perhaps several times */
    Connection(Management management, RcQueuePair pair, AddressPair ends, InetSocketAddress local,
            InetSocketAddress remote, String owner, Consumer<Connection> closing) {
        this.management = management;
        this.pair = pair;
        steps = new ConnectedPair(management.device(), pair, ends);
        this.ends = ends;
        this.local = local;
        this.remote = remote;
        this.owner = owner;
        this.closing = closing;
    }

    String owner() {
        return owner;
    }

    String device() {
        return management.device().name();
    }

    // ---- its queue pair

    /** The pair is this connection's alone. */
    void begin(ConnectionPlan wanted) {
        plan = wanted;
        QueuePairState state = pair.state();
        steps.begin(wanted, state == QueuePairState.RESET);
        guard(() -> claim(state));
    }

    private void claim(QueuePairState state) {
        if (state != QueuePairState.RESET && state != QueuePairState.INIT) {
            throw management.device().isGone() ? management.device().gone() : new Refusal(Errno.EINVAL, "Queue pair "
                    + pair.number() + " of " + device() + " cannot be connected in the state " + state
                    + "; reset it, or make another.");
        }
        if (management.connections().putIfAbsent(pair.number(), this) != null) {
            throw new Refusal(Errno.EISCONN, "Queue pair " + pair.number() + " of " + device()
                    + " has a connection; close that first.");
        }
    }

    /** What is refused leaves the pair free. */
    void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException refused) {
            over = true;
            management.connections().remove(pair.number(), this);
            closing.accept(this);
            endExchange();
            throw refused;
        }
    }

    private void endExchange() {
        run(() -> {
            if (exchange != null) {
                exchange.end(System.nanoTime());
            }
        });
    }

    /** What its pair goes through. */
    ConnectedPair steps() {
        return steps;
    }

    // ---- messages

    /** The pair is in INIT on return; the request is under way by then. */
    void ask(CmRequest request, int code) {
        mtuCode = code;
        guard(() -> steps.init(() -> send(request)));
    }

    private void send(CmRequest request) {
        // to the peer a pair is what it was until late messages are over
        long wait = management.lingering(pair.number());
        run(() -> {
            try {
                exchange = management.exchanges().connect(ends, request, this, System.nanoTime(), wait);
                if (over) {
                    exchange.end(System.nanoTime());
                }
            } catch (Refusal refused) {
                last(Type.CONNECT_ERROR, refused.errno(), 0, NOTHING, refused.getMessage());
            }
        });
    }

    private void run(Runnable command) {
        if (!management.run(command)) {
            removed(management.device().gone());
        }
    }

    void exchange(PassiveSide asked) {
        exchange = asked;
        pair.onMessage(() -> run(asked::heard));
    }

    // ---- what comes of it; the agent of control

    @Override
    public void replied(CmReply reply) {
        ActiveSide asking = (ActiveSide) exchange;
        try {
            steps.makeReady(steps.path(0, 0, 64).at(asking.mac()), mtuCode, reply.endpoint(), steps.inbound(),
                    Math.min(steps.outbound(), reply.endpoint().responderResources()), plan.retries(),
                    ConnectedPair.ACK_TIMEOUT);
        } catch (Refusal refused) {
            asking.refuse();
            last(Type.CONNECT_ERROR, refused.errno(), 0, NOTHING, refused.getMessage());
            return;
        }
        established = reply.privateData();
        asking.proceed();
    }

    @Override
    public void established(byte[] privateData) {
        add(Type.ESTABLISHED, null, 0, exchange instanceof ActiveSide ? established : privateData, "The connection to "
                + Sockets.text(remote) + " is established.");
    }

    @Override
    public void rejected(int reason, byte[] privateData) {
        fail();
        last(Type.REJECTED, Errno.ECONNREFUSED, reason, privateData, Sockets.text(remote)
                + " has rejected the connection: " + Rejection.words(reason) + ".");
    }

    @Override
    public void unreachable(Errno errno, String sentence) {
        fail();
        last(Type.UNREACHABLE, errno, 0, NOTHING, sentence);
    }

    @Override
    public void disconnected(Errno errno, String sentence) {
        fail();
        last(Type.DISCONNECTED, errno, 0, NOTHING, sentence);
    }

    /** What has ended already has its pair no more. */
    private void fail() {
        if (!over) {
            steps.fail();
        }
    }

    /** The queue pair has failed or was closed; the peer is told. */
    void ends(Errno errno, String why) {
        run(() -> {
            last(Type.DISCONNECTED, errno, 0, NOTHING, why);
            if (exchange != null) {
                exchange.end(System.nanoTime());
            }
        });
    }

    /** The device has gone. */
    void removed(Refusal gone) {
        last(Type.DEVICE_REMOVAL, gone.errno(), 0, NOTHING, gone.getMessage());
    }

    private void last(Type type, Errno errno, int reason, byte[] privateData, String sentence) {
        synchronized (events) {
            if (over) {
                return;
            }
            over = true;
        }
        if (type == Type.DISCONNECTED) {
            management.lingers(pair.number());
        }
        management.connections().remove(pair.number(), this);
        closing.accept(this);
        add(type, errno, reason, privateData, sentence);
    }

    private void add(Type type, Errno errno, int reason, byte[] privateData, String sentence) {
        events.add(new ConnectionEvent(type, errno, reason, privateData, sentence));
        LockSupport.unpark(waiter);
    }

    // ---- the user

    @Override
    public ConnectionState state() {
        if (over) {
            return ConnectionState.ENDED;
        }
        Exchange now = exchange;
        return switch (now == null ? Exchange.Stage.RESOLVING : now.stage()) {
            case RESOLVING -> ConnectionState.RESOLVING;
            case REQUESTED, REPLIED -> ConnectionState.CONNECTING;
            case ESTABLISHED -> ConnectionState.ESTABLISHED;
            case LEAVING -> ConnectionState.DISCONNECTING;
            case LINGERING, GONE -> ConnectionState.ENDED;
        };
    }

    @Override
    public QueuePair pair() {
        return pair;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public Optional<ConnectionEvent> next(Duration limit) throws InterruptedException {
        return Optional.ofNullable(events.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void unpark(Thread parked) {
        waiter = parked;
    }

    @Override
    public void disconnect() {
        if (over) {
            return;
        }
        steps.fail();
        run(() -> {
            boolean early = exchange == null || exchange.stage() == Exchange.Stage.RESOLVING
                    || exchange.stage() == Exchange.Stage.REQUESTED || exchange.stage() == Exchange.Stage.REPLIED;
            if (exchange != null) {
                exchange.end(System.nanoTime());
            }
            if (early) {
                last(Type.DISCONNECTED, null, 0, NOTHING, "The connection was given up before it was established.");
            }
        });
    }

    @Override
    public void close() {
        closing.accept(this);
        disconnect();
    }
}

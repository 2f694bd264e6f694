package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.Paths;
import io.manafold.streams.SendQueue;
import io.manafold.streams.SendSide;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The queue pair of an endpoint, its connection, and what is posted to it. For the thread that serves the queues. */
final class Line {
    /** Without a wish of the program: so many messages of so many bytes are there for the peer. */
    private static final int CREDITS = 16;
    private static final int BYTES = 16 << 10;
    private static final int LEAST_BYTES = 1 << 10;
    private static final int SENDS = Outgoing.MOST + Window.CONTROL;
    /** Of the ids of completions: a send. Below it the number of a receive's buffer. */
    private static final int SEND = 1 << 15;

    private final RdmaQueues queues;
    private final Device device;
    private final Window window;
    private final Outgoing outgoing = new Outgoing();
    private final SendList list;
    private final int mostPieces;
    private DeviceQueue queue;
    private QueuePair pair;
    private RdmaConnection connection;
    private long id;
    private boolean hasFinished;
    private boolean closed;

    /** @param bytes of all buffers for the peer's messages; 0 for as many as usual */
    Line(RdmaQueues queues, Device device, String owner, int bytes) {
        this.queues = queues;
        this.device = device;
        list = queues.sends();
        mostPieces = Math.min(RdmaQueues.PIECES, device.rdma().attributes().maxSendPieces());
        int each = bytes == 0 ? BYTES : Math.clamp(bytes / CREDITS, LEAST_BYTES, 1 << 20);
        window = new Window(owner, queues.context().memory(), device, CREDITS, each);
    }

    Device device() {
        return device;
    }

    Window window() {
        return window;
    }

    Outgoing outgoing() {
        return outgoing;
    }

    /** Of its receives; sends have a bit more. */
    long id() {
        return id;
    }

    static boolean isSend(long id) {
        return (id & SEND) != 0;
    }

    static int buffer(long id) {
        return (int) id & SEND - 1;
    }

    boolean isOpen() {
        return pair != null && !closed;
    }

    /** Whether its pair was brought down, by the peer's leaving or by what went wrong. */
    boolean isDown() {
        try {
            return isOpen() && pair.state() == QueuePairState.ERR;
        } catch (Refusal gone) {
            return false;
        }
    }

    InetSocketAddress local() {
        return connection.local();
    }

    // ---- making

    void open(RdmaEndpoint endpoint) {
        try {
            queue = queues.queue(device, SENDS + window.count());
            id = queues.enlist(endpoint);
            pair = device.domain().createQueuePair(QueuePairPlan.reliable(queue.queue(), SENDS, window.count())
                    .withPieces(mostPieces, 1));
            // the peer has nothing to do in memory by itself: no key lets it, and a write without bytes needs none
            pair.modify(QueuePairAttributes.init(Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            window.postAll(pair, id);
        } catch (RuntimeException refused) {
            close();
            window.close();
            throw refused;
        }
    }

    void connect(InetSocketAddress to) {
        try {
            connection = queues.connections().connect(pair, to, plan());
        } catch (RuntimeException refused) {
            close();
            window.close();
            throw refused;
        }
    }

    void accept(ConnectionRequest request) {
        try {
            connection = request.accept(pair, plan());
        } catch (RuntimeException refused) {
            close();
            window.close();
            throw refused;
        }
    }

    private ConnectionPlan plan() {
        return ConnectionPlan.USUAL.withReads(1, 1).withPrivateData(window.hello().encode());
    }

    /** Has events of the connection unpark a thread. */
    void unpark(Thread waiter) {
        if (connection != null) {
            connection.unpark(waiter);
        }
    }

    /** The next event, {@code null} if there is none. */
    ConnectionEvent event() {
        if (connection == null) {
            return null;
        }
        try {
            return connection.next(Duration.ZERO).orElse(null);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    // ---- posting

    /**
     * Whether a region can be sent.
     *
     * @throws Refusal {@code EFAULT} if the device does not reach it
     */
    void checkSend(HeldRegion region) {
        // over one that is closed nothing leaves in any case, and its device may have gone
        if (isOpen()) {
            queue.reach(region);
        }
    }

    /** Has as much leave as the peer takes, in messages of as many sends as there are; they go with {@link #post}. */
    int send(SendSide sends, boolean gathers, String because) {
        SendQueue due = sends.queue();
        int began = 0;
        while (!due.isAllAccepted() && outgoing.hasRoom()) {
            int most = Math.min(gathers ? due.pieces() : due.piecesOfNext(), mostPieces);
            int pieces = 0;
            int room = outgoing.bytes();
            list.sendWithImmediate(id | SEND, SendList.SIGNALED, Immediate.of(0, window.tell()));
            for (; pieces < most && room > 0; pieces++) {
                int length = Math.min(due.length(pieces), room);
                HeldRegion region = due.region(pieces);
                MemoryRegion keys = queue.keys(region);
                if (keys == null) {
                    list.clear();
                    throw new Refusal(Errno.EFAULT, "The device " + device.name()
                            + " does not reach the memory of key 0x" + Integer.toHexString(region.key())
                            + ": it refused it, or came after it; register it again.");
                }
                list.piece(keys.address() + due.offset(pieces), keys.localKey(), length);
                room -= length;
            }
            int gathered = due.sendsIn(pieces);
            sends.sent(outgoing.bytes() - room, gathered, 0, Paths.ZERO_COPY, null, because, false, false);
            outgoing.data(due.accepted());
            began += gathered;
            if (queues.isSingle()) {
                post();
            }
        }
        return began;
    }

    /** The end of the stream; false if there is no room for it at the moment. */
    boolean finish(long place) {
        if (hasFinished) {
            return true;
        }
        if (outgoing.inFlight() == SENDS) {
            return false;
        }
        list.sendWithImmediate(id | SEND, SendList.SIGNALED, Immediate.of(Immediate.FINISH, window.tell()));
        outgoing.control(place);
        hasFinished = true;
        return true;
    }

    /**
     * Asks the peer's device for a sign, with a write that has no bytes: it takes no receive there, and is acknowledged
     * whether the peer's program looks or not.
     *
     * @return false if it was not asked, because something is on its way anyway or the peer takes no such write
     */
    boolean ask() {
        if (!outgoing.isAskable() || !outgoing.isNone()) {
            return false;
        }
        list.write(id | SEND, SendList.SIGNALED, 0, 0);
        outgoing.control(outgoing.free());
        post();
        return true;
    }

    /** Posts all that was prepared, and credits if they are due. */
    void post() {
        if (window.isTellingDue() && outgoing.inFlight() < SENDS - 1) {
            list.sendWithImmediate(id | SEND, SendList.SIGNALED, Immediate.of(Immediate.CREDITS, window.tell()));
            outgoing.control(outgoing.free());
        }
        try {
            // buffers first: credits tell the peer of them
            window.post(pair);
            if (list.count() > 0 && pair.post(list) < list.count()) {
                throw new Refusal(Errno.EIO, "Its queue pair has less room than it was made for.");
            }
        } finally {
            list.clear();
        }
    }

    // ---- the end

    /** Nothing of it is in the device after this, and the peer is told. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (connection != null) {
            connection.unpark(null);
            Device.quietly(connection::close);
        }
        if (pair != null) {
            Device.quietly(pair::close);
        }
        if (id != 0) {
            queues.delist(id);
        }
        if (queue != null) {
            queue.giveBack(SENDS + window.count());
        }
        window.end();
    }
}

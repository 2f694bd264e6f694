package io.manafold.itests.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * Connections from one RDMA device to another by address, made and ended for as long as both are there; and beside
 * those one after the other that is never answered, so that there is always one under way. Two threads.
 */
public final class Connecting implements AutoCloseable {
    private static final int PORT = 7471;
    /** Longer than anything takes that does not hang. */
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(10);

    private final BundleContext context;
    private final String[] addresses;
    private final List<Thread> threads;
    private final AtomicLong established = new AtomicLong();
    private final Queue<Refusal> ended = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> mistake = new AtomicReference<>();
    private volatile boolean underWay;
    private volatile boolean ending;

    /** One connection, from its beginning to its end. */
    private interface Turn {
        void take(RdmaConnections connections, RdmaDevice left, RdmaDevice right, Kept kept) throws Exception;
    }

    /** @param addresses of the two functions */
    public Connecting(Platform platform, String... addresses) {
        context = platform.context();
        this.addresses = addresses;
        threads = List.of(Thread.ofPlatform().name("connects").start(() -> repeat(this::connect)),
                Thread.ofPlatform().name("waits for an answer").start(() -> repeat(this::waitForAnAnswer)));
    }

    private void repeat(Turn turn) {
        try {
            while (!ending && mistake.get() == null) {
                ServiceReference<RdmaConnections> connections = context.getServiceReference(RdmaConnections.class);
                ServiceReference<RdmaDevice> left = find(addresses[0]);
                ServiceReference<RdmaDevice> right = find(addresses[1]);
                if (connections == null || left == null || right == null) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                } else {
                    take(turn, connections, left, right);
                }
            }
        } catch (Throwable wrong) {
            mistake.compareAndSet(null, wrong);
        }
    }

    private void take(Turn turn, ServiceReference<RdmaConnections> connections, ServiceReference<RdmaDevice> left,
            ServiceReference<RdmaDevice> right) throws Exception {
        RdmaConnections from = context.getService(connections);
        RdmaDevice one = context.getService(left);
        RdmaDevice two = context.getService(right);
        try (Kept kept = new Kept()) {
            if (from != null && one != null && two != null) {
                turn.take(from, one, two, kept);
            }
        } catch (Refusal refused) {
            ended.add(refused);
        } finally {
            unget(left, one);
            unget(right, two);
            unget(connections, from);
        }
    }

    private <T> void unget(ServiceReference<T> reference, T service) {
        if (service != null) {
            context.ungetService(reference);
        }
    }

    private ServiceReference<RdmaDevice> find(String address) {
        try {
            return context.getServiceReferences(RdmaDevice.class, "(&(address=" + address + ")(name=mana_*))").stream()
                    .findFirst().orElse(null);
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    // ---- the turns

    private static QueuePair pair(RdmaDevice device, Kept kept) {
        ProtectionDomain domain = kept.keep(device.allocateDomain());
        return kept.keep(domain.createQueuePair(QueuePairPlan.reliable(kept.keep(device.createCompletionQueue(8)), 4,
                4)));
    }

    private static RdmaConnection ask(RdmaConnections connections, RdmaDevice left, RdmaDevice right, int port,
            Kept kept) throws UnknownHostException {
        QueuePair pair = pair(left, kept);
        Gid gid = right.gids(1).getFirst();
        byte[] address = ByteBuffer.allocate(16).putLong(gid.high()).putLong(gid.low()).array();
        return kept.keep(connections.connect(pair, new InetSocketAddress(InetAddress.getByAddress(address), port),
                ConnectionPlan.USUAL));
    }

    /** Takes what comes next; that nothing comes is a mistake. */
    private static <T> T within(Optional<T> come, String what) {
        return come.orElseThrow(() -> new AssertionError("within " + LIMIT + " no " + what));
    }

    private void connect(RdmaConnections connections, RdmaDevice left, RdmaDevice right, Kept kept) throws Exception {
        RdmaListener listener = kept.keep(connections.listen(PORT));
        RdmaConnection asking = ask(connections, left, right, PORT, kept);
        Optional<ConnectionEvent> early = Optional.empty();
        for (long giveUp = System.nanoTime() + LIMIT.toNanos(); early.isEmpty() && System.nanoTime() < giveUp;) {
            var request = listener.next(GLANCE);
            if (request.isPresent()) {
                QueuePair pair = pair(right, kept);
                RdmaConnection asked = kept.keep(request.get().accept(pair, ConnectionPlan.USUAL));
                established(asked);
                established(asking);
                established.incrementAndGet();
                asking.disconnect();
                within(asking.next(LIMIT), "end of what asked");
                within(asked.next(LIMIT), "end of what was asked");
                return;
            }
            early = asking.next(Duration.ZERO);
        }
        refuse(within(early, "request, nor the end of the one that asked"));
    }

    private static void established(RdmaConnection connection) throws InterruptedException {
        ConnectionEvent event = within(connection.next(LIMIT), "event of a connection");
        if (event.type() != ConnectionEvent.Type.ESTABLISHED) {
            refuse(event);
        }
    }

    private static void refuse(ConnectionEvent event) {
        if (event.errno() == null) {
            throw new AssertionError("not established, and no errno: " + event.type() + ", " + event.sentence());
        }
        throw new Refusal(event.errno(), event.sentence());
    }

    private void waitForAnAnswer(RdmaConnections connections, RdmaDevice left, RdmaDevice right, Kept kept)
            throws Exception {
        RdmaListener listener = kept.keep(connections.listen(PORT + 1));
        RdmaConnection asking = ask(connections, left, right, PORT + 1, kept);
        within(listener.next(LIMIT), "request that will not be answered");
        underWay = true;
        try {
            Optional<ConnectionEvent> event = Optional.empty();
            while (event.isEmpty() && !ending) {
                event = asking.next(GLANCE);
            }
            event.ifPresent(Connecting::refuse);
        } finally {
            underWay = false;
        }
    }

    // ---- the test

    /** Waits until so many more have been established. */
    public void establish(String when, int count) {
        long before = established.get();
        await("connections are established " + when, () -> established.get() - before >= count);
    }

    /** Waits until one is under way that will not be answered. */
    public void awaitUnderWay() {
        await("a connection is under way", () -> underWay);
    }

    private void await(String what, BooleanSupplier condition) {
        Wire.await(what, () -> condition.getAsBoolean() || mistake.get() != null);
        assertThat(mistake.get()).as("what went wrong until %s", what).isNull();
    }

    /** What connections ended with that were not established. */
    public Collection<Refusal> ended() {
        return ended;
    }

    @Override
    public void close() throws InterruptedException {
        ending = true;
        for (Thread thread : threads) {
            thread.join(LIMIT.toMillis() + 1);
            assertThat(thread.isAlive()).as("'%s' goes on", thread.getName()).isFalse();
        }
        assertThat(mistake.get()).isNull();
    }
}

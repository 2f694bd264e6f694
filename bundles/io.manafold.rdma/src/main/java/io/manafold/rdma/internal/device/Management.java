package io.manafold.rdma.internal.device;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.agent.Mistakes;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.SetQpState;
import io.manafold.rdma.internal.connection.AddressPair;
import io.manafold.rdma.internal.connection.Backlog;
import io.manafold.rdma.internal.connection.Exchange;
import io.manafold.rdma.internal.connection.Exchanges;
import io.manafold.rdma.internal.connection.Link;
import io.manafold.rdma.internal.connection.Timing;
import io.manafold.rdma.internal.queue.ManagementQueuePair;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management datagrams of a device's first port, and the connections that are made by them, on an agent of control:
 * queue pairs are brought from state to state there, which waits for the device. It also has the addresses of all ports
 * follow their hosts.
 */
final class Management implements Agent.Work, Link, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Management.class);
    private static final Duration END = Duration.ofSeconds(2);
    private static final int BUDGET = 64;
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long STRANGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int MOST_STRANGERS = 64;
    private static final int MOST_WAITING = 2 * Exchanges.MOST;

    private final VerbsDevice device;
    private final ManagementQueuePair pair;
    private final Timing timing;
    private final Agent agent;
    private final Lane lane = new Lane();
    private final Mistakes mistakes;
    private final Exchanges exchanges;
    /** By the number of their queue pair. */
    private final Map<Integer, Connection> connections = new ConcurrentHashMap<>();
    /** Queue pairs whose last connection has ended a moment ago, and until when they rest. */
    private final Map<Integer, Long> resting = new ConcurrentHashMap<>();
    /** For the place in the ring. */
    private final ArrayDeque<Message> waiting = new ArrayDeque<>();
    /** For the place of their receiver on the link. */
    private final ArrayDeque<Message> strangers = new ArrayDeque<>();
    private boolean armed;
    private volatile boolean signalled;
    private boolean complained;
    private long glance = System.nanoTime();

    private record Message(AddressPair ends, MacAddress mac, byte[] mad, long until) {
    }

    Management(VerbsDevice device, String name, ManagementQueuePair pair, Timing timing) {
        this.device = device;
        this.pair = pair;
        this.timing = timing;
        SecureRandom random = new SecureRandom();
        exchanges = new Exchanges(this, timing, random::nextInt);
        mistakes = new Mistakes(mistake -> LOG.error("{}: a message failed; further failures of this kind are not "
                + "logged", name, mistake));
        agent = Agent.ofControl(name, this);
    }

    void start() {
        agent.start();
    }

    // ---- any thread

    ManagementQueuePair pair() {
        return pair;
    }

    VerbsDevice device() {
        return device;
    }

    Map<Integer, Connection> connections() {
        return connections;
    }

    Exchanges exchanges() {
        return exchanges;
    }

    /** Has something done with the exchanges; false if the device has gone. */
    boolean run(Runnable command) {
        return agent.execute(lane, command);
    }

    /** Something has come or left. */
    void signal() {
        signalled = true;
        agent.wake();
    }

    /** A queue pair's connection has ended: the pair rests a little longer than its peer remembers it. */
    void lingers(int number) {
        long now = System.nanoTime();
        resting.values().removeIf(until -> until - now < 0);
        resting.put(number, now + 5 * timing.lingerNanos() / 4);
    }

    /** Nanoseconds that a queue pair still rests. */
    long lingering(int number) {
        Long until = resting.get(number);
        return until == null ? 0 : Math.max(0, until - System.nanoTime());
    }

    long lingerMillis() {
        return TimeUnit.NANOSECONDS.toMillis(5 * timing.lingerNanos() / 4);
    }

    /** A queue pair has failed, or was closed. */
    void ends(int number, Errno errno, String why) {
        Connection connection = connections.get(number);
        if (connection != null) {
            connection.ends(errno, why);
        }
    }

    // ---- the agent

    @Override
    public int doWork() {
        long now = System.nanoTime();
        if (now - glance >= 0) {
            glance = now + GLANCE_NANOS;
            device.follow();
        }
        if (signalled) {
            signalled = false;
            armed = false;
        }
        int count = pair.poll((from, to, mad) -> exchanges.datagram(gid(from), gid(to), mad, System.nanoTime()),
                BUDGET);
        count += exchanges.expire(now, BUDGET);
        flush();
        answerStrangers(now);
        if (count == 0 && !armed) {
            armed = true;
            pair.arm();
        }
        if (pair.failure() != null && !complained) {
            complained = true;
            LOG.error("{} makes no connections any more: {} Reset the adapter.", device.name(), pair.failure());
        }
        return count;
    }

    private static Gid gid(io.manafold.gdma.Gid gid) {
        return new Gid(gid.high(), gid.low());
    }

    private static io.manafold.gdma.Gid gid(Gid gid) {
        return new io.manafold.gdma.Gid(gid.high(), gid.low());
    }

    @Override
    public long restNanos() {
        long now = System.nanoTime();
        long until = Math.min(glance - now, strangers.isEmpty() ? Long.MAX_VALUE : LOOK_NANOS);
        long due = exchanges.deadline();
        return Math.max(0, due == Long.MAX_VALUE ? until : Math.min(until, due - now));
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }

    // ---- for the exchanges

    @Override
    public void send(AddressPair ends, MacAddress mac, byte[] mad) {
        if (waiting.size() < MOST_WAITING) {
            waiting.add(new Message(ends, mac, mad, 0));
        }
        flush();
    }

    private void flush() {
        while (!waiting.isEmpty() && pair.failure() == null) {
            Message next = waiting.peek();
            if (!pair.send(gid(next.ends.local()), gid(next.ends.remote()), next.mac, 0, next.mad)) {
                return;
            }
            waiting.remove();
        }
    }

    @Override
    public void answer(AddressPair ends, byte[] mad) {
        if (strangers.size() < MOST_STRANGERS) {
            strangers.add(new Message(ends, null, mad, System.nanoTime() + STRANGER_NANOS));
            answerStrangers(System.nanoTime());
        }
    }

    private void answerStrangers(long now) {
        strangers.removeIf(one -> {
            try {
                Optional<MacAddress> place = find(one.ends);
                place.ifPresent(mac -> send(one.ends, mac, one.mad));
                return place.isPresent() || one.until - now < 0;
            } catch (Refusal unreachable) {
                return true;
            }
        });
    }

    @Override
    public Optional<MacAddress> find(AddressPair ends) {
        if (has(ends.remote())) {
            // the other end is at this port as well, which asks no host where it is
            return device.gids(1).stream().filter(Gid::isFromMac).findFirst().map(Gid::mac);
        }
        return device.neighbours(1).find(ends.remote());
    }

    @Override
    public boolean has(Gid local) {
        return device.gids(1).contains(local);
    }

    @Override
    public int mtuCode() {
        return SetQpState.mtuCode(device.port(1).activeMtu());
    }

    @Override
    public long guid() {
        return device.attributes().guid();
    }

    @Override
    public Backlog listener(Gid local, int port) {
        return device.listeners().find(device, local, port);
    }

    // ---- the end

    /** No thread is at the queue pair any more; peers are told as far as the device still sends. */
    @Override
    public void close() {
        agent.end(() -> {
            connections.values().forEach(connection -> connection.removed(device.gone()));
            for (Exchange exchange : exchanges.all()) {
                exchange.end(System.nanoTime());
            }
        });
        if (!agent.isCurrent() && !agent.join(END)) {
            agent.interrupt();
            if (!agent.join(END)) {
                LOG.error("{} did not end within {} s", agent.name(), END.toSeconds());
            }
        }
        // those that came too late for the agent
        connections.values().forEach(connection -> connection.removed(device.gone()));
    }
}

package io.manafold.vfio.internal;

import io.manafold.agent.Agent;
import io.manafold.api.device.PciFunction;
import io.manafold.api.vfio.ExportCosts;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.vfio.internal.protocol.Busy;
import io.manafold.vfio.internal.protocol.GracefulClose;
import io.manafold.vfio.internal.protocol.InterruptWriter;
import io.manafold.vfio.internal.protocol.Session;
import io.manafold.vfio.internal.protocol.SessionCounters;
import io.manafold.vfio.internal.protocol.SessionListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives clients and lets one at a time have the function. Another one waits a moment, for the one before may be on
 * its way out, and is then told that the function is taken.
 */
final class ClientAcceptor implements Agent.Work, SessionListener {
    private static final Logger LOG = LoggerFactory.getLogger(ClientAcceptor.class);
    static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LEAVING = Duration.ofSeconds(3);
    private static final long MOMENT = TimeUnit.SECONDS.toNanos(1);
    private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_WAITING = 8;

    private record Newcomer(UnixSocket socket, long since) {
    }

    private final String name;
    private final PciFunction function;
    private final long mostBytes;
    private final ListenSocket listener;
    private final Duration patience;
    private final long moment;
    private final GuestEvents news;
    private final ThreadFactory threads;
    private final Agent agent;
    private final ArrayDeque<Newcomer> waiting = new ArrayDeque<>();
    /** Those that were told no and have a moment to close by themselves. */
    private final ArrayDeque<Newcomer> told = new ArrayDeque<>();
    private volatile Session session;
    private volatile Thread sessionThread;
    private volatile boolean gone;
    private volatile boolean ending;
    private volatile long sessions;
    /** A client is there to be accepted, or the socket is not waited at yet. */
    private volatile boolean arrived = true;
    private long pausedUntil = System.nanoTime();
    private boolean logged;
    /** Why the last client cannot use the function, until another one comes; {@code null} if it can. */
    private volatile String unshared;
    final InterruptWriter interrupts;
    private volatile SessionCounters costs = new SessionCounters();

    ClientAcceptor(String name, PciFunction function, long mostBytes, ListenSocket listener) throws IOException {
        this(name, function, mostBytes, listener, PATIENCE);
    }

    /** @param mostBytes how much memory a client can have mapped */
    ClientAcceptor(String name, PciFunction function, long mostBytes, ListenSocket listener, Duration patience)
            throws IOException {
        this(name, function, mostBytes, listener, patience, GuestEvents.NONE);
    }

    ClientAcceptor(String name, PciFunction function, long mostBytes, ListenSocket listener, Duration patience,
            GuestEvents news) throws IOException {
        this(name, function, mostBytes, listener, patience, news, Thread.ofPlatform().daemon().factory());
    }

    /** @param threads makes those that clients are served on, and those that write their interrupts */
    ClientAcceptor(String name, PciFunction function, long mostBytes, ListenSocket listener, Duration patience,
            GuestEvents news, ThreadFactory threads) throws IOException {
        this.news = news;
        this.threads = threads;
        this.name = name;
        this.function = function;
        this.mostBytes = mostBytes;
        this.listener = listener;
        this.patience = patience;
        this.moment = patience.toNanos() / 5 * 2;
        this.agent = Agent.ofControl("manafold-vfio-" + name, this);
        this.interrupts = Session.interruptWriter(name, function, agent::wake, threads);
        Arrivals.ALL.enter();
    }

    void open() {
        try {
            Arrivals.ALL.await(listener, this::arrived);
            arrived = false;
            agent.start();
        } catch (RuntimeException | Error failed) {
            Arrivals.ALL.leave(listener);
            throw failed;
        }
    }

    private void arrived() {
        arrived = true;
        agent.wake();
    }

    boolean listening() {
        return agent.isAlive() && !ending;
    }

    boolean connected() {
        Session now = session;
        return now != null && now.greeted();
    }

    long sessions() {
        return sessions;
    }

    ExportCosts costs() {
        return costs.soFar(interrupts.stuck());
    }

    /** What is wrong at the moment, a sentence; {@code null} if nothing is. */
    String problem() {
        String memory = unshared;
        return memory == null ? interrupts.problem() : memory;
    }

    /** Turns all guests out and returns when all is closed. */
    void end(boolean functionGone) {
        gone = functionGone;
        ending = true;
        Session now = session;
        if (now != null) {
            now.end(functionGone ? "the function was unplugged" : "the export was ended", functionGone);
        }
        agent.end(this::close);
        // the session first, and what it does not give back
        if (!agent.join(LEAVING.multipliedBy(3))) {
            LOG.warn("export {}: its socket could not be closed in time", name);
        }
    }

    // ---- on the agent

    @Override
    public int doWork() {
        if (ending) {
            return 0;
        }
        receive();
        next();
        refuseLate();
        if (interrupts.lacksThread()) {
            interrupts.retry();
        }
        return 0;
    }

    @Override
    public long restNanos() {
        return ending ? UNTIL_WOKEN : Math.max(0, untilNextStep());
    }

    @Override
    public void failed(Throwable defect) {
        pausedUntil = System.nanoTime() + AFTER_FAILURE;
        if (!logged) {
            logged = true;
            LOG.error("export {}: clients could not be received because of a defect; it goes on", name, defect);
        }
    }

    private void close() {
        Arrivals.ALL.leave(listener);
        waiting.forEach(newcomer -> GracefulClose.close(newcomer.socket));
        told.forEach(newcomer -> GracefulClose.close(newcomer.socket));
        awaitSession();
        interrupts.close();
        listener.close();
    }

    private boolean hasRoom() {
        return waiting.size() + told.size() < MOST_WAITING;
    }

    private void receive() {
        if (!arrived || !hasRoom() || pausedUntil - System.nanoTime() > 0) {
            return;
        }
        arrived = false;
        try {
            waiting.add(new Newcomer(listener.accept(), System.nanoTime()));
        } catch (SystemCallException failed) {
            // no descriptors left, or a client that was gone at once: the next look may find it better
            pausedUntil = System.nanoTime() + AFTER_FAILURE;
            LOG.warn("export {}: a client could not be let in: {}", name, failed.getMessage());
        }
        Arrivals.ALL.await(listener, this::arrived);
    }

    private void next() {
        if (session != null || ending) {
            return;
        }
        Newcomer first = waiting.poll();
        if (first == null) {
            return;
        }
        try {
            begin(first);
        } catch (IOException failed) {
            LOG.warn("export {}: a client could not be served: {}", name, failed.getMessage());
            first.socket.close();
        } catch (RuntimeException | Error defect) {
            session = null;
            first.socket.close();
            throw defect;
        }
    }

    private void begin(Newcomer client) throws IOException {
        Session begun = new Session(name, function, mostBytes, client.socket, interrupts, patience, this);
        session = begun;
        sessionThread = start(begun);
        costs = begun.costs();
        if (ending) {
            begun.end("the export was ended", gone);
        }
    }

    private Thread start(Session begun) throws IOException {
        try {
            Thread served = threads.newThread(() -> serve(begun));
            served.setName("manafold-vfio-" + name + "-client");
            served.start();
            return served;
        } catch (OutOfMemoryError noMoreThreads) {
            session = null;
            begun.discard();
            pausedUntil = System.nanoTime() + AFTER_FAILURE;
            throw new IOException("no thread can be started for it: there are as many as the user, the control group "
                    + "or the memory allow, see 'ulimit -u' and pids.max", noMoreThreads);
        }
    }

    private void serve(Session begun) {
        try {
            news.gone(begun.run());
        } finally {
            session = null;
            agent.wake();
        }
    }

    // ---- on the client's thread

    @Override
    public void greeted() {
        unshared = null;
        sessions++;
        news.connected();
    }

    @Override
    public void unshared(String sentence) {
        unshared = sentence;
        news.unshared(sentence);
    }

    // ---- on the agent again

    private long limit() {
        // a client that has not said a word, or is leaving, may be gone soon: it has a limit of its own
        return connected() ? moment : patience.toNanos() - patience.toNanos() / 8;
    }

    private long untilNextStep() {
        long now = System.nanoTime();
        long left = UNTIL_WOKEN;
        if (arrived && hasRoom()) {
            left = Math.max(0, pausedUntil - now);
        }
        if (!waiting.isEmpty()) {
            // the limit may change when a client says who it is: look again soon
            left = Math.clamp(waiting.peek().since + limit() - now, 0, Math.min(left, MOMENT));
            if (session == null) {
                // the one before it could not be served
                left = Math.min(left, Math.max(0, pausedUntil - now));
            }
        }
        left = Math.min(left, interrupts.untilRetry());
        return told.isEmpty() ? left : Math.clamp(told.peek().since + MOMENT - now, 0, left);
    }

    private void refuseLate() {
        long now = System.nanoTime();
        while (!waiting.isEmpty() && now - waiting.peek().since >= limit()) {
            UnixSocket late = waiting.poll().socket;
            Busy.tell(late);
            told.add(new Newcomer(late, now));
            LOG.info("export {}: another client was told that the function is taken", name);
        }
        while (!told.isEmpty() && now - told.peek().since >= MOMENT) {
            GracefulClose.close(told.poll().socket);
        }
    }

    private void awaitSession() {
        Thread served = sessionThread;
        if (served == null) {
            return;
        }
        try {
            served.join(LEAVING);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        Session left = session;
        if (left != null && served.isAlive()) {
            LOG.warn("export {}: a client holds its thread; the function is taken from it", name);
            left.abandon();
        }
    }
}

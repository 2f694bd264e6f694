package io.manafold.fabric.internal;

import io.manafold.agent.Agent;
import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a link's agent does: it has every port that is plugged in do its work, takes the frames they send, and gives
 * them to those who shall have them. All but what says otherwise is called on the agent.
 */
final class Core implements Agent.Work, Forwarding.Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Core.class);
    private static final Connection[] NOTHING = {};
    /** After so many cycles in a row that found memory gone it is not the memory. */
    private static final int STRIKES = 16;
    private static final long GROUP = 1L << 40;
    private static final VarHandle BUSY_WITH;

    static {
        try {
            BUSY_WITH = MethodHandles.lookup().findVarHandle(Core.class, "busyWith", String.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final Counters counters;
    /** There as soon as all else of the link is: a link that does not come about leaves none. */
    private Reader reader;
    private final FrameAddresses heading = new FrameAddresses();
    private PacketRules rules;
    private Impairing impairing;
    private Captures captures;
    /** Where frames wait for others, or null. */
    private OutputQueues queues;
    private Connection[] plugged = NOTHING;
    private boolean forwarding;
    /** Since memory was found gone for the first time every error is awaited where it was caused. */
    private boolean suspicious;
    private String busyWith = "nothing";

    Core(String name, Counters counters) {
        this.name = name;
        this.counters = counters;
    }

    /** Before the agent starts. */
    void use(PacketRules first, Impairing onTheWay, Captures copies, OutputQueues waiting) {
        rules = first;
        impairing = onTheWay;
        captures = copies;
        queues = waiting;
        reader = Readers.open("link " + name);
    }

    String name() {
        return name;
    }

    /** Whose work the agent was doing when it was last seen; any thread. */
    String busyWith() {
        return (String) BUSY_WITH.getOpaque(this);
    }

    @Override
    public void begin() {
        if (reader.inside()) {
            // an error that came late cut the last cycle short in the middle of its end
            reader.leave();
        }
        reader.enter();
    }

    @Override
    public void end() {
        reader.leave();
    }

    @Override
    public int doWork() {
        int done = release();
        Connection[] all = plugged;
        for (Connection connection : all) {
            if (connection.isIn()) {
                done += work(connection);
            }
        }
        return done;
    }

    private int release() {
        forwarding = true;
        try {
            return rules.release() + impairing.release() + (queues == null ? 0 : queues.release());
        } finally {
            forwarding = false;
        }
    }

    private int work(Connection connection) {
        // told to a command that asks one day; a fence for each port in each cycle would be dear
        BUSY_WITH.setOpaque(this, connection.jack.name);
        try {
            int done = connection.plug.doWork();
            if (suspicious) {
                RawMemory.settle();
            }
            connection.strikes = 0;
            return done;
        } catch (InternalError gone) {
            if (suspicious && ++connection.strikes >= STRIKES) {
                fail(connection, "work", gone);
            }
            vanished(1);
            return 1;
        } catch (Throwable mistake) {
            fail(connection, "work", mistake);
            return 1;
        }
    }

    @Override
    public long restNanos() {
        long rest = Math.min(rules.restNanos(), impairing.restNanos());
        if (queues != null) {
            rest = Math.min(rest, queues.restNanos());
        }
        for (Connection connection : plugged) {
            try {
                rest = Math.min(rest, connection.plug.restNanos());
            } catch (Throwable mistake) {
                fail(connection, "rest", mistake);
            }
        }
        return rest;
    }

    /** Frames are sent. */
    void enter(Connection from, Frames frames) {
        if (!from.isOnAgent()) {
            throw new IllegalStateException("frames of port " + from.jack.name + " are sent on the thread "
                    + Thread.currentThread().getName() + ", not on the agent of link " + name);
        }
        int count = frames.count();
        Jack jack = from.jack;
        if (!from.isIn()) {
            return;
        }
        if (forwarding) {
            counters.nested.add(count);
            return;
        }
        long bytes = frames.bytes(0, count);
        jack.txFrames.add(count);
        jack.txBytes.add(bytes);
        counters.frames.add(count);
        counters.bytes.add(bytes);
        forwarding = true;
        try {
            captures.take(jack, frames, count);
            rules.pass(jack, frames, count);
            if (suspicious) {
                RawMemory.settle();
            }
        } catch (InternalError gone) {
            vanished(1);
        } finally {
            forwarding = false;
        }
    }

    @Override
    public void deliver(Jack from, Jack to, Frames frames, int begin, int end) {
        if (!to.isSingle()) {
            deliverBeside(to, frames, begin, end);
            return;
        }
        Connection connection = to.connection;
        if (connection == null) {
            counters.undelivered.add(end - begin);
            return;
        }
        deliver(connection, frames, begin, end);
    }

    /** Frames for a place with a companion: each goes to one of the two, neighbours with the same way together. */
    private void deliverBeside(Jack to, Frames frames, int begin, int end) {
        int start = begin;
        Connection before = null;
        for (int frame = begin; frame < end; frame++) {
            Connection receiver = receiver(to, frames, frame);
            if (receiver != before) {
                deliverSome(before, frames, start, frame);
                start = frame;
                before = receiver;
            }
        }
        deliverSome(before, frames, start, end);
    }

    private Connection receiver(Jack to, Frames frames, int frame) {
        try {
            heading.read(frames, frame);
        } catch (InternalError gone) {
            // the companion meets it, too, and it is counted there
            return to.companion;
        }
        boolean pause = (frames.marks(frame) & Frames.PAUSE) != 0;
        if (pause && to.connection != null) {
            return to.connection;
        }
        Connection receiver = to.receiver((heading.destination() & GROUP) != 0);
        if (receiver != to.companion && isFirst(to, frames, frame)) {
            counters.flowStarts.add(1);
            return to.companion;
        }
        return receiver;
    }

    private static boolean isFirst(Jack to, Frames frames, int frame) {
        try {
            return to.flows.isFirst(frames, frame, to.steerings.get());
        } catch (InternalError gone) {
            // the port that gets the frame meets it, too
            return false;
        }
    }

    private void deliverSome(Connection to, Frames frames, int begin, int end) {
        // it may have been thrown out by what came before
        if (begin < end && to != null) {
            if (to.isIn()) {
                deliver(to, frames, begin, end);
            } else {
                counters.undelivered.add(end - begin);
            }
        }
    }

    private void deliver(Connection connection, Frames frames, int begin, int end) {
        Jack to = connection.jack;
        try {
            // a fault that is still to come is the sender's: the receiver may hold a lock where it would come, so that
            // even the first one of a link must not
            if (frames.mayVanish()) {
                RawMemory.settle();
            }
            if (!connection.takesOpenFrames) {
                frames.complete(begin, end);
            }
            connection.plug.receive(frames, begin, end);
            if (suspicious) {
                RawMemory.settle();
            }
        } catch (InternalError gone) {
            vanished(end - begin);
            return;
        } catch (Throwable mistake) {
            fail(connection, "reception", mistake);
            return;
        }
        long bytes = frames.bytes(begin, end);
        to.rxFrames.add(end - begin);
        to.rxBytes.add(bytes);
        counters.delivered.add(end - begin);
    }

    /** Gives a frame of the link's own to what is plugged into a jack. */
    void emit(Jack to, Frames frame) {
        captures.take(to, frame, 1);
        deliver(to, to, frame, 0, 1);
    }

    void plug(Connection connection) {
        connection.failed(null);
        connection.in(true);
        plugged = Arrays.copyOf(plugged, plugged.length + 1);
        plugged[plugged.length - 1] = connection;
        if (queues != null && !connection.beside) {
            queues.plugged(connection.jack);
        }
    }

    /** From here on nothing of the plug is called. */
    void unplug(Connection connection) {
        if (!connection.isIn()) {
            return;
        }
        connection.in(false);
        plugged = Arrays.stream(plugged).filter(other -> other != connection).toArray(Connection[]::new);
        if (!connection.jack.isPlugged()) {
            impairing.forget(connection.jack);
        }
    }

    /** Unplugs all; the agent ends. */
    void unplugAll(Jack[] jacks) {
        for (Jack jack : jacks) {
            unplugLast(jack.claim.get());
            unplugLast(jack.companionClaim.get());
        }
    }

    private void unplugLast(Connection connection) {
        if (connection != null) {
            unplug(connection);
            connection.ended();
        }
    }

    /** The agent's thread makes no pointers any more; any thread. */
    void ended() {
        reader.close();
    }

    private void vanished(int frames) {
        counters.vanished.add(frames);
        suspicious = true;
    }

    private void fail(Connection connection, String what, Throwable mistake) {
        unplug(connection);
        connection.thrownOut = true;
        String who = connection.name;
        if (!connection.beside) {
            connection.jack.mistakes.add(1);
        }
        connection.failed(Character.toUpperCase(who.charAt(0)) + who.substring(1) + " was unplugged: its " + what
                + " ended in " + mistake + ". That is a mistake in "
                + (connection.beside ? "its software; it comes back when it is plugged in again."
                        : "the port's software; it comes back when its function is reset."));
        LOG.error("link {}: {} was unplugged, its {} ended in a mistake of its software", name, who, what, mistake);
    }

    @Override
    public void failed(Throwable mistake) {
        if (mistake instanceof InternalError) {
            vanished(1);
            return;
        }
        if (counters.mistakes.get() == 0) {
            LOG.error("link {}: a command or a cycle of the link ended in a mistake; further ones are counted", name,
                    mistake);
        }
        counters.mistakes.add(1);
    }
}

package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of the driver for each function, for what takes long and what is due from time to time; never for packets.
 */
final class ControlAgent implements Agent.Work {
    private static final Logger LOG = LoggerFactory.getLogger(ControlAgent.class);
    private static final int MOST_COMMANDS = 64;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration END = Duration.ofSeconds(2);

    private final String name;
    private final BlockingQueue<Runnable> commands = new ArrayBlockingQueue<>(MOST_COMMANDS);
    private final Duration tick;
    private final Runnable periodic;
    private final Agent agent;
    private final Mistakes mistakes;
    private long due;
    private volatile boolean ended;

    /** @param periodic what is due with each tick */
    ControlAgent(String name, Duration tick, Runnable periodic) {
        this.name = name;
        this.tick = tick;
        this.periodic = periodic;
        agent = Agent.ofControl(name, this);
        mistakes = new Mistakes(new Complaint(name));
    }

    private record Complaint(String name) implements Consumer<Throwable> {
        @Override
        public void accept(Throwable mistake) {
            LOG.error("{}: a command failed; further failures of this kind are not logged", name, mistake);
        }
    }

    void start() {
        due = System.nanoTime() + tick.toNanos();
        agent.start();
    }

    /** Has something done soon; never blocks. False if there is too much to do already, or the end has come. */
    boolean send(Runnable command) {
        boolean taken = !ended && commands.offer(command);
        agent.wake();
        return taken;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public int doWork() {
        if (ended) {
            return 0;
        }
        // what is due goes first: commands may come without end
        Runnable next = restNanos() <= 0 ? periodic : commands.poll();
        if (next == null) {
            return 0;
        }
        try {
            next.run();
        } finally {
            if (next == periodic) {
                due = System.nanoTime() + tick.toNanos();
            }
        }
        return 1;
    }

    @Override
    public long restNanos() {
        return due - System.nanoTime();
    }

    @Override
    public void failed(Throwable mistake) {
        if (!ended) {
            mistakes.log(mistake);
        }
    }

    /**
     * Ends it: nothing is begun any more when this returns. What it is at it may complete, as queues made half way
     * would be left to the function; only what takes too long is given up.
     */
    void finish() {
        ended = true;
        if (!agent.end(new NoOp()) || !agent.isAlive() || agent.join(GRACE)) {
            return;
        }
        agent.interrupt();
        if (!agent.join(END)) {
            LOG.error("{} did not end within {} s", name, END.toSeconds());
        }
    }
}

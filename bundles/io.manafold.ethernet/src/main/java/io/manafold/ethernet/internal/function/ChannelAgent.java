package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import io.manafold.gdma.driver.ChannelWorker;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what comes through a function's hardware channel. */
final class ChannelAgent implements ChannelWorker, Agent.Work {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelAgent.class);
    private static final Duration END = Duration.ofSeconds(10);

    private final String name;
    private final Runnable work;
    private final Agent agent;
    private final Mistakes mistakes;
    private volatile boolean closed;

    ChannelAgent(String name, Runnable work) {
        this.name = name;
        this.work = work;
        mistakes = new Mistakes(new Complaint(name));
        agent = Agent.ofControl(name, this);
        agent.start();
    }

    /** Makes one for each channel. */
    static final class Maker implements Factory {
        @Override
        public ChannelWorker begin(String name, Runnable work) {
            return new ChannelAgent(name, work);
        }
    }

    private record Complaint(String name) implements Consumer<Throwable> {
        @Override
        public void accept(Throwable mistake) {
            LOG.error("{} failed; further failures of this kind are not logged", name, mistake);
        }
    }

    @Override
    public void signal() {
        agent.wake();
    }

    @Override
    public int doWork() {
        if (!closed) {
            work.run();
        }
        return 0;
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }

    @Override
    public void close() {
        closed = true;
        agent.end(new NoOp());
        if (!agent.isCurrent() && !agent.join(END)) {
            LOG.error("{} did not end within {} s", name, END.toSeconds());
        }
    }
}

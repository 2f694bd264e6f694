package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import io.manafold.gdma.driver.ChannelWorker;
import java.time.Duration;
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
        mistakes = new Mistakes(mistake -> LOG.error("{} failed; further failures of this kind are not logged", name, mistake));
        agent = Agent.ofControl(name, this);
        agent.start();
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
        agent.end(() -> { });
        if (!agent.isCurrent() && !agent.join(END)) {
            LOG.error("{} did not end within {} s", name, END.toSeconds());
        }
    }
}

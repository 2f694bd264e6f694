package io.manafold.rdma.internal.device;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be asked of the device when the thread that finds out must not wait. At most one command for each queue
 * pair.
 */
final class CommandQueue implements Agent.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandQueue.class);
    private static final Duration END = Duration.ofSeconds(2);

    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final Agent agent;
    private final Mistakes mistakes;
    private volatile boolean ended;

    CommandQueue(String name) {
        mistakes = new Mistakes(mistake -> LOG.error("{}: a command failed; further failures of this kind are not "
                + "logged", name, mistake));
        agent = Agent.ofControl(name, this);
        agent.start();
    }

    void send(Runnable command) {
        waiting.add(command);
        agent.wake();
    }

    @Override
    public int doWork() {
        Runnable next = ended ? null : waiting.poll();
        if (next == null) {
            return 0;
        }
        try {
            next.run();
        } catch (Refusal refused) {
            LOG.debug("{}: {}", agent.name(), refused.getMessage());
        }
        return 1;
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }

    @Override
    public void close() {
        ended = true;
        waiting.clear();
        agent.end(() -> { });
        if (!agent.isCurrent() && !agent.join(END)) {
            agent.interrupt();
            if (!agent.join(END)) {
                LOG.error("{} did not end within {} s", agent.name(), END.toSeconds());
            }
        }
    }
}

package io.manafold.adapter.internal.ethernet;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.agent.Mistakes;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the ports of an adapter that are plugged into nothing: what they send is lost, but completes. */
public final class UnpluggedPortAgent implements Agent.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnpluggedPortAgent.class);

    private final Agent agent;
    /** Touched by the agent alone. */
    private final List<Nothing> plugged = new ArrayList<>();
    private final Mistakes mistakes;

    /** @param name of the adapter */
    public UnpluggedPortAgent(String name) {
        mistakes = new Mistakes(mistake -> LOG.error("adapter {}: a port without a link failed in its work;"
                + " further failures of this kind are not logged", name, mistake));
        agent = new Agent("manafold-adapter-" + name + "-unplugged", this);
        agent.start();
    }

    Wire plug(Plug plug) {
        Nothing wire = new Nothing(plug);
        agent.execute(wire.lane, () -> plugged.add(wire));
        return wire;
    }

    @Override
    public int doWork() {
        int done = 0;
        for (int i = 0; i < plugged.size(); i++) {
            done += plugged.get(i).plug.doWork();
        }
        return done;
    }

    @Override
    public long restNanos() {
        long least = DutyCycle.UNTIL_WOKEN;
        for (int i = 0; i < plugged.size(); i++) {
            least = Math.min(least, plugged.get(i).plug.restNanos());
        }
        return least;
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }

    /** Ends it; ports are to be closed before. */
    @Override
    public void close() {
        agent.end(() -> { });
    }

    /** What a port is plugged into while it is plugged into nothing. */
    private final class Nothing implements Wire {
        private final Plug plug;
        private final Lane lane = new Lane();

        Nothing(Plug plug) {
            this.plug = plug;
        }

        @Override
        public void send(Frames frames) {
            // no link is there
        }

        @Override
        public void wake() {
            agent.wake();
        }

        @Override
        public void execute(Runnable command) {
            if (!agent.execute(lane, command)) {
                command.run();
            }
        }

        @Override
        public void close() {
            CountDownLatch over = new CountDownLatch(1);
            boolean first = agent.shut(lane, () -> {
                plugged.remove(this);
                over.countDown();
            });
            if (first && !agent.isCurrent()) {
                BoundedWait.until(over);
            }
        }
    }
}

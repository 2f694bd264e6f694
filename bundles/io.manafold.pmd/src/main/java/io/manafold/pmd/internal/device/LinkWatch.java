package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.LinkState;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks from time to time how the links of an environment's ports are, and tells what has changed. */
final class LinkWatch implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkWatch.class);
    private static final long EVERY_MILLIS = 100;

    private final PmdEnvironment environment;
    private final Map<EthDev, LinkState> known = new HashMap<>();
    private final Thread thread;

    LinkWatch(PmdEnvironment environment) {
        this.environment = environment;
        thread = Thread.ofPlatform().daemon().name("pmd-links-" + environment.prefix()).unstarted(this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (true) {
                look();
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            }
        } catch (InterruptedException _) {
            // the environment has ended
        }
    }

    /** A device that does not know its speed at the moment does not know its link. */
    private void look() {
        known.keySet().retainAll(environment.ports());
        for (EthDev port : environment.ports()) {
            PollDevice one = (PollDevice) port;
            try {
                LinkState now = one.link();
                if (one.is(PortState.HERE) && (!now.isUp() || now.speed() != 0)) {
                    changed(one, known.put(port, now), now);
                }
            } catch (RuntimeException wrong) {
                LOG.debug("The link of {} is not known", port.name(), wrong);
            }
        }
    }

    private void changed(PollDevice port, LinkState before, LinkState now) {
        if (before != null && !before.equals(now)) {
            environment.tell(port.say().event(EthDevEvent.Kind.INTR_LSC, now.isUp()
                    ? "has its link, at " + now.speed() + " Mbit/s." : "has lost its link."));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

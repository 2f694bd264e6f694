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
            try {
                LinkState now = port.link();
                switch (port) {
                    case PollDevice one when one.is(PortState.HERE) && (!now.isUp() || now.speed() != 0) ->
                            changed(one.say(), known.put(port, now), now);
                    // its speed is that of what comes and goes below it
                    case PairedDevice one when one.life().isHere() ->
                            changed(one.say(), known.put(port, new LinkState(now.isUp(), 0)),
                                    new LinkState(now.isUp(), 0));
                    default -> { }
                }
            } catch (RuntimeException wrong) {
                LOG.debug("The link of {} is not known", port.name(), wrong);
            }
        }
    }

    private void changed(PortSentences say, LinkState before, LinkState now) {
        if (before != null && !before.equals(now)) {
            String speed = now.speed() == 0 ? "." : ", at " + now.speed() + " Mbit/s.";
            environment.tell(say.event(EthDevEvent.Kind.INTR_LSC, now.isUp() ? "has its link" + speed
                    : "has lost its link."));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

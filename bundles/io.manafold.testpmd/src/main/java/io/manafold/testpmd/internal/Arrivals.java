package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done when ports go and come. The caller holds the run's lock. */
final class Arrivals {
    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);
    private static final int MOST_TOLD = 1024;

    private final LastingEnvironment environment;
    private final Ports ports;
    private final Forwarding forwarding;
    private final Settings settings;
    private final Queue<String> told = new LinkedBlockingQueue<>(MOST_TOLD);
    private boolean goesOn;

    Arrivals(LastingEnvironment environment, Ports ports, Forwarding forwarding, Settings settings) {
        this.environment = environment;
        this.ports = ports;
        this.forwarding = forwarding;
        this.settings = settings;
    }

    void happened(EthDevEvent event) {
        if (settings.printedEvents.has(event.kind())) {
            told.offer("Port %d: %s event: %s\n".formatted(event.port(), event.kind().label(), event.text()));
        }
        switch (event.kind()) {
            // a port that has come meanwhile may have the number of the one that has gone
            case INTR_RMV -> leaves(event.port(), this::hasGone);
            case RECOVERY_FAILED -> leaves(event.port(), _ -> true);
            case NEW -> comes(event.port());
            default -> { }
        }
    }

    /** Lines about what has happened since this was asked last. */
    String told() {
        List<String> lines = new ArrayList<>();
        for (String line = told.poll(); line != null; line = told.poll()) {
            lines.add(line);
        }
        return String.join("", lines);
    }

    private boolean hasGone(EthDev port) {
        return environment.now().ports().stream().noneMatch(one -> one == port);
    }

    private void leaves(int number, Predicate<EthDev> isMeant) {
        if (settings.looksAfterPorts) {
            ports.all().stream().filter(one -> one.number() == number && isMeant.test(one)).findFirst()
                    .ifPresent(port -> {
                        told.offer(close(port));
                        goOn();
                    });
        }
    }

    /** The program has a port no more, whatever cores and its device say of that; answers what is to be read. */
    private String close(EthDev port) {
        interrupt("port " + port.number() + " went");
        settings.gone(port);
        attempt(() -> ports.remove(port));
        return "Port %d is closed\nNow total ports is %d\n".formatted(port.number(), ports.all().size());
    }

    /** Forwarding ends until it can go on with the ports that are there. */
    private void interrupt(String what) {
        goesOn |= forwarding.isRunning();
        attempt(() -> forwarding.interrupt(what));
    }

    /** A step that the next ones follow whatever comes of it. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            told.offer(refused.getMessage() + "\n");
        } catch (RuntimeException wrong) {
            LOG.warn("A port that goes or comes has met a fault", wrong);
            told.offer("By a fault of this program (" + wrong + ") not all was done; 'log' has the details.\n");
        }
    }

    /** A line has taken a port, which is not started; answers what is to be read. */
    String attached(EthDev port) {
        String text = closeReplaced(port);
        if (!text.isEmpty()) {
            // without this one, as if the event had been faster
            goOn();
        }
        return text + add(port);
    }

    /** Closes ports that have gone, and whose number or name one has that comes before their event does. */
    private String closeReplaced(EthDev port) {
        return ports.replacedBy(port).stream().map(this::close).collect(Collectors.joining());
    }

    private String add(EthDev port) {
        ports.add(port);
        return "Port %d is attached. Now total ports is %d\n".formatted(port.number(), ports.all().size());
    }

    /**
     * Has an environment of the driver that is there now, if that has taken the place of another one. Returns whether
     * it is another one; ports of the one before are closed then.
     */
    boolean renew() {
        if (!environment.renew()) {
            return false;
        }
        ports.all().forEach(port -> told.offer(close(port)));
        return true;
    }

    /** Ports of the driver that is there now come in the place of those that went with the one before. */
    void comeBack() {
        try {
            if (renew()) {
                environment.now().ports().forEach(port -> comes(port.number()));
            }
        } catch (Refusal refused) {
            told.offer(refused.getMessage() + "\n");
        }
    }

    private void comes(int number) {
        EthDev port = environment.now().ports().stream().filter(one -> one.number() == number).findFirst().orElse(null);
        if (port == null || !settings.hotPlug || ports.has(port) || !port.owner().isEmpty()) {
            return;
        }
        interrupt("port " + number + " came");
        told.offer(closeReplaced(port) + add(port));
        attempt(() -> told.offer(ports.start(List.of(port))));
        goOn();
    }

    /** Forwarding goes on with the ports that have started, as soon as there are any: no port keeps others from it. */
    private void goOn() {
        List<EthDev> chosen = ports.forwarding();
        List<EthDev> started = chosen.stream().filter(EthDev::isStarted).toList();
        if (!goesOn || started.isEmpty()) {
            return;
        }
        try {
            forwarding.goOn(started);
            goesOn = false;
            told.offer("Packets are forwarded again, by " + started.size() + " ports.\n");
            chosen.stream().filter(port -> !started.contains(port)).forEach(port -> told.offer("Port " + port.number()
                    + " is left out, since it has not started: 'port start " + port.number()
                    + "', then 'stop' and 'start' have it forward, too.\n"));
        } catch (Refusal refused) {
            told.offer(refused.getMessage() + "\n");
        }
    }

    /** A line has stopped or started forwarding. */
    void forget() {
        goesOn = false;
    }
}

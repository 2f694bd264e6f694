package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/** What is done when ports go and come. The caller holds the run's lock. */
final class Arrivals {
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
            case INTR_RMV, RECOVERY_FAILED -> leaves(event.port());
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

    private void leaves(int number) {
        if (settings.looksAfterPorts) {
            ports.all().stream().filter(one -> one.number() == number).findFirst().ifPresent(this::leaves);
        }
    }

    private void leaves(EthDev port) {
        boolean ran = forwarding.isRunning();
        forwarding.stop();
        settings.gone(port);
        ports.remove(port);
        goesOn |= ran;
        told.offer("Port %d is closed\nNow total ports is %d\n".formatted(port.number(), ports.all().size()));
        goOn();
    }

    /**
     * Has an environment of the driver that is there now, if that has taken the place of another one. Returns whether
     * it is another one; ports of the one before are closed then.
     */
    boolean renew() {
        if (!environment.renew()) {
            return false;
        }
        ports.all().forEach(this::leaves);
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
        if (port == null || !settings.hotPlug || ports.has(number) || !port.owner().isEmpty()) {
            return;
        }
        boolean ran = forwarding.isRunning();
        forwarding.stop();
        ports.add(port);
        told.offer("Port %d is attached. Now total ports is %d\n".formatted(number, ports.all().size()));
        try {
            told.offer(ports.start(List.of(port)));
        } catch (Refusal refused) {
            told.offer(refused.getMessage() + "\n");
        }
        goesOn |= ran;
        goOn();
    }

    /** Forwarding goes on with the ports that are there, as soon as there are any and all of them have started. */
    private void goOn() {
        List<EthDev> chosen = ports.forwarding();
        if (!goesOn || chosen.isEmpty() || !chosen.stream().allMatch(EthDev::isStarted)) {
            return;
        }
        try {
            forwarding.goOn();
            goesOn = false;
            told.offer("Packets are forwarded again, by " + chosen.size() + " ports.\n");
        } catch (Refusal refused) {
            told.offer(refused.getMessage() + "\n");
        }
    }

    /** A line has stopped or started forwarding. */
    void forget() {
        goesOn = false;
    }
}

package io.manafold.commands.sock.internal;

import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Sockets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The ways of one transport that are compared: the classic socket, then one knob more each time, then as the transport
 * does it best.
 */
final class ComparisonSteps {
    static final String CLASSIC = "classic";
    /** Those that rarely pay on one machine come last, so that the others are seen without them. */
    private static final List<String> STEPS = List.of("queues=ring", "gather=on", "receive=pool", "memory=registered",
            "accept=multishot", "nodelay=on", "send=zerocopy", "wait=spin", "wait=kernel");

    private final List<Step> rungs = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * One way.
     *
     * @param label for people: what is more than with the one before
     */
    record Step(Sockets sockets, String label, Knobs knobs) {
    }

    ComparisonSteps(Sockets sockets) {
        Set<String> offered = sockets.probe().stream().filter(KnobOffer::available).map(offer -> offer.knob().word()
                + "=" + offer.value())
                .collect(Collectors.toSet());
        List<String> words = new ArrayList<>();
        for (Knob knob : Knob.values()) {
            // what the transport cannot do without stays on, and is told of the knobs that were got
            words.add("prefer:" + knob.word() + "=" + knob.classic());
        }
        rungs.add(new Step(sockets, CLASSIC, Knobs.parse(words)));
        for (String step : STEPS) {
            if (!offered.contains(step)) {
                leftOut.add(step);
            } else {
                words.add(step);
                rungs.add(new Step(sockets, "+ " + step, Knobs.parse(words)));
            }
        }
        rungs.add(new Step(sockets, "as it comes", Knobs.USUAL));
    }

    List<Step> rungs() {
        return rungs;
    }

    /** What the transport cannot do here. */
    List<String> leftOut() {
        return leftOut;
    }
}

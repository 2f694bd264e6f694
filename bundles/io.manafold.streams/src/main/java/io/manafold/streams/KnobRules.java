package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import java.util.ArrayList;
import java.util.List;

/** What knobs become of what is asked, of what a transport can do, and of the queues that an endpoint is of. */
final class KnobRules {
    private final Transport transport;

    KnobRules(Transport transport) {
        this.transport = transport;
    }

    /** Those of queues. */
    List<KnobState> ofQueues(Knobs asked) {
        List<KnobState> settled = new ArrayList<>();
        for (Knob knob : Knob.values()) {
            if (knob.ofQueues()) {
                settled.add(settle(asked, knob));
            }
        }
        return List.copyOf(settled);
    }

    /** All of an endpoint. */
    List<KnobState> ofEndpoint(Knobs asked, List<KnobState> queues) {
        List<KnobState> settled = new ArrayList<>();
        for (Knob knob : Knob.values()) {
            settled.add(knob.ofQueues() ? inherit(asked, find(queues, knob)) : settle(asked, knob));
        }
        return List.copyOf(settled);
    }

    static KnobState find(List<KnobState> states, Knob knob) {
        return states.stream().filter(state -> state.knob() == knob).findFirst().orElseThrow();
    }

    private static KnobState inherit(Knobs asked, KnobState ofQueues) {
        String wanted = asked.asked(ofQueues.knob());
        if (wanted != null && wanted.equals(ofQueues.asked()) && asked.isPreferred(ofQueues.knob())) {
            // with the reason that the queues have
            return ofQueues;
        }
        if (wanted == null || wanted.equals(ofQueues.got())) {
            return new KnobState(ofQueues.knob(), wanted == null ? ofQueues.asked() : wanted, ofQueues.got(),
                    ofQueues.why());
        }
        if (asked.isPreferred(ofQueues.knob())) {
            return new KnobState(ofQueues.knob(), wanted, ofQueues.got(), "its queues have it so");
        }
        throw new Refusal(Errno.EINVAL, "The knob " + ofQueues.knob().word() + " belongs to queues, and these have '"
                + ofQueues.got() + "', not '" + wanted + "'; ask it of the queues.");
    }

    private KnobState settle(Knobs asked, Knob knob) {
        String wanted = asked.asked(knob);
        if (wanted == null) {
            String usual = transport.usual(knob);
            return new KnobState(knob, null, usual, transport.offer(knob, usual).why());
        }
        KnobOffer offer = transport.offer(knob, wanted);
        if (offer.available()) {
            return new KnobState(knob, wanted, wanted, offer.why());
        }
        if (asked.isPreferred(knob)) {
            return new KnobState(knob, wanted, nextBest(knob, wanted), "not " + wanted + ": " + offer.why());
        }
        Errno errno = Errno.of(offer.errno());
        throw new Refusal(errno == null ? Errno.EOPNOTSUPP : errno, "The knob " + knob.word() + " cannot be '" + wanted
                + "' with the transport " + transport.name() + ": " + offer.why()
                + ". Prefer it instead of demanding it, or choose another value or transport.");
    }

    /** The value before the one that was wanted that can be had; the usual one of numbers. */
    private String nextBest(Knob knob, String wanted) {
        for (int i = knob.words().indexOf(wanted) - 1; i >= 0; i--) {
            String before = knob.words().get(i);
            if (transport.offer(knob, before).available()) {
                return before;
            }
        }
        return transport.usual(knob);
    }
}

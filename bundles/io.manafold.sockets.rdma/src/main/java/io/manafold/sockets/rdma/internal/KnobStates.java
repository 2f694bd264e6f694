package io.manafold.sockets.rdma.internal;

import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import java.util.List;

/** What was got of knobs. */
final class KnobStates {
    private KnobStates() {
    }

    static String got(List<KnobState> knobs, Knob knob) {
        return knobs.stream().filter(state -> state.knob() == knob).findFirst().orElseThrow().got();
    }

    static boolean is(List<KnobState> knobs, Knob knob, String value) {
        return got(knobs, knob).equals(value);
    }

    static int number(List<KnobState> knobs, Knob knob) {
        return Integer.parseInt(got(knobs, knob));
    }
}

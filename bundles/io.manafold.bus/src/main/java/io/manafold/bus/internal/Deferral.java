package io.manafold.bus.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** A probe that wants to be tried again. */
final class Deferral extends Refusal {
    private static final long serialVersionUID = 1L;

    private final String waitsFor;

    Deferral(String waitsFor, String sentence) {
        super(Errno.EPROBE_DEFER, sentence);
        this.waitsFor = waitsFor;
    }

    String waitsFor() {
        return waitsFor;
    }
}

package io.manafold.gdma.driver;

import io.manafold.api.device.Bar;

/** A register window as one session has it: what the session writes after its end does not reach the function. */
final class RegisterWindow {
    private final Bar bar;
    private volatile boolean ended;

    RegisterWindow(Bar bar) {
        this.bar = bar;
    }

    void write32(long offset, int value) {
        if (!ended) {
            bar.write32(offset, value);
        }
    }

    void write64(long offset, long value) {
        if (!ended) {
            bar.write64(offset, value);
        }
    }

    /** The function is another session's from here on. */
    void end() {
        ended = true;
    }
}

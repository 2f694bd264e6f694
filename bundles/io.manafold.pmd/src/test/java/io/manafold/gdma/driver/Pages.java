package io.manafold.gdma.driver;

import io.manafold.api.device.Bar;

/** Doorbell pages of a register window that is a test's. */
public final class Pages {
    private Pages() {
    }

    public static DoorbellPage of(Bar bar) {
        return new DoorbellPage(bar, 0, 1, null);
    }
}

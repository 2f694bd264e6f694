package io.manafold.testkit;

import io.manafold.api.device.Bar;

/** A register window of a test's own function: 64 bit wide, and read exactly as often as the driver reads. */
public abstract class PlainBar implements Bar {
    @Override
    public final boolean is64Bit() {
        return true;
    }

    @Override
    public final boolean isPrefetchable() {
        return false;
    }
}

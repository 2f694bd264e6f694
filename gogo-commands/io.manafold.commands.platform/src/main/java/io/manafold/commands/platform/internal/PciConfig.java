package io.manafold.commands.platform.internal;

import io.manafold.api.device.PciFunction;

/** A function's configuration space as it is safe to read: beyond its end there are only ones. */
record PciConfig(PciFunction function, int size) {
    private static final int LARGEST = 4096;

    PciConfig(PciFunction function) {
        this(function, Math.clamp(function.configSize(), 0, LARGEST));
    }

    int read8(int offset) {
        return read(offset, 1) & 0xff;
    }

    int read16(int offset) {
        return read(offset, 2) & 0xffff;
    }

    int read32(int offset) {
        return read(offset, 4);
    }

    private int read(int offset, int width) {
        return offset < 0 || offset + width > size ? -1 : function.readConfig(offset, width);
    }
}

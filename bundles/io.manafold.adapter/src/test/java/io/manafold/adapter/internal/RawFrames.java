package io.manafold.adapter.internal;

import io.manafold.api.net.MacAddress;

/** Frames of a type that no stack knows. */
final class RawFrames {
    private RawFrames() {
    }

    static byte[] between(MacAddress to, MacAddress from, int length) {
        byte[] frame = new byte[length];
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (to.value() >>> 40 - 8 * i);
            frame[6 + i] = (byte) (from.value() >>> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }
}

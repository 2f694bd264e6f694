package io.manafold.image.internal;

import java.util.Random;

/** Inputs of strangers. */
final class Hostile {
    static final int INPUTS = Integer.getInteger("manafold.image.inputs");
    private static final byte[] WORST = {0, -1, 0x7f, (byte) 0x80, 1, '/', '.', '9'};

    private Hostile() {
    }

    /** Changes up to eight bytes, often one after the other and to values that numbers overflow at. */
    static void damage(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        for (int i = random.nextInt(8); i >= 0; i--) {
            bytes[at] = random.nextBoolean() ? WORST[random.nextInt(WORST.length)] : (byte) random.nextInt();
            at = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : (at + 1) % bytes.length;
        }
    }
}

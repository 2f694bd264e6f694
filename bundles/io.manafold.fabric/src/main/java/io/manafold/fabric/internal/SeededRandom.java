package io.manafold.fabric.internal;

/**
 * Random numbers that depend on nothing but a seed and a place: what happens to the frames of one port does not depend
 * on when those of another come.
 */
final class SeededRandom {
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;
    private static final double ONE = 0x1p53;

    private long state;

    void start(long seed, int place) {
        state = mix(seed + GOLDEN) ^ mix((place + 1) * GOLDEN);
    }

    /** Whether something that happens in so many percent of the cases happens now. */
    boolean happens(double percent) {
        state += GOLDEN;
        return (mix(state) >>> 11) / ONE * 100 < percent;
    }

    /** A number from 0 to below a bound. */
    int below(int bound) {
        state += GOLDEN;
        return (int) ((mix(state) >>> 33) % bound);
    }

    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}

package io.manafold.api.fabric;

/**
 * What a link does to frames.
 *
 * @param loss percent of the frames that are lost
 * @param duplicate percent of the frames that arrive twice
 * @param reorder percent of the frames that arrive after their successor
 * @param delayNanos how much later every frame arrives
 * @param seed start of the random numbers: the same seed, the same frames
 */
public record Impairments(double loss, double duplicate, double reorder, long delayNanos, long seed) {
    public static final Impairments NONE = new Impairments(0, 0, 0, 0, 1);

    public Impairments {
        share("loss", loss);
        share("duplicate", duplicate);
        share("reorder", reorder);
        if (delayNanos < 0 || delayNanos > 10_000_000_000L) {
            throw new IllegalArgumentException("delay is between 0 and 10s, not " + delayNanos + " ns");
        }
    }

    private static void share(String what, double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException(what + " is between 0% and 100%, not " + percent + "%");
        }
    }

    /** Whether frames pass as they are. */
    public boolean isNone() {
        return loss == 0 && duplicate == 0 && reorder == 0 && delayNanos == 0;
    }
}

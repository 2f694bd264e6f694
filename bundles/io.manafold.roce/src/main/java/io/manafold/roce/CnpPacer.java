package io.manafold.roce;

/** When a receiver may tell of congestion again: the notification point of DCQCN, for one flow. */
public final class CnpPacer {
    private long spacing;
    private boolean told;
    private long last;

    public CnpPacer(long spacingNanos) {
        spacing = spacingNanos;
    }

    /** From now on. */
    public void spacing(long nanos) {
        spacing = nanos;
    }

    /** A packet with the mark of congestion has come: whether the sender is to be told now. */
    public boolean isDue(long now) {
        if (told && now - last < spacing) {
            return false;
        }
        told = true;
        last = now;
        return true;
    }
}

package io.manafold.roce;

/** To be filled. */
public final class CnpPacer {

    public CnpPacer(long spacingNanos) {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isDue(long now) {
        throw new UnsupportedOperationException("not yet");
    }
}

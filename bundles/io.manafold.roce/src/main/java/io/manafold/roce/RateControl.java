package io.manafold.roce;

/** To be filled. */
public final class RateControl {
    public long congested;
    public long recovered;
    public long increases;

    public RateControl(DcqcnSettings settings) {
        throw new UnsupportedOperationException("not yet");
    }

    public void settings(DcqcnSettings now) {
        throw new UnsupportedOperationException("not yet");
    }

    public void start(long bitsPerSecond) {
        throw new UnsupportedOperationException("not yet");
    }

    public void congested(long now) {
        throw new UnsupportedOperationException("not yet");
    }

    public void sent(long now, int bytes) {
        throw new UnsupportedOperationException("not yet");
    }

    public long holdUntil(long now) {
        throw new UnsupportedOperationException("not yet");
    }

    public long currentRate() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isLimited() {
        throw new UnsupportedOperationException("not yet");
    }
}

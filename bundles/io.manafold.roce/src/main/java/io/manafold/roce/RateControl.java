package io.manafold.roce;

/**
 * How fast one queue pair may send: the reaction point of DCQCN. There is no limit until the first notification of
 * congestion; each lowers the rate by a half of how much congestion there was lately (alpha), and time and bytes
 * sent raise it again, first back to where it was, then beyond, until it is that of the line and the limit goes.
 *
 * <p>Rates are in bits a second. For one thread; the time is passed in.
 */
public final class RateControl {
    private static final double NANOS = 1e9;
    private static final long MICROS = 1000;
    private static final double MEGABIT = 1e6;
    /** The line from which on steps have their full height. */
    private static final double FULL_STEPS = 25e9;
    private static final int BYTE_UNIT = 64;
    private static final double FULL_ALPHA = 1023;
    private static final double FULL_GAIN = 1024;
    private static final double PERCENT = 100;
    /** Steps that are made up for in one call, after a silence. */
    private static final int MOST_STEPS = 64;
    /** What a sender may be ahead, so that it is asked once for a few packets. */
    private static final long AHEAD_NANOS = 10_000;

    /** Limits that came into being. */
    public long congested;
    /** Limits that went. */
    public long recovered;
    /** Steps up. */
    public long increases;

    private DcqcnSettings settings;
    private double lineRate;
    private boolean limited;
    private double rate;
    private double target;
    private double alpha;
    private long alphaAt;
    private long increaseAt;
    private long reducedAt;
    private long bytes;
    private int timerSteps;
    private int byteSteps;
    /** Steps since both, timer and bytes, are past the threshold. */
    private int hyperSteps;
    private long freeAt;

    public RateControl(DcqcnSettings settings) {
        this.settings = settings;
    }

    /** From now on; a limit that is there goes on from where it is. */
    public void settings(DcqcnSettings changed) {
        settings = changed;
    }

    /** Begins without a limit, on a line of this rate. Counters stay. */
    public void start(long bitsPerSecond) {
        lineRate = bitsPerSecond;
        limited = false;
        rate = lineRate;
        target = lineRate;
    }

    private int get(DcqcnParameter parameter) {
        return settings.get(parameter);
    }

    private long micros(DcqcnParameter parameter) {
        return get(parameter) * MICROS;
    }

    /** The receiver has told of congestion. */
    public void congested(long now) {
        if (!limited) {
            limited = true;
            congested++;
            rate = lineRate;
            target = lineRate;
            alpha = get(DcqcnParameter.INITIAL_ALPHA) / FULL_ALPHA;
            freeAt = now;
        } else {
            advance(now);
            if (now - reducedAt < micros(DcqcnParameter.REDUCE_PERIOD)) {
                return;
            }
            boolean clamped = get(DcqcnParameter.CLAMP_TARGET) != 0
                    || get(DcqcnParameter.CLAMP_AFTER_TIME) != 0 && timerSteps > 0;
            if (clamped || byteSteps > 0) {
                target = rate;
            }
        }
        double least = Math.max(rate * get(DcqcnParameter.MIN_DEC_FAC) / PERCENT, leastRate());
        rate = Math.max(rate * (1 - alpha / 2), Math.min(rate, least));
        double kept = get(DcqcnParameter.ALPHA_GAIN) / FULL_GAIN;
        alpha = kept * alpha + 1 - kept;
        reducedAt = now;
        alphaAt = now;
        increaseAt = now;
        bytes = 0;
        timerSteps = 0;
        byteSteps = 0;
        hyperSteps = 0;
    }

    private double leastRate() {
        return Math.min(get(DcqcnParameter.MIN_RATE) * MEGABIT, lineRate);
    }

    private void advance(long now) {
        if (limited) {
            decay(now);
            raiseByTime(now);
        }
    }

    private void decay(long now) {
        long period = micros(DcqcnParameter.ALPHA_PERIOD);
        long periods = (now - alphaAt) / period;
        if (periods > 0) {
            alpha *= Math.pow(get(DcqcnParameter.ALPHA_GAIN) / FULL_GAIN, periods);
            alphaAt += periods * period;
        }
    }

    private void raiseByTime(long now) {
        long period = micros(DcqcnParameter.TIME_RESET);
        for (int steps = 0; limited && steps < MOST_STEPS && now - increaseAt >= period; steps++) {
            increaseAt += period;
            timerSteps++;
            raise();
        }
    }

    private void raise() {
        increases++;
        int threshold = get(DcqcnParameter.THRESHOLD);
        if (Math.min(timerSteps, byteSteps) > threshold) {
            hyperSteps++;
            target += hyperSteps * step(DcqcnParameter.HAI_RATE);
        } else if (Math.max(timerSteps, byteSteps) >= threshold) {
            target += step(DcqcnParameter.AI_RATE);
        }
        target = Math.min(target, lineRate);
        rate = (target + rate) / 2;
        // halves of a difference never end
        if (rate >= lineRate - MEGABIT / 2) {
            rate = lineRate;
            limited = false;
            recovered++;
        }
    }

    /** On a slow line the same step would be most of the rate, and the queue never short. */
    private double step(DcqcnParameter parameter) {
        return get(parameter) * MEGABIT * Math.min(1, lineRate / FULL_STEPS);
    }

    /** So many bytes of frames have left. */
    public void sent(long now, int frameBytes) {
        if (!limited) {
            return;
        }
        freeAt = Math.max(freeAt, now - AHEAD_NANOS) + (long) (frameBytes * 8 * NANOS / rate);
        long reset = (long) get(DcqcnParameter.BYTE_RESET) * BYTE_UNIT;
        bytes += frameBytes;
        while (limited && bytes >= reset) {
            bytes -= reset;
            byteSteps++;
            raise();
        }
    }

    /** When the next packet may leave; {@link Long#MIN_VALUE} if there is no limit. */
    public long holdUntil(long now) {
        advance(now);
        return limited ? freeAt : Long.MIN_VALUE;
    }

    /** Bits a second; that of the line without a limit. */
    public long currentRate() {
        return (long) rate;
    }

    public boolean isLimited() {
        return limited;
    }
}

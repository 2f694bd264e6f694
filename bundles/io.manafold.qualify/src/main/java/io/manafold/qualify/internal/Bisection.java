package io.manafold.qualify.internal;

/**
 * Looks for the highest rate at which nothing is lost. Below the top a rate has to lose packets twice to be too high: a
 * machine that was busy otherwise for a moment says nothing of it.
 */
final class Bisection {
    /** Trials after the first at most; what is found is then within a 64th of the top. */
    private static final int STEPS = 6;
    private static final double CLOSE = 0.98;

    private Bisection() {
    }

    /** Sends packets for a while. */
    @FunctionalInterface
    interface Trials {
        /** @param rate packets in a second, 0 for as many as go */
        Outcome send(long rate) throws InterruptedException;
    }

    /**
     * What became of packets.
     *
     * @param rate packets in a second that were sent
     * @param arrived packets in a second that arrived
     * @param lost share of them that did not arrive, from 0 to 1
     */
    record Outcome(double rate, double arrived, double lost) {
        boolean isClean() {
            return lost == 0;
        }
    }

    /**
     * What was found.
     *
     * @param rate at which nothing was lost; 0 if something was lost at every one
     * @param lost share of packets that was lost at the lowest rate that was tried, if at every one; else 0
     * @param full packets in a second that arrived when as many were sent as go
     */
    record Found(double rate, double lost, double full) {
    }

    static Found search(Trials trials) throws InterruptedException {
        Outcome first = trials.send(0);
        if (first.isClean()) {
            return new Found(first.rate(), 0, first.arrived());
        }
        double good = 0;
        double bad = first.rate();
        double lost = first.lost();
        for (int step = 0; step < STEPS && good < bad * CLOSE; step++) {
            double middle = (good + bad) / 2;
            long rate = Math.max(1, Math.round(middle));
            Outcome outcome = trials.send(rate);
            if (!outcome.isClean()) {
                outcome = trials.send(rate);
            }
            if (outcome.isClean()) {
                // a sender that is behind the rate has shown no more than what it has sent
                good = Math.max(good, Math.min(outcome.rate(), middle));
                bad = Math.max(good, bad);
                if (outcome.rate() < middle * CLOSE) {
                    break;
                }
            } else {
                bad = middle;
                lost = outcome.lost();
            }
        }
        return new Found(good, good > 0 ? 0 : lost, first.arrived());
    }
}

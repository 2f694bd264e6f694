package io.manafold.roce;

/** How long a requester waits, for acknowledgements and for receivers that are not ready, and how often. */
final class RetryTimers {
    private int retries;
    private int rnrRetries;
    private long timeout;
    private int retriesLeft;
    private int rnrLeft;
    private boolean timed;
    private long timer;
    private boolean waiting;
    private long waitingUntil;

    void start(int retries, int rnrRetries, long timeout) {
        this.retries = retries;
        this.rnrRetries = rnrRetries;
        this.timeout = timeout;
        stop();
        renew();
    }

    /** Waits for nothing. */
    void stop() {
        timed = false;
        waiting = false;
    }

    /** Something has been acknowledged: all retries are there again, and no receiver is waited for. */
    void renew() {
        retriesLeft = retries;
        rnrLeft = rnrRetries;
        waiting = false;
    }

    boolean isTimed() {
        return timed;
    }

    void restartTimer(long now) {
        timed = timeout != 0;
        timer = now + timeout;
    }

    void stopTimer() {
        timed = false;
    }

    boolean isTimeOut(long now) {
        return timed && now - timer >= 0;
    }

    /** Whether all may be sent once more. */
    boolean retry() {
        return retriesLeft-- > 0;
    }

    /** Whether a receiver may be asked once more, then after this time. */
    boolean waitForReceiver(long now, long nanos) {
        if (rnrRetries != Requester.FOR_EVER && rnrLeft-- == 0) {
            return false;
        }
        waiting = true;
        waitingUntil = now + nanos;
        return true;
    }

    boolean isWaiting(long now) {
        if (waiting && now - waitingUntil >= 0) {
            waiting = false;
        }
        return waiting;
    }

    long deadline() {
        if (waiting) {
            return waitingUntil;
        }
        return timed ? timer : Long.MAX_VALUE;
    }
}

package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.GenerateTestEvent;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Waits for the test event of one event queue. One test at a time. */
final class EventTest {
    private final Semaphore events = new Semaphore(0);

    void arrived() {
        events.release();
    }

    GenerateTestEvent of(int eventQueue) {
        return new GenerateTestEvent(eventQueue);
    }

    synchronized void run(long millis, Runnable ask) {
        events.drainPermits();
        ask.run();
        try {
            if (!events.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                throw new Refusal(Errno.ETIMEDOUT, "The test event did not come within " + millis
                        + " ms; interrupts or the event queue do not work.");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "The wait for the test event was interrupted.");
        }
    }
}

package io.manafold.gdma.driver;

import io.manafold.api.device.Bar;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Doorbell;

/**
 * A page of the register window on which the queues of one user are rung: a client of the function has one with its
 * registration, and takes more for others whom it gives queues of their own. A device knows by the page who rings.
 */
public final class DoorbellPage implements AutoCloseable {
    private final RegisterWindow window;
    private final long at;
    private final int number;
    /** Gives it back; {@code null} if that is not for its user to do. */
    private Runnable giveBack;

    DoorbellPage(RegisterWindow window, long at, int number, Runnable giveBack) {
        this.window = window;
        this.at = at;
        this.number = number;
        this.giveBack = giveBack;
    }

    /** A page of registers that are no device's, such as those of a dry run. It cannot be given back. */
    public static DoorbellPage of(Bar registers) {
        return new DoorbellPage(new RegisterWindow(registers), 0, 1, null);
    }

    public int number() {
        return number;
    }

    /**
     * Rings: the device sees everything that was written before.
     *
     * @param slot which kind of queue, of {@link Doorbell}, which makes the word, too
     */
    public void ring(int slot, long word) {
        window.write64(at + slot, word);
    }

    /**
     * Gives the page back, after all queues that are rung on it have ended.
     *
     * @throws Refusal {@code EINVAL} if that has been done or is not to be done, or what the device says
     */
    @Override
    public void close() {
        Runnable last;
        synchronized (this) {
            if (giveBack == null) {
                throw new Refusal(Errno.EINVAL, "Doorbell page " + number + " cannot be given back: it belongs to a"
                        + " registration, or has been given back already.");
            }
            last = giveBack;
            giveBack = null;
        }
        last.run();
    }
}

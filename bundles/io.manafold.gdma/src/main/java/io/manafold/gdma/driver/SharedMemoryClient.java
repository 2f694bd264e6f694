package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.SharedMemory;
import java.util.concurrent.locks.LockSupport;

/** Has a hardware channel set up and torn down through the shared-memory channel. The answer is waited for. */
final class SharedMemoryClient {
    private static final int HEADER_WORD = SharedMemory.WORDS - 1;
    private static final long FIRST_PAUSE = 20_000;
    private static final long LONGEST_PAUSE = 2_000_000;

    /** What a bus answers for a device that is not there. */
    private static final int GONE = -1;

    private final Registers registers;
    private final long limitNanos;

    SharedMemoryClient(Registers registers, long limitNanos) {
        this.registers = registers;
        this.limitNanos = limitNanos;
    }

    void establish(SharedMemory.Establish establish) {
        awaitTurn("establish");
        int[] words = establish.encode();
        for (int word = 0; word < words.length; word++) {
            registers.writeAperture(word, words[word]);
        }
        check("establish", SharedMemory.ESTABLISH);
    }

    void destroy() {
        awaitTurn("destroy");
        registers.writeAperture(HEADER_WORD, SharedMemory.request(SharedMemory.DESTROY));
        check("destroy", SharedMemory.DESTROY);
    }

    private void check(String what, int type) {
        int header = awaitTurn(what);
        if (SharedMemory.type(header) != type || SharedMemory.version(header) != 0
                || !SharedMemory.isResponse(header) || SharedMemory.status(header) != SharedMemory.STATUS_OK) {
            throw new Refusal(Errno.EPROTO, "The device answered the request to " + what
                    + " the hardware channel with 0x" + Integer.toHexString(header) + ", which is no success.");
        }
    }

    /** Waits by looking: there is no interrupt for this. */
    private int awaitTurn(String what) {
        long start = System.nanoTime();
        long pause = FIRST_PAUSE;
        while (true) {
            int header = registers.readAperture(HEADER_WORD);
            if (header == GONE) {
                throw new Refusal(Errno.ENODEV, "The request to " + what + " the hardware channel reaches no adapter: "
                        + "the registers read as all ones, so the device is gone.");
            }
            if (!SharedMemory.deviceOwns(header)) {
                return header;
            }
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new Refusal(Errno.EINTR, "The wait to " + what + " the hardware channel was interrupted.");
            }
            if (System.nanoTime() - start > limitNanos) {
                throw new Refusal(Errno.ETIMEDOUT, "The device did not answer the request to " + what
                        + " the hardware channel; it may be gone.");
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }
}

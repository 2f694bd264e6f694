package io.manafold.adapter.internal;

import io.manafold.gdma.SharedMemory;

/** The eight words through which a driver has its hardware channel set up, and whose turn it is with them. */
final class Aperture {
    private final int[] words = new int[SharedMemory.WORDS];
    private boolean asked;

    synchronized int read(int word) {
        return words[word];
    }

    /**
     * Writes a word; none while it is the adapter's turn.
     *
     * @return whether the adapter now has something to do
     */
    synchronized boolean write(int word, int value) {
        if (isBusy()) {
            return false;
        }
        words[word] = value;
        if (word == SharedMemory.HEADER / 4) {
            words[word] |= SharedMemory.DEVICE_OWNS;
            asked = true;
            return true;
        }
        return false;
    }

    synchronized boolean isBusy() {
        return SharedMemory.deviceOwns(words[SharedMemory.HEADER / 4]);
    }

    /** What is asked, once for each time of asking; {@code null} if nothing is. */
    synchronized int[] request() {
        if (!asked) {
            return null;
        }
        asked = false;
        return words.clone();
    }

    /** Hands the turn back to the driver. */
    synchronized void answer(int header) {
        words[SharedMemory.HEADER / 4] = header & ~SharedMemory.DEVICE_OWNS;
    }

    /** As after power-on; a request that was not taken yet is gone. */
    synchronized void reset() {
        java.util.Arrays.fill(words, 0);
        asked = false;
    }
}

package io.manafold.ethernet.internal.function;

import io.manafold.api.device.PciAddress;
import java.time.Duration;
import java.util.TreeSet;

/**
 * Functions that are brought up at the same time name their devices one after the other, in the order of their
 * addresses.
 */
final class NamingOrder {
    /** A function that does not answer holds the names of others up no longer than this. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final TreeSet<PciAddress> coming = new TreeSet<>();

    /** A function is being brought up. */
    synchronized void begin(PciAddress address) {
        coming.add(address);
    }

    /** Returns when all functions that are being brought up and come before this one have their names. */
    synchronized void await(PciAddress address) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (coming.lower(address) != null && System.nanoTime() < deadline) {
                wait(Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis()));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** A function has its names, or will never have any. */
    synchronized void end(PciAddress address) {
        coming.remove(address);
        notifyAll();
    }
}

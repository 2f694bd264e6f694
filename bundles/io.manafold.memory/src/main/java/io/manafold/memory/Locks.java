package io.manafold.memory;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the locks of all rooms. With {@code -Dmanafold.locks=check} each notes which locks its thread holds already,
 * and two that are taken in both orders are named; without, they are plain locks and cost nothing more.
 */
public final class Locks {
    private static final boolean CHECKED = "check".equals(System.getProperty("manafold.locks"));
    private static final LockOrder ORDER = new LockOrder();

    private Locks() {
    }

    /** @param name what it guards; all locks of one name are one in the order, as long as they are not nested */
    public static ReentrantLock named(String name) {
        return CHECKED ? new CheckedLock(name, ORDER) : new ReentrantLock();
    }

    /** Whether the order is checked. */
    public static boolean areChecked() {
        return CHECKED;
    }

    /** The pairs that were taken in both orders, a text with threads and stacks for each. */
    public static List<String> inversions() {
        return ORDER.inversions();
    }
}

package io.manafold.memory;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the locks of all rooms. With {@code -Dmanafold.locks=check} each notes which locks its thread holds already,
 * and two that are taken in both orders are named; with {@code -Dmanafold.locks=halt} the process ends then, so that no
 * test passes in it. Without, they are plain locks and cost nothing more.
 */
public final class Locks {
    private static final String MODE = System.getProperty("manafold.locks", "");
    private static final boolean HALTS = "halt".equals(MODE);
    private static final boolean CHECKED = HALTS || "check".equals(MODE);
    private static final int HALTED = 70;
    private static final LockOrder ORDER = new LockOrder(inversion -> {
        if (HALTS) {
            halt(inversion);
        }
    });

    private Locks() {
    }

    /** @param name what it guards; all locks of one name are one in the order, as long as they are not nested */
    public static ReentrantLock named(String name) {
        return CHECKED ? new CheckedLock(name, ORDER) : new ReentrantLock();
    }

    /** On the standard error as such: what collects the log may not come to write it. */
    private static void halt(String inversion) {
        System.err.println(inversion + "\nThe process ends here, for -Dmanafold.locks=halt says so.");
        System.err.flush();
        Runtime.getRuntime().halt(HALTED);
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

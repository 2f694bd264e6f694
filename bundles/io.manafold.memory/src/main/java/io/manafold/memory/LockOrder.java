package io.manafold.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which lock was taken while which other was held. A pair that comes in both orders is told once, with the threads and
 * stacks of both takings. Once an order is known, taking locks in it again allocates nothing.
 */
final class LockOrder {
    private static final Logger LOG = LoggerFactory.getLogger(LockOrder.class);
    /** Orders and inversions that are remembered. */
    private static final int MOST = 4096;
    private static final int MOST_INVERSIONS = 64;
    private static final int STACK = 24;

    /** The locks that a thread holds, the first one first. */
    private final ThreadLocal<ArrayList<CheckedLock>> held = ThreadLocal.withInitial(ArrayList::new);
    /** What was taken while the key was held, and how for the first time: by name, or by lock for two of one name. */
    private final Map<String, Map<String, Taking>> orders = new HashMap<>();
    /** Devices come and go, and with them locks of the same few names. */
    private final Map<CheckedLock, Map<CheckedLock, Taking>> ofOneName = new WeakHashMap<>();
    private final List<String> inversions = new ArrayList<>();
    private final Consumer<String> listener;
    private int size;
    private boolean full;

    /** @param listener is told of each inversion once, by the thread that takes the second lock */
    LockOrder(Consumer<String> listener) {
        this.listener = listener;
    }

    /** A thread that held one lock and took another. */
    private record Taking(String first, String second, String thread, StackTraceElement[] stack) {
        @Override
        public String toString() {
            return "'" + first + "' before '" + second + "' by the thread " + thread + Stream.of(stack).limit(STACK)
                    .map(frame -> "\n    at " + frame).collect(Collectors.joining());
        }
    }

    /** The current thread is about to take a lock, and to wait for it if it must. */
    void taking(CheckedLock next) {
        ArrayList<CheckedLock> mine = held.get();
        for (int i = 0; i < mine.size(); i++) {
            after(mine.get(i), next);
        }
    }

    void taken(CheckedLock lock) {
        held.get().add(lock);
    }

    void given(CheckedLock lock) {
        held.get().remove(lock);
    }

    private void after(CheckedLock first, CheckedLock second) {
        String inversion = note(first, second);
        if (inversion != null) {
            LOG.error(inversion);
            listener.accept(inversion);
        }
    }

    /** What to tell if the order is new and the other one is known, else {@code null}. */
    private synchronized String note(CheckedLock first, CheckedLock second) {
        boolean oneName = first.name().equals(second.name());
        Taking before = oneName ? find(ofOneName, first, second) : find(orders, first.name(), second.name());
        if (before != null) {
            return null;
        }
        if (oneName && ofOneName.size() >= MOST) {
            // most of them are gone, if not yet collected
            ofOneName.clear();
        }
        if (!oneName && size >= MOST) {
            if (!full) {
                full = true;
                LOG.warn("The order of locks is not checked any more but for the {} pairs that are known", MOST);
            }
            return null;
        }
        Taking now = new Taking(first.name(), second.name(), Thread.currentThread().getName(),
                new Throwable().getStackTrace());
        Taking other;
        if (oneName) {
            ofOneName.computeIfAbsent(first, _ -> new WeakHashMap<>()).put(second, now);
            other = find(ofOneName, second, first);
        } else {
            size++;
            orders.computeIfAbsent(first.name(), _ -> new HashMap<>()).put(second.name(), now);
            other = find(orders, second.name(), first.name());
        }
        return other == null ? null : tell(other, now);
    }

    private static <T> Taking find(Map<T, Map<T, Taking>> all, T first, T second) {
        Map<T, Taking> seconds = all.get(first);
        return seconds == null ? null : seconds.get(second);
    }

    private String tell(Taking one, Taking other) {
        String sentence = "Two locks are taken in both orders, so that two threads can wait for each other for good: "
                + one + "\nand " + other + "\nTake them in one order, or give the first back before the second is "
                + "taken.";
        if (inversions.size() < MOST_INVERSIONS) {
            inversions.add(sentence);
        }
        return sentence;
    }

    synchronized List<String> inversions() {
        return List.copyOf(inversions);
    }
}

package io.manafold.gdma.driver;

import io.manafold.api.refusal.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a client has made and not ended: queues, domains, pages, keys. Any thread may call. */
final class OpenObjects {
    private final Deque<Opened> opened = new ArrayDeque<>();

    private record Opened(Object object, String kind, Runnable end) {
    }

    synchronized void add(Object object, String kind, Runnable end) {
        opened.push(new Opened(object, kind, end));
    }

    /** Whether it was there: what has ended does not end again. */
    synchronized boolean remove(Object object) {
        return opened.removeIf(one -> one.object == object);
    }

    /** How many of each kind there are. */
    synchronized SortedMap<String, Integer> count() {
        SortedMap<String, Integer> count = new TreeMap<>();
        opened.forEach(one -> count.merge(one.kind, 1, Integer::sum));
        return count;
    }

    /** Ends all of it, what was made last first. */
    void end() {
        for (Opened last = last(); last != null; last = last()) {
            try {
                last.end.run();
            } catch (Refusal _) {
                // the device may be gone, and with it all there was
            } finally {
                remove(last.object);
            }
        }
    }

    private synchronized Opened last() {
        return opened.peek();
    }
}

package io.manafold.ethernet.internal.port;

import io.manafold.api.device.SavedSettings;
import io.manafold.ethernet.internal.queue.PortConfig;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was set on one port: what is kept of it, and the keeping. Any thread may call: plans are followed while an
 * administrator sets something, and neither may undo what the other has noted.
 */
public final class KeptSettings {
    private final SavedSettings store;
    private final String subject;
    /** Held by the writing thread: one that notes a change under the port's lock does not wait for the disk. */
    private final Object writing = new Object();
    private volatile Map<String, String> kept;

    /** @param subject where the port's settings are kept */
    public KeptSettings(SavedSettings store, String subject) {
        this.store = store;
        this.subject = subject;
        kept = store.read(subject);
    }

    public Map<String, String> kept() {
        return kept;
    }

    /** Whether an administrator has set a thing. */
    public boolean has(String word) {
        return kept.containsKey(word);
    }

    /**
     * Notes a change; the port's lock keeps changes in order.
     *
     * @param stated what the lab's file says, by word: what is set as it says is not kept
     */
    synchronized void changed(PortConfig old, PortConfig now, Map<String, String> stated) {
        Map<String, String> after = KeptConfig.after(kept, old, now);
        for (Map.Entry<String, String> one : stated.entrySet()) {
            String word = one.getKey();
            String set = after.get(word);
            if (one.getValue().equals(set)) {
                after.remove(word);
                after.remove(SavedSettings.FILE + word);
            } else if (set != null && !set.equals(kept.get(word))) {
                after.put(SavedSettings.FILE + word, one.getValue());
            }
        }
        kept = after;
    }

    /** Forgets what was set when the lab's file said something else; answers whether there was such a thing. */
    public synchronized boolean follow(Map<String, String> stated) {
        Map<String, String> after = new TreeMap<>(kept);
        for (Map.Entry<String, String> one : stated.entrySet()) {
            String before = after.get(SavedSettings.FILE + one.getKey());
            if (before != null && !before.equals(one.getValue())) {
                after.remove(one.getKey());
                after.remove(SavedSettings.FILE + one.getKey());
            }
        }
        boolean different = after.size() < kept.size();
        if (different) {
            kept = after;
        }
        return different;
    }

    /** Notes a word that the driver chose and that shall stay. */
    public synchronized void note(String word, String value) {
        Map<String, String> more = new TreeMap<>(kept);
        more.put(word, value);
        more.put(SavedSettings.DRIVER + word, value);
        kept = more;
    }

    /** Forgets a word that the device refuses. */
    public synchronized void drop(String word) {
        Map<String, String> less = new TreeMap<>(kept);
        less.remove(word);
        less.remove(SavedSettings.FILE + word);
        less.remove(SavedSettings.DRIVER + word);
        kept = less;
    }

    /**
     * Has what was noted last be on disk. One at a time, so that what is written last is what was noted last.
     *
     * @throws io.manafold.api.refusal.NotKept if that cannot be now
     */
    public void keep() {
        synchronized (writing) {
            store.write(subject, kept);
        }
    }
}

package io.manafold.ethernet.internal;

import io.manafold.api.device.SavedSettings;
import java.util.Map;
import java.util.TreeMap;

/** What was set on one port: what is kept of it, and the keeping. Any thread may call. */
final class KeptSettings {
    private final SavedSettings store;
    private final String subject;
    private volatile Map<String, String> kept;

    /** @param subject where the port is: {@code 7870:00:00.0/1} */
    KeptSettings(SavedSettings store, String subject) {
        this.store = store;
        this.subject = subject;
        kept = store.read(subject);
    }

    Map<String, String> kept() {
        return kept;
    }

    /** Whether somebody has set a thing. */
    boolean has(String word) {
        return kept.containsKey(word);
    }

    /** Notes a change; the port's lock keeps changes in order. */
    void changed(PortConfig old, PortConfig now) {
        kept = KeptConfig.after(kept, old, now);
    }

    /** Notes a word that nobody has set and that shall stay all the same. */
    void note(String word, String value) {
        Map<String, String> more = new TreeMap<>(kept);
        more.put(word, value);
        kept = more;
    }

    /**
     * Has what was noted last be on disk. One at a time, so that what is written last is what was noted last.
     *
     * @throws io.manafold.api.refusal.NotKept if that cannot be now
     */
    synchronized void keep() {
        store.write(subject, kept);
    }
}

package io.manafold.netshaper.internal.tree;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of a device's shapers for its return: what an administrator has set, also if it cannot be carried out
 * just now. What a plan says is not kept, unless an administrator has changed it or taken it away. All but
 * {@link #write} is by the device's lock.
 */
final class Keeping {
    private static final Logger LOG = LoggerFactory.getLogger(Keeping.class);
    private static final String TAKEN_AWAY = "none";

    private final String device;
    private final String subject;
    private final SavedSettings settings;
    private final Map<ShaperHandle, Shaper> pending = new TreeMap<>();
    private final Map<ShaperHandle, Shaper> planned = new TreeMap<>();
    private final TreeSet<ShaperHandle> takenAway = new TreeSet<>();
    /** What an administrator had set before a plan came that says something of it, be it the same. */
    private final TreeSet<ShaperHandle> before = new TreeSet<>();
    /** What plans said of what was changed, when it was. */
    private final Map<ShaperHandle, String> stated = new TreeMap<>();
    private boolean changed;
    private volatile Map<String, String> words;
    private boolean ended;

    /** @param settings {@code null} to keep nothing */
    Keeping(String device, String subject, SavedSettings settings) {
        this.device = device;
        this.subject = subject;
        this.settings = settings;
    }

    /** What was kept before. */
    Collection<Shaper> read() {
        if (settings == null) {
            return List.of();
        }
        Map<String, String> kept = new TreeMap<>(settings.read(subject));
        kept.entrySet().removeIf(entry -> {
            boolean file = entry.getKey().startsWith(SavedSettings.FILE);
            if (file) {
                KeptShapers.handle(entry.getKey().substring(SavedSettings.FILE.length()))
                        .ifPresent(handle -> stated.put(handle, entry.getValue()));
            }
            return file;
        });
        kept.entrySet().removeIf(entry -> entry.getValue().equals(TAKEN_AWAY)
                && KeptShapers.handle(entry.getKey()).map(takenAway::add).isPresent());
        return KeptShapers.read(kept, word -> LOG.warn("{}: a shaper that was kept makes no sense: {}", device, word));
    }

    Map<ShaperHandle, Shaper> pending() {
        return new TreeMap<>(pending);
    }

    void pending(Collection<Shaper> waiting) {
        pending.clear();
        waiting.forEach(shaper -> pending.put(shaper.handle(), shaper));
        changed = true;
    }

    void waits(Shaper shaper) {
        pending.put(shaper.handle(), shaper);
        changed = true;
    }

    void recorded(ShaperHandle handle, Shaper now, Cause cause) {
        pending.remove(handle);
        if (cause == Cause.ASKED && planned.containsKey(handle)) {
            stated.put(handle, KeptShapers.values(planned.get(handle)));
        }
        if (now != null) {
            takenAway.remove(handle);
        } else if (cause == Cause.ASKED && (planned.containsKey(handle) || stated.containsKey(handle))) {
            // a plan that was there when it was set may be on its way again
            takenAway.add(handle);
        }
        if (now == null && cause == Cause.ASKED) {
            before.remove(handle);
        }
        changed = true;
    }

    /** Whether what was set was set against another plan than this one. */
    boolean isOutdated(Shaper plan) {
        String before = stated.get(plan.handle());
        return before != null && !before.equals(KeptShapers.values(plan));
    }

    /** Lets a plan have its way again. */
    void forget(ShaperHandle handle) {
        pending.remove(handle);
        takenAway.remove(handle);
        stated.remove(handle);
        before.remove(handle);
        changed = true;
    }

    /** Whether a plan may have its way. */
    boolean isFree(ShaperHandle handle) {
        return !pending.containsKey(handle) && !takenAway.contains(handle);
    }

    /** @param isThere whether there is one already, or one waits */
    void planned(Shaper shaper, boolean isThere) {
        Shaper last = planned.put(shaper.handle(), shaper);
        if (last == null && isThere) {
            before.add(shaper.handle());
        }
        changed = true;
    }

    /** What is planned, unless it was changed by hand or taken away, or waits. */
    Map<ShaperHandle, Shaper> wanted() {
        Map<ShaperHandle, Shaper> wanted = new TreeMap<>(planned);
        wanted.keySet().removeAll(takenAway);
        wanted.keySet().removeAll(stated.keySet());
        wanted.putAll(pending);
        return wanted;
    }

    /**
     * A plan has ended; answers whether what is there is still what it said, though its node may have gone before it.
     */
    boolean unplanned(ShaperHandle handle, Shaper now) {
        Shaper was = planned.remove(handle);
        changed = true;
        if (before.remove(handle)) {
            return false;
        }
        if (was != null) {
            pending.remove(handle, was);
        }
        return was != null && now != null && (was.equals(now) || was.parent() != null
                && was.parent().scope() == ShaperScope.NODE && was.below(now.parent()).equals(now));
    }

    /** Whether it is what its plan says, or would be if the plan of the node that it was below had not ended first. */
    private boolean isPlanned(Shaper shaper) {
        if (before.contains(shaper.handle())) {
            return false;
        }
        Shaper plan = planned.get(shaper.handle());
        if (plan == null || plan.equals(shaper)) {
            return plan != null;
        }
        ShaperHandle node = plan.parent();
        boolean nodeEnded = node != null && node.scope() == ShaperScope.NODE && !planned.containsKey(node)
                && !takenAway.contains(node);
        return nodeEnded && plan.below(shaper.parent()).equals(shaper);
    }

    /** Fixes what is to be kept, while it cannot change. */
    void note(Records records) {
        if (changed) {
            changed = false;
            List<Shaper> kept = new ArrayList<>(pending.values());
            kept.addAll(records.all());
            kept.removeIf(this::isPlanned);
            Map<String, String> now = KeptShapers.words(kept);
            takenAway.forEach(handle -> now.put(KeptShapers.word(handle), TAKEN_AWAY));
            stated.keySet().removeIf(handle -> !now.containsKey(KeptShapers.word(handle)));
            stated.forEach((handle, values) -> now.put(SavedSettings.FILE + KeptShapers.word(handle), values));
            words = now;
        }
    }

    /**
     * Has it on disk. The last one who comes writes what is newest.
     *
     * @throws io.manafold.api.refusal.NotKept if that cannot be now
     */
    synchronized void write() {
        Map<String, String> now = words;
        if (settings != null && now != null && !ended) {
            settings.write(subject, now);
        }
    }

    /** Writes for the last time: from now on another device may keep something by the same name. */
    synchronized void end() {
        try {
            write();
        } catch (NotKept later) {
            LOG.warn("{}: {}", device, later.getMessage());
        }
        ended = true;
    }
}

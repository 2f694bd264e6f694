package io.manafold.netshaper.internal.tree;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperOps;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.ShaperWatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A network device whose driver knows shapers: its tree, what is kept of it for later, and what happens to the device. There
 * is one lock, the driver's.
 */
public final class ShapedDevice implements ShaperWatcher, ShaperTree.Changes {
    private static final Logger log = LoggerFactory.getLogger(ShapedDevice.class);
    private static final long PATIENCE_SECONDS = 10;

    private final ShaperOps ops;
    private final Deeds driver;
    private final SavedSettings settings;
    private final String subject;
    private final Executor later;
    private final Consumer<ShaperEvent> events;
    private final ShaperTree tree;
    /** What was kept and could not be carried out; it stays kept. By the lock. */
    private Map<ShaperHandle, Shaper> pending = Map.of();
    private boolean told;
    private boolean changed;
    private volatile Map<String, String> toKeep;
    private volatile boolean gone;

    /**
     * @param settings where it is kept; {@code null} for nowhere
     * @param later carries out what must not be done under the device's lock
     */
    public ShapedDevice(ShaperOps ops, SavedSettings settings, Executor later, Consumer<ShaperEvent> events) {
        this.ops = ops;
        this.driver = Deeds.of(ops);
        this.settings = settings;
        this.subject = "shapers:" + ops.device().address() + "/" + ops.device().port();
        this.later = later;
        this.events = events;
        this.tree = new ShaperTree(ops.device().name(), driver, this, Records.NONE);
    }

    public String name() {
        return ops.device().name();
    }

    public int index() {
        return ops.device().index();
    }

    public boolean groups() {
        return ops.groups();
    }

    public int queues() {
        return ops.queues();
    }

    public Set<ShaperCapability> capabilities(ShaperScope scope) {
        return ops.capabilities(scope);
    }

    public Records records() {
        return tree.records();
    }

    public List<ShaperStatus> status() {
        return ops.status();
    }

    public boolean isGone() {
        return gone;
    }

    /** Does something with the tree under the device's lock; what it leaves behind is on disk when this returns. */
    public <T> T locked(Function<ShaperTree, T> deed) {
        T answer = underLock(() -> deed.apply(tree));
        keep();
        return answer;
    }

    /** Has something done with a copy; answers what the driver would have been told. */
    public List<String> rehearsed(Consumer<ShaperTree> deed) {
        return underLock(() -> {
            List<String> lines = new ArrayList<>();
            deed.accept(new ShaperTree(name(), Deeds.into(lines), ShaperTree.Changes.NOBODY, tree.records()));
            return lines;
        });
    }

    private <T> T underLock(Supplier<T> deed) {
        try {
            if (!ops.lock().tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new Refusal(Errno.EBUSY, name() + " has been busy with something else for " + PATIENCE_SECONDS
                        + " seconds; nothing was changed. Try again when that is over.");
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "Nobody waits any more for " + name() + "; nothing was changed.");
        }
        try {
            if (gone) {
                throw new Refusal(Errno.ENODEV, name() + " has gone in the meantime; nothing was changed.");
            }
            tellOnce();
            return deed.get();
        } finally {
            note();
            ops.lock().unlock();
        }
    }

    /** Tells the driver what was kept from before, if nobody has yet. */
    public void begin() {
        try {
            locked(_ -> null);
        } catch (Refusal refused) {
            log.warn("{}: what its shapers were is not in place: {}", name(), refused.getMessage());
        }
    }

    private void tellOnce() {
        if (told) {
            return;
        }
        told = true;
        if (settings == null) {
            return;
        }
        Collection<Shaper> kept = KeptShapers.read(settings.read(subject),
                word -> log.warn("{}: a shaper that was kept makes no sense: {}", name(), word));
        replay(kept);
    }

    /** Fixes what is to be kept, while it cannot change. */
    private void note() {
        if (changed) {
            changed = false;
            Map<String, String> words = new TreeMap<>(KeptShapers.words(pending.values()));
            words.putAll(KeptShapers.words(tree.records().all()));
            toKeep = words;
        }
    }

    private void replay(Collection<Shaper> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        ShaperTree again = new ShaperTree(name(), driver, ShaperTree.Changes.NOBODY, Records.NONE);
        List<String> failures = Replay.of(wanted, ops.queues(), again, driver);
        tree.replace(again.records());
        failures.forEach(failure -> log.warn("{}: a shaper is pending: {}", name(), failure));
        Map<ShaperHandle, Shaper> missing = new TreeMap<>();
        wanted.stream().filter(shaper -> tree.records().get(shaper.handle()) == null)
                .forEach(shaper -> missing.put(shaper.handle(), shaper));
        pending = missing;
        changed = true;
    }

    @Override
    public void recorded(ShaperHandle handle, Shaper now, Cause cause) {
        if (pending.containsKey(handle)) {
            pending = new TreeMap<>(pending);
            pending.remove(handle);
        }
        changed = true;
        events.accept(new ShaperEvent(name(), handle, now, cause));
    }

    /** Writes down what is to be kept, unless it is. The last one who comes writes what is newest. */
    private synchronized void keep() {
        Map<String, String> words = toKeep;
        if (settings == null || words == null) {
            return;
        }
        try {
            settings.write(subject, words);
        } catch (Refusal refused) {
            log.warn("{}: its shapers are in place but will not come back: {}", name(), refused.getMessage());
        }
    }

    @Override
    public void queues(int count) {
        if (!gone) {
            tree.shrink(count);
            note();
            later.execute(this::keep);
        }
    }

    @Override
    public void forgotten() {
        if (gone || !told) {
            return;
        }
        Map<ShaperHandle, Shaper> wanted = new TreeMap<>(pending);
        tree.records().all().forEach(shaper -> wanted.put(shaper.handle(), shaper));
        replay(wanted.values());
        note();
        later.execute(this::keep);
    }

    /** The device has left; what is kept stays. */
    public void leave() {
        gone = true;
        keep();
    }
}

package io.manafold.dropin.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.dropin.internal.FileDebouncer.Change;
import io.manafold.dropin.internal.Reconciler.Terms;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Looks at the folder again and again; one call of {@link #look} is one look. Used by one thread but for the flag. */
final class FolderScanner {
    /** For how many standstill times files that never come to rest keep the first scan from being called done. */
    private static final int PATIENCE = 10;

    private final AtomicBoolean othersChanged = new AtomicBoolean();
    private final Folder folder;
    private final Terms terms;
    private final FileDebouncer debouncer;
    private final Reconciler reconciler;
    private final EventJournal journal;
    private final InstantSource wall;
    private final LongSupplier clock;
    private final long patience;
    private final Runnable scanned;
    private Set<String> firstFiles;
    private boolean isScanned;
    private long begun;
    private String problem;

    /** @param scanned run once, when every file of the first look has been taken or refused */
    FolderScanner(Folder folder, Duration quietTime, long largest, Reconciler reconciler, EventJournal journal,
            InstantSource wall, LongSupplier clock, Runnable scanned) {
        this.folder = folder;
        this.patience = quietTime.toNanos() * PATIENCE;
        this.terms = new Terms(largest, patience);
        this.debouncer = new FileDebouncer(quietTime);
        this.reconciler = reconciler;
        this.journal = journal;
        this.wall = wall;
        this.clock = clock;
        this.scanned = scanned;
    }

    /** Bundles that are none of ours came, went or changed. Any thread may call. */
    void othersChanged() {
        othersChanged.set(true);
    }

    void look() {
        long nanos = clock.getAsLong();
        try {
            Map<String, FileObservation> seen = folder.list();
            problem = null;
            boolean others = othersChanged.getAndSet(false);
            List<Change> changes;
            if (firstFiles == null) {
                begun = nanos;
                firstFiles = new HashSet<>(seen.keySet());
                changes = debouncer.begin(seen, reconciler.adopt(seen), nanos, wall.instant());
            } else {
                changes = debouncer.observe(seen, nanos);
            }
            Set<String> moving = debouncer.pending();
            reconciler.pass(changes, others, !moving.isEmpty(), terms, nanos);
            moving.addAll(reconciler.unfinished());
            firstFiles.retainAll(moving);
            if (firstFiles.isEmpty() || nanos - begun >= patience) {
                done();
            }
        } catch (IOException e) {
            // drivers at work stay at work: a folder that cannot be read says nothing about its files
            String now = "The drivers folder " + Wording.plain(folder.path().toString()) + " cannot be read ("
                    + Wording.reason(e) + "); no driver is taken from it until it can.";
            if (!now.equals(problem)) {
                problem = now;
                journal.tell(DeviceEvent.Kind.BUNDLE_REFUSED, now);
            }
            done();
        }
        journal.flush();
    }

    /** The platform's start has not to wait for the first scan any longer. */
    void done() {
        if (!isScanned) {
            isScanned = true;
            scanned.run();
        }
    }

    /** How long to rest before the next look, at most {@code poll}. */
    long nanosToNext(long poll) {
        return debouncer.nanosToNext(clock.getAsLong(), poll);
    }
}

package io.manafold.dropin.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.dropin.internal.Bundles.Resident;
import io.manafold.dropin.internal.Bundles.Start;
import io.manafold.dropin.internal.FileDebouncer.Change;
import io.manafold.dropin.internal.Slot.News;
import io.manafold.dropin.internal.Slot.Retry;
import io.manafold.dropin.internal.Slot.Stage;
import io.manafold.dropin.internal.StagingArea.Taken;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Makes the bundles of the framework what the files of the folder are. In each pass everything departs first, then all
 * that is new is installed, and only then is anything started, so that files that need each other may come in any
 * order.
 * Used by one thread.
 */
final class Reconciler {
    private final Map<String, Slot> slots = new TreeMap<>();
    private final Bundles bundles;
    private final StagingArea staging;
    private final Journal journal;
    private final BooleanSupplier closed;

    /** @param closed asked between any two steps; once it says yes nothing further is begun */
    Reconciler(Bundles bundles, StagingArea staging, Journal journal, BooleanSupplier closed) {
        this.bundles = bundles;
        this.staging = staging;
        this.journal = journal;
        this.closed = closed;
    }

    /**
     * Looks for bundles of an earlier life. One that is at work with content younger than its file is kept as it is;
     * the others are renewed from their files, which costs nothing as they do not run, or removed with them.
     *
     * @return for each file with a bundle the state that the bundle was taken from
     */
    Map<String, FileState> adopt(Map<String, FileObservation> folder) {
        Map<String, FileState> taken = new TreeMap<>();
        for (Resident resident : bundles.residents()) {
            Slot slot = slots.computeIfAbsent(resident.file(), Slot::new);
            slot.resident = resident;
            slot.file = folder.get(resident.file());
            if (slot.file != null) {
                boolean fresh = bundles.isAtWork(resident) && slot.file.touched().toEpochMilli() < resident.since();
                taken.put(slot.name, fresh ? slot.file.state() : FileState.UNKNOWN);
            }
        }
        return taken;
    }

    /**
     * One pass.
     *
     * @param changes files that have come to rest since the last pass
     * @param othersChanged whether bundles that are none of ours came, went or changed
     * @param moving whether there are files that have not come to rest
     */
    void pass(List<Change> changes, boolean othersChanged, boolean moving, Terms terms, long nanos) {
        for (Change change : changes) {
            slots.computeIfAbsent(change.name(), Slot::new).changed(change.now().orElse(null));
        }
        slots.values().forEach(slot -> checkTime(slot, nanos));
        boolean changed = othersChanged | finishAll(nanos) | depart(nanos);
        if (takeAll(changed, terms, nanos)) {
            // what was refused for the sake of another file may have its way free now
            takeAll(true, terms, nanos);
            changed = true;
        }
        restart(bundles.disturbed());
        startAll(changed, nanos);
        for (Slot slot : slots.values()) {
            String sentence = slot.dueSentence(moving, nanos, terms.patience());
            if (sentence != null) {
                journal.tell(DeviceEvent.Kind.BUNDLE_REFUSED, shown(slot.name) + " is refused: " + sentence + ".");
            }
        }
    }

    /** A file whose bundle takes longer than it may is refused, until that has returned. */
    private void checkTime(Slot slot, long nanos) {
        Optional<String> overdue = bundles.overdue(slot.name);
        if (overdue.isPresent()) {
            slot.refuse(Stage.WAIT, overdue.get(), Retry.ON_CHANGE, nanos);
        } else if (slot.isRefusedAt(Stage.WAIT)) {
            slot.clear();
        }
    }

    /** Takes note of installations that were unfinished at an earlier look and have returned. */
    private boolean finishAll(long nanos) {
        boolean any = false;
        for (Slot slot : slots.values()) {
            if (bundles.isUnderWay(slot.name)) {
                continue;
            }
            if (slot.lent != null) {
                slot.lent.close();
                slot.lent = null;
            }
            if (slot.installing != null) {
                any |= finish(slot, nanos);
            }
        }
        return any;
    }

    /** If the file has changed meanwhile, or is gone, its bundle is replaced or removed as any other from here on. */
    private boolean finish(Slot slot, long nanos) {
        FileState state = slot.installing;
        slot.installing = null;
        boolean same = slot.file != null && slot.file.state().equals(state) && !slot.toTake;
        try {
            installed(slot, bundles.installed(slot.name, state));
            slot.clear();
            slot.toStart = same;
            return true;
        } catch (Declined e) {
            if (same) {
                refuseIntake(slot, e.getMessage(), e.isPassing() ? Retry.LATER : Retry.ON_CHANGE, nanos);
            }
            return false;
        }
    }

    /** Uninstalls what has no file any more. */
    private boolean depart(long nanos) {
        boolean changed = false;
        for (Slot slot : List.copyOf(slots.values())) {
            if (slot.file == null && !slot.toTake && slot.resident != null && isFree(slot) && mayTry(slot, nanos)) {
                if (vacate(slot, nanos)) {
                    changed = true;
                }
            }
            if (slot.file == null && slot.resident == null && slot.installing == null) {
                slots.remove(slot.name);
            }
        }
        return changed;
    }

    private static boolean mayTry(Slot slot, long nanos) {
        return !slot.isRefusedAt(Stage.DEPARTURE) || slot.isWorthAnotherTry(Stage.DEPARTURE, false, nanos);
    }

    /**
     * Nothing is done about a file while what was begun with it has not returned, or before it is noted what came of
     * its installation, which may return in the midst of a pass.
     */
    private boolean isFree(Slot slot) {
        return slot.installing == null && !bundles.isUnderWay(slot.name);
    }

    /** Files of which it is not known yet whether they are taken or refused. */
    Set<String> unfinished() {
        return slots.values().stream().filter(slot -> slot.installing != null && !slot.isRefusedAt(Stage.WAIT))
                .map(slot -> slot.name).collect(Collectors.toSet());
    }

    private boolean vacate(Slot slot, long nanos) {
        if (closed.getAsBoolean()) {
            return false;
        }
        Resident leaving = slot.resident;
        try {
            restart(bundles.remove(leaving));
        } catch (Declined e) {
            if (e.isUnfinished()) {
                return false;
            }
            slot.refuse(Stage.DEPARTURE, leaving.identity() + " could not be uninstalled, as " + e.getMessage(),
                    Retry.LATER, nanos);
            return false;
        }
        slot.resident = null;
        slot.toStart = false;
        slot.clear();
        journal.tell(DeviceEvent.Kind.BUNDLE_REMOVED, shown(slot.name) + ": " + leaving.identity() + " was removed.");
        return true;
    }

    private boolean takeAll(boolean changed, Terms terms, long nanos) {
        Map<Slot, Taken> batch = new LinkedHashMap<>();
        boolean any = false;
        try {
            for (Slot slot : slots.values()) {
                boolean again = slot.file != null && slot.isWorthAnotherTry(Stage.INTAKE, changed, nanos);
                if ((slot.toTake || again) && isFree(slot) && !closed.getAsBoolean()) {
                    take(slot, terms, nanos).ifPresent(taken -> batch.put(slot, taken));
                }
            }
            any |= makeRoom(batch, nanos);
            for (Map.Entry<Slot, Taken> entry : batch.entrySet()) {
                any |= !closed.getAsBoolean() && bring(entry.getKey(), entry.getValue(), nanos);
            }
        } finally {
            batch.forEach(this::giveBack);
        }
        return any;
    }

    /** A call that has not returned may not have read the copy yet. */
    private void giveBack(Slot slot, Taken taken) {
        if (bundles.isUnderWay(slot.name)) {
            slot.lent = taken;
        } else {
            taken.close();
        }
    }

    private Optional<Taken> take(Slot slot, Terms terms, long nanos) {
        slot.toTake = false;
        try {
            return staging.take(slot.file, terms.largest());
        } catch (Declined e) {
            refuseIntake(slot, e.getMessage(), e.isPassing() ? Retry.LATER : Retry.ON_CHANGE, nanos);
            return Optional.empty();
        }
    }

    /** What came of the file before stays if it is at work; what does not run is not kept. */
    private void refuseIntake(Slot slot, String sentence, Retry retry, long nanos) {
        if (slot.resident != null && !bundles.isAtWork(slot.resident)) {
            vacate(slot, nanos);
        }
        String still = slot.resident == null ? "" : "; " + slot.resident.identity() + " stays at work";
        slot.refuse(Stage.INTAKE, sentence + still, retry, nanos);
    }

    /** Files that exchanged their contents would each find its name and version taken by the other. */
    private boolean makeRoom(Map<Slot, Taken> batch, long nanos) {
        boolean any = false;
        for (Taken wanted : batch.values()) {
            for (Map.Entry<Slot, Taken> other : batch.entrySet()) {
                Resident holder = other.getKey().resident;
                if (holder != null && holder.identity().equals(wanted.identity())
                        && !other.getValue().identity().equals(wanted.identity())) {
                    any |= vacate(other.getKey(), nanos);
                }
            }
        }
        return any;
    }

    /** Installs or replaces; the bundle is not started yet. */
    private boolean bring(Slot slot, Taken taken, long nanos) {
        Resident before = slot.resident != null && bundles.isThere(slot.resident) ? slot.resident : null;
        slot.resident = before;
        Optional<String> holder = bundles.holder(taken.identity(), before == null ? -1 : before.id());
        if (holder.isPresent()) {
            refuseIntake(slot, taken.identity() + " is there already, from " + holder.get()
                    + "; a name and version may be there once, so remove one of the two or give this one another"
                    + " version",
                    Retry.WITH_OTHERS, nanos);
            return false;
        }
        try {
            if (before == null) {
                installed(slot, bundles.install(slot.name, taken.copy(), slot.file.state()));
            } else {
                restart(bundles.replace(before, taken.copy(), slot.file.state()));
                slot.resident = new Resident(before.id(), slot.name, taken.identity(), before.since());
                slot.news = new News(DeviceEvent.Kind.BUNDLE_UPDATED, shown(slot.name) + ": " + (before.identity()
                        .equals(taken.identity()) ? taken.identity() + " was read anew"
                                : before.identity() + " was replaced by " + taken.identity()) + " and started.");
            }
        } catch (Declined e) {
            if (e.isUnfinished() && before == null) {
                slot.installing = slot.file.state();
            } else if (e.isUnfinished()) {
                slot.toTake = true;
            } else {
                refuseIntake(slot, e.getMessage(), e.isPassing() ? Retry.LATER : Retry.ON_CHANGE, nanos);
            }
            return false;
        }
        slot.clear();
        slot.toStart = true;
        return true;
    }

    private static void installed(Slot slot, Resident resident) {
        slot.resident = resident;
        slot.news = new News(DeviceEvent.Kind.BUNDLE_INSTALLED,
                shown(slot.name) + ": " + resident.identity() + " was installed and started.");
    }

    private void restart(Set<Long> disturbed) {
        for (Slot slot : slots.values()) {
            if (slot.resident != null && disturbed.contains(slot.resident.id())) {
                slot.toStart = true;
            }
        }
    }

    private void startAll(boolean changed, long nanos) {
        Collection<Slot> all = slots.values();
        for (Slot slot : all) {
            boolean due = slot.toStart
                    && (!slot.isRefusedAt(Stage.START) || slot.isWorthAnotherTry(Stage.START, changed, nanos));
            if (due && slot.resident != null && isFree(slot) && !closed.getAsBoolean()) {
                start(slot, nanos);
            }
        }
    }

    private void start(Slot slot, long nanos) {
        switch (bundles.start(slot.resident)) {
            case Start.Started() -> {
                slot.toStart = false;
                if (slot.isRefusedAt(Stage.START)) {
                    slot.clear();
                }
                if (slot.news != null) {
                    journal.tell(slot.news.kind(), slot.news.sentence());
                    slot.news = null;
                } else {
                    journal.tell(DeviceEvent.Kind.BUNDLE_UPDATED,
                            shown(slot.name) + ": " + slot.resident.identity() + " was started again.");
                }
            }
            case Start.UnderWay() -> {
                // the next look asks again
            }
            case Start.Lacking(String reason) -> refuseStart(slot, reason, Retry.WITH_OTHERS, nanos);
            case Start.Failed(String reason) -> refuseStart(slot, reason, Retry.ON_CHANGE, nanos);
            case Start.NotNow(String reason) -> refuseStart(slot, reason, Retry.LATER, nanos);
        }
    }

    private static void refuseStart(Slot slot, String reason, Retry retry, long nanos) {
        slot.refuse(Stage.START, slot.resident.identity() + " " + reason, retry, nanos);
    }

    private static String shown(String file) {
        return Wording.plain(file);
    }

    /**
     * What holds for a pass.
     *
     * @param largest the largest file taken, in bytes
     * @param patience for how many nanoseconds a refusal is held back while other files are on the move
     */
    record Terms(long largest, long patience) {
    }
}

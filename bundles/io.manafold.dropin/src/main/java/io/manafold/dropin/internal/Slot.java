package io.manafold.dropin.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.dropin.internal.Bundles.Resident;
import io.manafold.dropin.internal.StagingArea.Taken;

/** One file name, the bundle that came from it, and what remains to be done about it. Used by one thread. */
final class Slot {
    private static final long FIRST_PAUSE = 2_000_000_000L;
    private static final long LONGEST_PAUSE = 60_000_000_000L;

    final String name;
    /** The file's settled state; {@code null} once it has gone. */
    FileObservation file;
    /** {@code null} while no bundle has come of the file. */
    Resident resident;
    /** The state of the file whose installation was begun and is unfinished, or {@code null}. */
    FileState installing;
    /** What a call has to read that has not returned, or {@code null}. */
    Taken lent;
    /** Whether {@link #file} has still to be taken. */
    boolean toTake;
    boolean toStart;
    /** What to tell once it has been started, or {@code null} if it only runs again. */
    News news;
    private String refusal;
    private String told;
    private long refusedSince;
    private Stage refusedAt;
    private Retry retry = Retry.ON_CHANGE;
    private long retryAt;
    private long pause = FIRST_PAUSE;

    Slot(String name) {
        this.name = name;
    }

    /** The file has come to rest in a new state: whatever was wrong with the last one is forgotten. */
    void changed(FileObservation now) {
        file = now;
        toTake = now != null;
        toStart = false;
        clear();
        told = null;
        pause = FIRST_PAUSE;
    }

    void refuse(Stage stage, String sentence, Retry when, long nanos) {
        refusedAt = stage;
        if (!sentence.equals(refusal)) {
            refusal = sentence;
            refusedSince = nanos;
        }
        retry = when;
        if (when == Retry.LATER) {
            retryAt = nanos + pause;
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
    }

    void clear() {
        refusal = null;
        refusedAt = null;
        retry = Retry.ON_CHANGE;
    }

    boolean isRefusedAt(Stage stage) {
        return refusedAt == stage;
    }

    /** Whether what was refused at a stage may go well now, though the file is the same. */
    boolean isWorthAnotherTry(Stage stage, boolean othersChanged, long nanos) {
        return refusedAt == stage && switch (retry) {
            case ON_CHANGE -> false;
            case WITH_OTHERS -> othersChanged;
            case LATER -> nanos - retryAt >= 0;
        };
    }

    /**
     * The refusal, the first time it is due. While other files are on the move it waits a little: one of them may be
     * what this one lacks.
     */
    String dueSentence(boolean othersMoving, long nanos, long patience) {
        if (refusal == null || refusal.equals(told) || othersMoving && nanos - refusedSince < patience) {
            return null;
        }
        told = refusal;
        return refusal;
    }

    /** What was refused: to take the file, to start its bundle, to uninstall it, or to wait longer for one of these. */
    enum Stage {
        INTAKE, START, DEPARTURE, WAIT
    }

    /** When a refusal is tried again. */
    enum Retry {
        ON_CHANGE, WITH_OTHERS, LATER
    }

    /** What is told of a bundle once it runs. */
    record News(DeviceEvent.Kind kind, String sentence) {
    }
}

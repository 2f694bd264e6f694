package io.manafold.dropin.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells which files have stood still long enough to be believed. Absence has to stand still as well: a file that is
 * deleted and written anew is a change and not a departure, and both halves of a renaming come due in one look.
 */
final class FileDebouncer {
    private final Map<String, Track> tracks = new TreeMap<>();
    private final Duration time;

    FileDebouncer(Duration time) {
        this.time = time;
    }

    /**
     * The first look at a folder. What has not been touched for the standstill time by the clock on the wall stands
     * still already, so that a platform with drivers lying ready starts without a wait.
     *
     * @param taken states that the platform has taken before and still has
     */
    List<Change> begin(Map<String, FileObservation> seen, Map<String, FileState> taken, long nanos, Instant wall) {
        taken.forEach((name, state) -> {
            Track track = new Track();
            track.current = state;
            track.settled = state;
            tracks.put(name, track);
        });
        Instant limit = wall.minus(time);
        for (Map.Entry<String, FileObservation> entry : seen.entrySet()) {
            if (entry.getValue().touched().isBefore(limit)) {
                Track track = tracks.computeIfAbsent(entry.getKey(), name -> new Track());
                if (!entry.getValue().state().equals(track.current)) {
                    track.current = entry.getValue().state();
                    track.since = nanos - time.toNanos();
                }
            }
        }
        return observe(seen, nanos);
    }

    /** A look at the folder. Returns what has stood still by now and differs from what stood still before. */
    List<Change> observe(Map<String, FileObservation> seen, long nanos) {
        Set<String> names = new HashSet<>(tracks.keySet());
        names.addAll(seen.keySet());
        List<Change> changes = new ArrayList<>();
        for (String name : names.stream().sorted().toList()) {
            FileObservation sighting = seen.get(name);
            FileState state = sighting == null ? null : sighting.state();
            Track track = tracks.computeIfAbsent(name, fresh -> new Track());
            if (!Objects.equals(state, track.current)) {
                track.current = state;
                track.since = nanos;
            }
            if (track.isPending() && nanos - track.since >= time.toNanos()) {
                track.settled = track.current;
                changes.add(new Change(name, Optional.ofNullable(sighting)));
            }
            if (track.current == null && track.settled == null) {
                tracks.remove(name);
            }
        }
        return changes;
    }

    /** The names of the files that are on the move. */
    Set<String> pending() {
        Set<String> names = new HashSet<>();
        tracks.forEach((name, track) -> {
            if (track.isPending()) {
                names.add(name);
            }
        });
        return names;
    }

    /** How long until the next file may have stood still, at most {@code limit}. */
    long nanosToNext(long nanos, long limit) {
        long next = limit;
        for (Track track : tracks.values()) {
            if (track.isPending()) {
                next = Math.min(next, Math.max(0, track.since + time.toNanos() - nanos));
            }
        }
        return next;
    }

    /** A file that has come to rest: the state it rests in, or nothing if it has gone. */
    record Change(String name, Optional<FileObservation> now) {
    }

    /** One name; {@code null} stands for a file that is not there. */
    private static final class Track {
        private FileState current;
        private FileState settled;
        private long since;

        boolean isPending() {
            return !Objects.equals(current, settled);
        }
    }
}

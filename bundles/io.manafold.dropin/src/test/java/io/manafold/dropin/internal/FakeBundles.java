package io.manafold.dropin.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.osgi.framework.Version;

/** A framework of a few maps; what it is asked for is noted in {@link #calls}. */
final class FakeBundles implements Bundles {
    final List<String> calls = new ArrayList<>();
    final Map<Long, Resident> installed = new TreeMap<>();
    final Set<Long> running = new HashSet<>();
    /** Symbolic names of bundles that do not start, with what the start says. */
    final Map<String, Start> hindered = new HashMap<>();
    /** Which bundles a symbolic name needs installed. */
    final Map<String, String> needs = new HashMap<>();
    final Set<Identity> platform = new HashSet<>();
    Declined onInstall;
    /** What came of an installation that was unfinished. */
    Declined onInstalled;
    Declined onReplace;
    Declined onRemove;
    Set<Long> disturbed = Set.of();
    /** Whom a call has stopped whose result was dropped. */
    Set<Long> disturbedLater = Set.of();
    /** Files whose bundle has not returned, with what is said once that is overdue. */
    final Map<String, String> underWay = new HashMap<>();
    boolean overdue;
    /** What happens while a bundle is installed. */
    Runnable meanwhile = () -> { };
    /** What a call has to read that has not returned. */
    Path copy;
    private FileState begun;
    private long next = 1;

    Resident put(String file, String symbolicName, String version, long since, boolean runs) {
        Resident resident = new Resident(next++, file,
                new Identity(symbolicName, Version.parseVersion(version)), since);
        installed.put(resident.id(), resident);
        if (runs) {
            running.add(resident.id());
        }
        return resident;
    }

    List<String> runningNames() {
        return running.stream().map(id -> installed.get(id).identity().toString()).sorted().toList();
    }

    @Override
    public List<Resident> residents() {
        return List.copyOf(installed.values());
    }

    private static Identity read(Path jar) throws Declined {
        return new Inspector().inspect(jar);
    }

    @Override
    public Resident install(String file, Path jar, FileState state) throws Declined {
        if (onInstall != null && !onInstall.isUnfinished()) {
            throw onInstall;
        }
        Identity identity = read(jar);
        calls.add("install " + identity);
        Resident resident = put(file, identity.symbolicName(), identity.version().toString(), 0, false);
        meanwhile.run();
        if (onInstall != null) {
            begun = state;
            copy = jar;
            underWay.put(file, "the installation has not returned");
            throw onInstall;
        }
        return resident;
    }

    @Override
    public Resident installed(String file, FileState state) throws Declined {
        if (!state.equals(begun)) {
            throw new IllegalStateException("not begun");
        }
        begun = null;
        if (onInstalled != null) {
            installed.values().removeIf(resident -> resident.file().equals(file));
            throw onInstalled;
        }
        calls.add("installed " + file);
        return installed.values().stream().filter(resident -> resident.file().equals(file)).findFirst().orElseThrow();
    }

    @Override
    public Set<Long> replace(Resident resident, Path jar, FileState state) throws Declined {
        if (onReplace != null) {
            throw onReplace;
        }
        Identity identity = read(jar);
        calls.add("replace " + resident.identity() + " by " + identity);
        running.remove(resident.id());
        installed.put(resident.id(), new Resident(resident.id(), resident.file(), identity, 0));
        return disturbed;
    }

    @Override
    public Set<Long> remove(Resident resident) throws Declined {
        if (onRemove != null) {
            throw onRemove;
        }
        calls.add("remove " + resident.identity());
        running.remove(resident.id());
        installed.remove(resident.id());
        return disturbed;
    }

    @Override
    public Start start(Resident resident) {
        String name = resident.identity().symbolicName();
        calls.add("start " + resident.identity());
        if (hindered.containsKey(name)) {
            return hindered.get(name);
        }
        String needed = needs.get(name);
        if (needed != null && installed.values().stream()
                .noneMatch(other -> other.identity().symbolicName().equals(needed))) {
            return new Start.Lacking("needs " + needed);
        }
        running.add(resident.id());
        return new Start.Started();
    }

    @Override
    public Set<Long> disturbed() {
        Set<Long> all = disturbedLater;
        disturbedLater = Set.of();
        return all;
    }

    @Override
    public boolean isUnderWay(String file) {
        return underWay.containsKey(file);
    }

    @Override
    public Optional<String> overdue(String file) {
        return overdue ? Optional.ofNullable(underWay.get(file)) : Optional.empty();
    }

    @Override
    public boolean isThere(Resident resident) {
        return installed.containsKey(resident.id());
    }

    @Override
    public boolean isAtWork(Resident resident) {
        return running.contains(resident.id());
    }

    @Override
    public Optional<String> holder(Identity identity, long except) {
        if (platform.contains(identity)) {
            return Optional.of("the platform itself");
        }
        return installed.values().stream().filter(other -> other.id() != except)
                .filter(other -> other.identity().equals(identity)).map(Resident::file).findFirst();
    }
}

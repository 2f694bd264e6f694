package io.manafold.architecture;

import aQute.bnd.service.diff.Delta;
import aQute.bnd.service.diff.Diff;
import aQute.bnd.service.diff.Type;
import aQute.bnd.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is new in a package, and which step of its version that takes. */
final class ApiChanges {
    static final String COMMAND =
            "mvn -q package -pl itests/architecture -am -Dtest=ApiTest "
            + "-Dsurefire.failIfNoSpecifiedTests=false -Dmanafold.api=write";

    private static final int SHOWN = 5;
    private static final Set<Type> MEMBERS = Set.of(Type.METHOD, Type.FIELD);

    private final Api before;
    private final Api now;
    private final List<Change> changes = new ArrayList<>();

    private record Change(Delta step, String what) {
    }

    ApiChanges(Api before, Api now) {
        this.before = before;
        this.now = now;
        collect(now.tree().diff(before.tree()), "");
    }

    private void collect(Diff diff, String place) {
        for (Diff child : diff.getChildren()) {
            Delta delta = child.getDelta();
            String name = child.getName().replace(now.name() + ".", "").replace('$', '.');
            boolean isPart = !MEMBERS.contains(child.getType()) && !place.isEmpty();
            String inside = place.isEmpty() ? name : MEMBERS.contains(child.getType()) ? place + "." + name : place;
            switch (delta) {
                case ADDED -> changes.add(new Change(child.getNewer().ifAdded(), isPart
                        ? inside + " now has " + part(child) : inside + " was added"));
                case REMOVED -> changes.add(new Change(child.getOlder().ifRemoved(), isPart
                        ? inside + " no longer has " + part(child) : inside + " was removed"));
                case UNCHANGED, IGNORED -> {
                }
                default -> collect(child, inside);
            }
        }
    }

    private static String part(Diff child) {
        return child.getType().name().toLowerCase(Locale.ROOT) + " " + child.getName();
    }

    /** In words. */
    List<String> changes() {
        return changes.stream().map(Change::what).toList();
    }

    boolean areNone() {
        return changes.isEmpty() && before.version().equals(now.version());
    }

    private Delta step() {
        return changes.stream().map(Change::step).max(Delta::compareTo).orElse(Delta.UNCHANGED);
    }

    /** The lowest version that says what has happened. */
    private Version due() {
        Version old = new Version(before.version());
        return switch (step()) {
            case MAJOR, REMOVED -> new Version(old.getMajor() + 1, 0, 0);
            case MINOR, ADDED -> new Version(old.getMajor(), old.getMinor() + 1, 0);
            case MICRO, CHANGED -> new Version(old.getMajor(), old.getMinor(), old.getMicro() + 1);
            default -> old;
        };
    }

    /** What is wrong with the package's version, or an empty text. */
    String complaint() {
        if (new Version(now.version()).compareTo(due()) >= 0) {
            return "";
        }
        if (changes.isEmpty()) {
            return "The package %s has gone back from version %s to %s; write @Version(\"%s\") in its %s"
                    .formatted(now.name(), before.version(), now.version(), before.version(), "package-info.java.");
        }
        List<String> worst = changes.stream().filter(change -> change.step() == step()).map(Change::what).toList();
        String told = String.join(", ", worst.stream().limit(SHOWN).toList())
                + (worst.size() > SHOWN ? " and " + (worst.size() - SHOWN) + " more" : "");
        return "The package %s is not what it was in version %s: %s. Write @Version(\"%s\") in its %s%s"
                .formatted(now.name(), before.version(), told, due(),
                        "package-info.java, build it, and bring its text up to date: ", COMMAND);
    }
}

package io.manafold.shell.internal;

import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The commands there are, by name. Where two have one name, the one that came first answers until it goes. */
final class CommandTable {
    /** A command and what it said of itself when it came. */
    record Entry(Command command, Syntax syntax) {
        String name() {
            return syntax.name();
        }
    }

    private final Map<String, List<Entry>> entries = new TreeMap<>();

    synchronized Entry add(Command command, Syntax syntax) {
        Entry entry = new Entry(command, syntax);
        entries.computeIfAbsent(entry.name(), name -> new ArrayList<>()).add(entry);
        return entry;
    }

    synchronized void remove(Entry entry) {
        entries.computeIfPresent(entry.name(), (name, list) -> {
            list.remove(entry);
            return list.isEmpty() ? null : list;
        });
    }

    synchronized Optional<Entry> find(String name) {
        return Optional.ofNullable(entries.get(name)).map(List::getFirst);
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    synchronized Collection<String> names() {
        return List.copyOf(entries.keySet());
    }

    /** By name. */
    synchronized List<Syntax> syntaxes() {
        return entries.values().stream().map(list -> list.getFirst().syntax()).toList();
    }
}

package io.manafold.shell.internal;

import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commands there are, by name. Where two have one name, the one that came first answers until it goes. */
final class CommandTable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandTable.class);

    private final Map<String, List<Place>> places = new TreeMap<>();

    /** A command and what it said of itself. */
    record Entry(Command command, Syntax syntax) {
    }

    /** A name that can be typed, and the command behind it, which is made when it is first asked for. */
    static final class Place {
        private final String name;
        private final Supplier<Command> maker;
        private Entry entry;

        private Place(String name, Supplier<Command> maker) {
            this.name = name;
            this.maker = maker;
        }

        String name() {
            return name;
        }

        /** Empty if the command has just gone, or cannot be made, of which the log tells. */
        private synchronized Optional<Entry> entry() {
            if (entry == null) {
                entry = make();
            }
            return Optional.ofNullable(entry);
        }

        private Entry make() {
            try {
                Command command = maker.get();
                if (command == null) {
                    return null;
                }
                Syntax syntax = command.syntax();
                if (syntax.name().equals(name)) {
                    return new Entry(command, syntax);
                }
                LOG.error("The command {} calls itself {} and is left out", name, syntax.name());
            } catch (Throwable e) {
                LOG.error("The command {} cannot be made ready and is left out", name, e);
            }
            return null;
        }
    }

    /** @param maker answers {@code null} when the command has gone; called by the thread that first asks for it */
    synchronized Place add(String name, Supplier<Command> maker) {
        Place place = new Place(name, maker);
        places.computeIfAbsent(name, none -> new ArrayList<>()).add(place);
        return place;
    }

    Place add(Command command, Syntax syntax) {
        Place place = add(syntax.name(), () -> command);
        place.entry();
        return place;
    }

    synchronized void remove(Place place) {
        places.computeIfPresent(place.name(), (name, list) -> {
            list.remove(place);
            return list.isEmpty() ? null : list;
        });
    }

    Optional<Entry> find(String name) {
        // the command is made without the lock: that calls its bundle
        return first(name).flatMap(Place::entry);
    }

    private synchronized Optional<Place> first(String name) {
        return Optional.ofNullable(places.get(name)).map(List::getFirst);
    }

    boolean has(String name) {
        return first(name).isPresent();
    }

    synchronized Collection<String> names() {
        return List.copyOf(places.keySet());
    }

    /** By name. */
    List<Syntax> syntaxes() {
        return names().stream().flatMap(name -> find(name).stream()).map(Entry::syntax).toList();
    }
}

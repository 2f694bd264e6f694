package io.manafold.shell.internal;

import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commands there are, by name. Where two have one name, the one that came first answers until it goes. */
final class CommandTable {
    /** How long completion waits for a command. */
    static final Duration SOON = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(CommandTable.class);

    private final Map<String, List<Place>> places = new TreeMap<>();

    /** A command and what it said of itself. */
    record Entry(Command command, Syntax syntax) {
    }

    /** A name that can be typed, and the command behind it, which is made when it is first asked for. */
    static final class Place {
        private final String name;
        private final Supplier<Command> maker;
        private volatile Entry entry;
        private FutureTask<Entry> making;
        /** Whether it was waited for in vain. */
        private volatile boolean late;

        private Place(String name, Supplier<Command> maker) {
            this.name = name;
            this.maker = maker;
        }

        String name() {
            return name;
        }

        /** Empty if the command has just gone, or cannot be made, of which the log tells. */
        private Optional<Entry> entry() throws InterruptedException {
            try {
                return Optional.ofNullable(entry == null ? making().get() : entry);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The same within the limit; a command that did not come once holds up no session a second time. */
        private Optional<Entry> entry(Duration limit) throws InterruptedException, TimeoutException {
            try {
                return Optional.ofNullable(entry == null
                        ? making().get(late ? 0 : limit.toNanos(), TimeUnit.NANOSECONDS) : entry);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            } catch (TimeoutException e) {
                late = true;
                throw e;
            }
        }

        /** A thread of its own makes the command: its bundle may block, also where interruption does not reach. */
        private synchronized FutureTask<Entry> making() {
            if (making == null || making.isDone()
                    && (making.state() != Future.State.SUCCESS || making.resultNow() == null)) {
                FutureTask<Entry> next = new FutureTask<>(this::make);
                // where no thread can be started now the next caller tries it again
                Thread.ofPlatform().daemon().name("command " + name).start(next);
                making = next;
            }
            return making;
        }

        private Entry make() {
            entry = asked();
            return entry;
        }

        /** What help and completion say of a command that has not come; none of a name that cannot be typed. */
        private Optional<Syntax> standIn() {
            try {
                return Optional.of(Syntax.command(name, "not ready yet", "Its bundle has not made it ready yet")
                        .raw(Completer.NONE).example("help " + name, "waits for it and explains it").build());
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        private Entry asked() {
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
        place.entry = new Entry(command, syntax);
        return place;
    }

    synchronized void remove(Place place) {
        places.computeIfPresent(place.name(), (name, list) -> {
            list.remove(place);
            return list.isEmpty() ? null : list;
        });
    }

    /** Waits until the command is made. */
    Optional<Entry> find(String name) throws InterruptedException {
        Optional<Place> place = first(name);
        // the command is made without the lock: that calls its bundle
        return place.isEmpty() ? Optional.empty() : place.get().entry();
    }

    /** For completion; empty also if the command does not come soon. */
    Optional<Entry> findSoon(String name) {
        try {
            Optional<Place> place = first(name);
            return place.isEmpty() ? Optional.empty() : place.get().entry(SOON);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
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

    /** By name; of a command that does not come within the limit, that it is not ready. */
    List<Syntax> syntaxes(Duration limit) throws InterruptedException {
        List<Syntax> all = new ArrayList<>();
        for (String name : names()) {
            Optional<Place> place = first(name);
            if (place.isPresent()) {
                try {
                    place.get().entry(limit).map(Entry::syntax).ifPresent(all::add);
                } catch (TimeoutException e) {
                    place.get().standIn().ifPresent(all::add);
                }
            }
        }
        return all;
    }
}

package io.manafold.adapter.internal;

import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.adapter.ScriptedFault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is to go wrong. Any thread may call. */
final class Faults {
    static final int MOST = 256;
    private static final int TRACES = 256;

    private final List<Fault> faults = new ArrayList<>();
    private final List<FaultScript> scripts = new ArrayList<>();
    private final ArrayDeque<FaultTrace> traces = new ArrayDeque<>();
    private final AdapterEvents events;
    private final LongSupplier nanoTime;

    Faults() {
        this(AdapterEvents.NONE);
    }

    Faults(AdapterEvents events) {
        this(events, System::nanoTime);
    }

    Faults(AdapterEvents events, LongSupplier nanoTime) {
        this.events = events;
        this.nanoTime = nanoTime;
    }

    /** Refuses a fault of a message that there is none of. */
    static void check(Fault fault) {
        if (fault.message() != null && fault.effect() != Fault.Effect.WITHHOLD_COMPLETION
                && Command.named(fault.message()) == null) {
            throw new Refusal(Errno.EINVAL, "The fault " + fault.name() + " cannot be: there is no message '"
                    + fault.message() + "'. There are " + Arrays.stream(Command.values()).map(Command::label)
                    .collect(Collectors.joining(", ")) + ".");
        }
    }

    /** Adds a fault, in place of one of the same name. */
    synchronized void add(Fault fault) {
        check(fault);
        remove(fault.name());
        if (all().size() >= MOST) {
            throw full(fault.name());
        }
        faults.add(fault);
    }

    private static Refusal full(String name) {
        return new Refusal(Errno.ENOSPC, "The fault " + name + " is one too many: an adapter has at most " + MOST
                + ". Clear some.");
    }

    /** Begins a script, in place of one of the same name. */
    synchronized void play(FaultScriptReader reader, List<String> lines) {
        FaultScript script = reader.read(lines, nanoTime.getAsLong());
        Stream<Fault> ofOthers = scripted().stream().filter(one -> !one.script().equals(script.name()))
                .map(ScriptedFault::fault);
        List<String> there = Stream.concat(faults.stream(), ofOthers).map(Fault::name).toList();
        List<ScriptedFault> added = script.rest();
        added.stream().map(one -> one.fault().name()).filter(there::contains).findFirst().ifPresent(name -> {
            throw new Refusal(Errno.EEXIST, "The script " + script.name() + " cannot be played: a fault of its adapter "
                    + "is called '" + name + "' already. Clear that one, or choose another name with --name.");
        });
        if (there.size() + added.size() > MOST) {
            throw full(added.getLast().fault().name());
        }
        removeScript(script.name());
        scripts.add(script);
    }

    /** Takes a fault back, of a script or not, and a whole script: both if both have the name. */
    synchronized boolean remove(String name) {
        boolean removed = faults.removeIf(fault -> fault.name().equals(name)) | removeScript(name);
        for (FaultScript script : scripts) {
            removed = script.remove(name) || removed;
        }
        forgetOver();
        return removed;
    }

    private boolean removeScript(String name) {
        return scripts.removeIf(script -> script.name().equals(name));
    }

    private void forgetOver() {
        scripts.removeIf(FaultScript::isOver);
    }

    /** Those that are not spent, of scripts as well. */
    synchronized List<Fault> all() {
        return Stream.concat(faults.stream(), scripted().stream().map(ScriptedFault::fault)).toList();
    }

    /** Those of scripts that are not spent. */
    synchronized List<ScriptedFault> scripted() {
        return scripts.stream().flatMap(script -> script.rest().stream()).toList();
    }

    /** What goes wrong with the answer to a message, or {@code null}; spent if it is for once. */
    synchronized Fault take(String message) {
        Fault taken = takeInjected(message);
        for (FaultScript script : scripts) {
            Fault scripted = script.take(message, taken == null, nanoTime.getAsLong());
            taken = taken == null ? scripted : taken;
        }
        forgetOver();
        if (taken != null) {
            happened(taken, message);
        }
        return taken;
    }

    private Fault takeInjected(String message) {
        for (Fault fault : faults) {
            if (fault.effect() != Fault.Effect.WITHHOLD_COMPLETION
                    && (fault.message() == null || fault.message().equals(message))) {
                if (fault.once()) {
                    faults.remove(fault);
                }
                return fault;
            }
        }
        return null;
    }

    /** Faults of ports whose turn has come in a script. */
    synchronized List<Fault> ofPorts() {
        if (scripts.isEmpty()) {
            return List.of();
        }
        List<Fault> due = scripts.stream().flatMap(script -> script.ofPorts(nanoTime.getAsLong()).stream()).toList();
        forgetOver();
        return due;
    }

    /** In how many nanoseconds a step of a script begins without an answer. */
    synchronized long restNanos() {
        long now = nanoTime.getAsLong();
        return scripts.stream().mapToLong(script -> script.restNanos(now)).min().orElse(Long.MAX_VALUE);
    }

    /** Remembers that a fault had its effect, on a message or a port. */
    synchronized void happened(Fault fault, String message) {
        if (traces.size() == TRACES) {
            traces.removeFirst();
        }
        traces.add(new FaultTrace(Instant.now(), message, fault));
        if (fault.once()) {
            events.spent(fault, message);
        }
    }

    synchronized List<FaultTrace> traces() {
        return List.copyOf(traces);
    }
}

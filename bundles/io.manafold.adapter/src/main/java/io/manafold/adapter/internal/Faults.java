package io.manafold.adapter.internal;

import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What is to go wrong. Any thread may call. */
final class Faults {
    private static final int MOST = 256;
    private static final int TRACES = 256;

    private final List<Fault> faults = new ArrayList<>();
    private final ArrayDeque<FaultTrace> traces = new ArrayDeque<>();
    private final AdapterEvents events;

    Faults() {
        this(AdapterEvents.NONE);
    }

    Faults(AdapterEvents events) {
        this.events = events;
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
        if (faults.size() >= MOST) {
            throw new Refusal(Errno.ENOSPC, "The fault " + fault.name() + " is one too many: an adapter has at most "
                    + MOST + ". Clear some.");
        }
        faults.add(fault);
    }

    synchronized boolean remove(String name) {
        return faults.removeIf(fault -> fault.name().equals(name));
    }

    synchronized List<Fault> all() {
        return List.copyOf(faults);
    }

    /** What goes wrong with the answer to a message, or {@code null}; spent if it is for once. */
    synchronized Fault take(String message) {
        for (Fault fault : faults) {
            if (fault.effect() != Fault.Effect.WITHHOLD_COMPLETION
                    && (fault.message() == null || fault.message().equals(message))) {
                if (fault.once()) {
                    faults.remove(fault);
                }
                happened(fault, message);
                return fault;
            }
        }
        return null;
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

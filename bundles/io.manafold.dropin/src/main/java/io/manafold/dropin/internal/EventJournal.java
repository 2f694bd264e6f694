package io.manafold.dropin.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.EventLog;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the log at once and to the platform's events as soon as there is an event log: the drivers that lie in the
 * folder at start may well be taken before the bus is there. Used by one thread.
 */
final class EventJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(DropIn.class);
    private static final int MOST_KEPT = 64;

    private final Queue<Entry> waiting = new ArrayDeque<>();
    private final Supplier<EventLog> events;

    /** @param events the event log of the moment, or {@code null} */
    EventJournal(Supplier<EventLog> events) {
        this.events = events;
    }

    @Override
    public void tell(DeviceEvent.Kind kind, String sentence) {
        if (kind == DeviceEvent.Kind.BUNDLE_REFUSED) {
            LOG.warn("{}", sentence);
        } else {
            LOG.info("{}", sentence);
        }
        if (waiting.size() == MOST_KEPT) {
            waiting.remove();
        }
        waiting.add(new Entry(kind, sentence));
        flush();
    }

    void flush() {
        EventLog target = waiting.isEmpty() ? null : events.get();
        if (target != null) {
            for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
                target.post(entry.kind(), null, null, entry.sentence());
            }
        }
    }

    private record Entry(DeviceEvent.Kind kind, String sentence) {
    }
}

package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells events of an environment to the log and to those who listen, each of them on a line of its own. Any thread may
 * tell, listen and end that, without a lock.
 */
final class EventLines implements AutoCloseable {
    private final String environment;
    private final Journal journal;
    private final List<EventLine> lines = new CopyOnWriteArrayList<>();

    EventLines(String environment, Journal journal) {
        this.environment = environment;
        this.journal = journal;
    }

    AutoCloseable listen(EthDevListener listener) {
        EventLine[] line = new EventLine[1];
        line[0] = new EventLine("pmd-events-" + environment, listener, () -> lines.remove(line[0]));
        lines.add(line[0]);
        return line[0];
    }

    /** @param toApplication whether those who listen are told, besides the log */
    void tell(EthDevEvent event, boolean toApplication) {
        journal.event(event);
        if (toApplication) {
            lines.forEach(line -> line.tell(event));
        }
    }

    /** Ends each when all that was told has been heard, or when the limit is over. */
    void finish(Duration limit) {
        lines.forEach(line -> line.finish(limit));
    }

    @Override
    public void close() {
        lines.forEach(EventLine::close);
    }
}

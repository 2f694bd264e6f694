package io.manafold.api.testpmd;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** A started testpmd. For one thread. */
@ProviderType
public interface TestPmdRun extends AutoCloseable {
    /** What there is to read after the start. */
    String opening();

    /** Whether lines are asked for. */
    boolean isInteractive();

    /** Every how many seconds there are statistics to show, 0 for never. */
    int period();

    /** The statistics of all ports, as they are shown periodically. */
    String periodic();

    /** Carries a line out and answers what is to be read. What cannot be done is a sentence in it. */
    String line(String line);

    /**
     * How the last line ended, for programs: {@code status} is 0 if it was carried out. Else it is 1, {@code error} the
     * sentence, and {@code errno} the name of what it was refused with, {@code null} for a fault of the program.
     */
    default Map<String, Object> outcome() {
        return Map.of("status", 0);
    }

    /** What can come next on a line that is being typed. */
    List<String> completions(String line);

    /** What has happened to ports since this was asked last, a line each; empty if nothing. */
    String events();

    /** Whether a line has asked to end. */
    boolean isEnded();

    /**
     * For programs: mode, ports with their statistics, streams, and the totals by port of forwarding that has ended.
     * From {@link #finish} on they are those of the moment when forwarding had ended and ports were still there.
     */
    Map<String, Object> figures();

    /**
     * Stops forwarding, if it was, and closes ports; answers what is to be read. What is refused is told there and by
     * {@link #close}, and the rest goes on. A second time it is empty.
     */
    String finish();

    /**
     * As {@link #finish}.
     *
     * @throws io.manafold.api.refusal.Refusal all that was refused at the end; nothing is a second time
     */
    @Override
    void close();
}

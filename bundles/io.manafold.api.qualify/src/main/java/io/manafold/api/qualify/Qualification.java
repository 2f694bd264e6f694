package io.manafold.api.qualify;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Measures devices and makes reports of it that can be sent and compared; a service. Any thread may call. */
@ProviderType
public interface Qualification {
    /**
     * Measures. On interruption it ends soon with a report of what there is, and the thread stays interrupted.
     *
     * @param progress told a sentence after each step
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} without what the engine needs, such as a generator of
     *         traffic or a poll-mode driver, {@code ENODEV} for a device or an adapter that is not there, or a port
     *         that cannot be polled, {@code EINVAL} for a plan that cannot be, {@code EBUSY} while another one
     *         is under way, {@code ENETDOWN} for a device that is down, {@code EHOSTUNREACH} for a guest that does not
     *         answer
     */
    QualificationReport run(QualificationPlan plan, Consumer<String> progress);

    /** Names of devices that can be measured. */
    List<String> devices();

    /** Names of adapters that can be taken away and put back. */
    List<String> adapters();

    /**
     * Reads a report that {@link #json} has written; it may be hostile.
     *
     * @throws io.manafold.api.refusal.Refusal with the place and the rule, for what is none
     */
    QualificationReport read(Path file);

    /** Row by row, what the second is against the first. */
    List<Difference> compare(QualificationReport before, QualificationReport after);

    /** A report as the values of its JSON: maps, lists, strings and numbers. */
    Map<String, Object> values(QualificationReport report);

    /** A report as JSON. */
    String json(QualificationReport report);

    /** A page of HTML that needs nothing else. */
    String page(QualificationReport report);
}

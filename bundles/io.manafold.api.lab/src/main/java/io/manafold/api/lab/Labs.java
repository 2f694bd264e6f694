package io.manafold.api.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Labs by name or file: a word with a {@code /} in it or with the ending {@code .yaml} or {@code .yml} is a file, any
 * other a name. One lab is up at a time. Any thread may call; changes are made one call after the other. Refusals are
 * {@link io.manafold.api.refusal.Refusal}: {@code ENOENT} for a lab that is not there, {@code EINVAL} with line and
 * nearest name for a file that does not say what a lab may say.
 *
 * <p>Each entry of a lab becomes a factory configuration with the two properties {@link #LAB} and {@link #ENTRY}. The
 * entry has arrived when a service with its {@link #ENTRY} is registered, which a component does of itself when the
 * entry is its configuration. Such a component should be immediate: its entry has then arrived when it is activated,
 * and one whose activation fails is missing for that reason.
 */
@ProviderType
public interface Labs {
    /** The property that names the lab a configuration, and the service made from it, belongs to. */
    String LAB = "io.manafold.lab";

    /** The property that names the entry a configuration, and the service made from it, stands for: {@code links/a}. */
    String ENTRY = "io.manafold.lab.entry";

    /**
     * All labs that have a name: those that come with the platform and the {@code *.yaml} files of the labs folder,
     * where a file takes the place of a lab of its name that comes with the platform. The lab that is up is there as
     * well if it was read from another file.
     */
    List<LabStatus> list();

    /** A lab's file as it is written. */
    String text(String nameOrFile);

    /**
     * What {@link #up} would do now, and what it would leave as it was set by hand. Empty when the lab is up as written
     * and nothing else was set.
     */
    List<LabChange> diff(String nameOrFile);

    /**
     * Makes the platform look as the lab says: what another lab brought goes, entries that differ are changed, nothing
     * else is touched. Doing it twice changes nothing the second time. If it fails half way, what was changed is put
     * back.
     */
    List<LabChange> up(String nameOrFile);

    /**
     * Takes away what the lab brought, waits until it is gone, and forgets what was set by hand on its devices:
     * {@link #up} then makes all of it as the file says.
     */
    List<LabChange> forget(String nameOrFile, Duration limit) throws InterruptedException;

    /** Takes away what the lab brought; empty if it is not up. What was made of it may go a moment later. */
    List<LabChange> down(String name);

    /**
     * Waits until nothing is left of what no lab lists any more, and the devices among it have lost their drivers.
     *
     * @return what is still there when the limit has passed, each a sentence; empty when nothing is
     */
    List<String> settleGone(Duration limit) throws InterruptedException;

    /**
     * Waits until everything that is up has arrived and every device is bound, named and up.
     *
     * @return what is still missing when the limit has passed, each a sentence; empty when nothing is
     */
    List<String> settle(Duration limit) throws InterruptedException;

    /** The folder in which files become labs by name, there or not yet; {@code null} if this platform has none. */
    Path folder();
}

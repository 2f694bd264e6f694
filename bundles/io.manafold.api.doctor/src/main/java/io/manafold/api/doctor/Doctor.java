package io.manafold.api.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Gathers evidence and has checks look at it. A service. Any thread may call; what takes long ends on interruption. */
@ProviderType
public interface Doctor {
    /** All checks in the order in which they run. */
    List<Check> checks();

    /** Adapters, devices, drivers and ports of this platform. */
    Evidence platform();

    /**
     * What an adapter has seen of its driver.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} if there is no such adapter
     */
    Evidence guest(String adapter);

    /** Names of adapters. */
    List<String> adapters();

    /** This Linux, by the script. */
    Evidence host() throws InterruptedException;

    /** A folder or an archive: an image, or evidence that the script has written. */
    Evidence read(Path path) throws InterruptedException;

    /**
     * The same, and disks, which a helper machine reads.
     *
     * @param progress is told what the helper machine says, on any thread; its words may be a stranger's
     */
    Evidence read(Path path, HelperMachine machine, Consumer<String> progress) throws InterruptedException;

    /** A script for POSIX shells that reads a machine and writes evidence. */
    String script();

    /** The same evidence, and the line by which a poll-mode application is to be started. */
    Evidence withApplication(Evidence evidence, String line);

    /**
     * Has checks look, in their order.
     *
     * @param ids of the checks, with those that they need; empty for all
     * @throws io.manafold.api.refusal.Refusal {@code ENOENT} for an id that is none
     */
    List<Diagnosis> examine(Evidence evidence, List<String> ids) throws InterruptedException;

    /** Judges an image: its kernels, its libraries, and its rules for network devices. */
    Survey survey(Evidence image);

    /** A page of HTML that needs nothing else. */
    String page(String target, List<Diagnosis> diagnoses);
}

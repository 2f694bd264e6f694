package io.manafold.api.doctor;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Reads trees of strangers within bounds of time and memory. A service. */
@ProviderType
public interface EvidenceReader {
    /**
     * A folder as the root of a Linux, or an archive of one (tar, gz, xz, zstd, or newc as initial file systems are).
     * If it was written by the doctor's script, it is evidence of a machine.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENOENT} if there is nothing, {@code EINVAL} for what is no such
     *     thing, {@code EMSGSIZE} for one that is too large
     */
    Evidence read(Path path) throws InterruptedException;
}

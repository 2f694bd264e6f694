package io.manafold.api.doctor;

import java.nio.file.Path;
import java.util.function.Consumer;
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

    /**
     * The same, also of a container image in layers and of a disk (raw, qcow2, vhd, vhdx, vmdk), which a kernel in a
     * helper machine reads within four minutes.
     *
     * @param progress is told what the helper machine says, on any thread; its words may be a stranger's
     * @throws io.manafold.api.refusal.Refusal also {@code EPERM} for a disk that names another file, {@code ENOENT}
     *     if there is nothing to make the machine of, {@code ETIMEDOUT}
     */
    Evidence read(Path path, HelperMachine machine, Consumer<String> progress) throws InterruptedException;
}

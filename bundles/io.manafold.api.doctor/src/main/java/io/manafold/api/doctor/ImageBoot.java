package io.manafold.api.doctor;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Boots disks in virtual machines, on an adapter of this platform. A service. */
@ProviderType
public interface ImageBoot {
    /**
     * Reads a disk as {@link EvidenceReader} does, and takes out what it boots with.
     *
     * @param progress is told what goes on, on any thread; its words may be a stranger's
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for what is no disk, {@code ENOENT} without a program that
     *     can boot it or a kernel on the disk, {@code EBUSY} while another one boots; and as {@link EvidenceReader}
     */
    BootableImage open(Path disk, HelperMachine machine, Consumer<String> progress) throws InterruptedException;
}

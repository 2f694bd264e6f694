package io.manafold.api.vfio;

import io.manafold.api.device.PciAddress;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Something borrowed, at a moment. */
@ProviderType
public interface BorrowStatus {
    String name();

    /** Where its lender waits. */
    Path socket();

    /** Where the function is on the bus here, or will be. */
    PciAddress address();

    /** Whether the function is here; if not, {@link #problems} says why. */
    boolean connected();

    /** The ranges of memory that the function can reach. */
    int maps();

    /** The bytes of memory that the function can reach. */
    long mappedBytes();

    /** How often the function has come since the start. */
    long sessions();

    /** What is wrong with it, sentences. */
    List<String> problems();
}

package io.manafold.api.vfio;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** An export at a moment. */
@ProviderType
public interface ExportStatus {
    String name();

    /** The adapter it lends. */
    String adapter();

    /** The address of the function, or {@code null} while the adapter is not there. */
    String function();

    /** Where a virtual machine connects. */
    Path socket();

    /** Whether a virtual machine is connected. */
    boolean connected();

    /** Whether it can be connected to; if not, {@link #problems} says why. */
    boolean listening();

    /** The ranges of guest memory that are mapped. */
    int maps();

    /** The bytes of guest memory that are mapped. */
    long mappedBytes();

    /** How many bytes may be mapped. */
    long mostBytes();

    /** How many virtual machines have been connected since the start. */
    long sessions();

    /** What serving the virtual machine has cost, or the last one if none is connected. */
    ExportCosts costs();

    /** The arguments that give a virtual machine of QEMU this function, memory included, one word each. */
    List<String> qemuArguments();

    /** The same for a machine with so many MiB of memory. */
    List<String> qemuArguments(int mebibytes);

    /** What is wrong with it, sentences. */
    List<String> problems();
}

package io.manafold.api.doctor;

import java.nio.file.Path;

/**
 * What a machine is made of that reads disks: they are never mounted where the platform runs. What is {@code null} is
 * looked for where it is prepared or installed.
 *
 * @param qemu the program {@code qemu-system-x86_64}
 * @param kernel a kernel for x86-64 as boot loaders take it, with its modules in a folder {@code lib/modules} beside it
 *     or above
 */
public record HelperMachine(Path qemu, Path kernel) {
    /** Both are looked for. */
    public static final HelperMachine PREPARED = new HelperMachine(null, null);
}

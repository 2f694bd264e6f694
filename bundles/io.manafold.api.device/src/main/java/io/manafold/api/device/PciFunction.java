package io.manafold.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A PCI function: ids, configuration space, registers, interrupts. Any thread may call any method. Once the function is
 * gone, reads return all ones and writes go nowhere, as on a real bus.
 */
@ProviderType
public non-sealed interface PciFunction extends Device {
    PciAddress address();

    PciId identity();

    @Override
    default String id() {
        return address().toString();
    }

    /** The size of configuration space in bytes: 256, or 4096 with PCI Express. */
    int configSize();

    /**
     * Reads little-endian from configuration space.
     *
     * @param width 1, 2 or 4 bytes; the offset is a multiple of it
     */
    int readConfig(int offset, int width);

    /** Writes little-endian to configuration space; read-only bits keep their value. */
    void writeConfig(int offset, int width, int value);

    /** The implemented base address registers, by rising index. */
    List<Bar> bars();

    Interrupts interrupts();

    /** The memory that the function can reach. */
    DmaSpace dma();

    /** Function-level reset. Returns when nothing of the function is active any more. */
    void reset();
}

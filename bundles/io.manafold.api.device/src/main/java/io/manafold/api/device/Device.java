package io.manafold.api.device;

/**
 * Something a driver can be bound to, registered as a service by the bundle that brings it: its arrival is hot-plug,
 * the end of its registration is hot-unplug. Register it under {@code Device} and under its own type.
 */
public sealed interface Device permits PciFunction, AuxiliaryDevice {
    /**
     * The name by which people and saved state know the device, the same after every return: the PCI address of a
     * function, {@code mana.eth.0} for an auxiliary device. Unique on a platform at any time.
     */
    String id();
}

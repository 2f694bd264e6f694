package io.manafold.api.device;

import io.manafold.api.refusal.Refusal;
import org.osgi.annotation.versioning.ProviderType;

/** What a driver is given when it is asked to take a device over. */
@ProviderType
public interface Probe {
    Device device();

    /**
     * The device as the type the driver expects.
     *
     * @throws Refusal {@code ENODEV} if it is of another type, as can happen under an override
     */
    <D extends Device> D device(Class<D> type);

    /**
     * The refusal to throw when the device cannot be driven yet.
     *
     * @param waitsFor the id of the device that must be bound first, or {@code null}; it lets the core tell a circle of
     *        devices that wait for each other from patience
     * @param sentence what is missing
     */
    Refusal defer(String waitsFor, String sentence);
}

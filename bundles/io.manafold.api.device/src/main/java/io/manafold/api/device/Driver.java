package io.manafold.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Knows how to drive some devices; registered as a service by a driver bundle, whose version is the driver's. The core
 * calls {@link #probe} on threads of its own, for several devices at once but never twice at a time for one device.
 * When the service goes, the core removes the driver from all its devices before the unregistration returns. A
 * component of Declarative Services has it right by itself; a {@code BundleActivator} unregisters in its {@code stop},
 * for a framework that does it afterwards has made the bundle's context invalid by then.
 */
@ConsumerType
public interface Driver {
    /** The driver's name without a version; two services of one name are versions of one driver. */
    String name();

    /** What it can drive. The core reads the table once, when the service arrives. */
    List<DeviceMatch> idTable();

    /**
     * Takes a device over. Returns with the device at work, or throws and leaves no trace of the attempt. It has a time
     * limit; past it the thread is interrupted and the device given up.
     *
     * @return what ends this drive
     * @throws io.manafold.api.refusal.Refusal to decline with a reason; {@link Probe#defer} makes the one that asks to
     *         be tried again when something new has arrived
     * @throws Exception anything else, which is kept as the reason as well
     */
    Binding probe(Probe probe) throws Exception;
}

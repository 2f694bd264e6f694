package io.manafold.api.device;

import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Brings devices and drivers together as their services come and go, and takes an administrator's orders. The orders
 * block until they are carried out and throw a {@link io.manafold.api.refusal.Refusal} if they cannot be; what they set
 * is kept by device id and outlives the device, its driver and the platform. Any thread may call, except one on which
 * the core is calling a driver.
 */
@ProviderType
public interface DriverCore {
    /** All devices; parents before children, otherwise by id. */
    List<DeviceStatus> devices();

    /** All drivers by name, then version. */
    List<DriverStatus> drivers();

    /**
     * Lets a device be driven (again). If a driver that is named refuses the device, what was there before is put back,
     * and the refusal says so; an older build is not taken for the one that is meant.
     *
     * @param driver the driver to bind now, or {@code null} for whichever fits
     */
    void bind(String device, DriverChoice driver) throws InterruptedException;

    /** Removes the device's driver and keeps the device free. */
    void unbind(String device) throws InterruptedException;

    /** As {@link #unbind}, but it is not kept: the next start of the platform knows nothing of it. */
    void unbindForNow(String device) throws InterruptedException;

    /**
     * Allows one driver only, whatever its id table says, and binds it. If it refuses the device, what was there before
     * is put back, and the refusal says so.
     *
     * @param driver the driver, or {@code null} to let the id tables decide again; that can be ordered for a device
     *        that is not here, too
     */
    void override(String device, DriverChoice driver) throws InterruptedException;

    /**
     * As {@link #override}, but it is not kept, and what an administrator has set stays: an override holds again once
     * this is taken back, and a device unbound by hand stays free. The next {@link #override} of the device ends it.
     *
     * @param driver the driver, or {@code null} to take it back
     */
    void overrideForNow(String device, DriverChoice driver) throws InterruptedException;

    /**
     * Has the device's driver stop it and keep what was set and counted, until it is resumed or has another driver.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} without a driver, {@code EOPNOTSUPP} from a driver that
     *         cannot, {@code EBUSY} if it is suspended already or busy with something else
     */
    void suspend(String device) throws InterruptedException;

    /**
     * Has the device's driver go on with it.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if it is not suspended, else as {@link #suspend}
     */
    void resume(String device) throws InterruptedException;

    /**
     * Has a device that is about to come allow one driver only from its first moment, so that no other is bound to it
     * until an order about it says more. Returns at once; it is not kept, and the next order about the device ends it.
     * An override goes before it.
     *
     * @param driver the driver, or {@code null} to expect none any more
     */
    void expect(String device, DriverChoice driver);

    /**
     * Waits until everything that has arrived has been matched and every probe has ended.
     *
     * @return whether that came about within the limit
     */
    boolean settle(Duration limit) throws InterruptedException;
}

package io.manafold.api.device;

/** Why a driver is removed from a device. */
public enum Removal {
    /** An administrator asked for it, or another driver takes over; the device is there and answers. */
    UNBIND,
    /** The driver's bundle is leaving; the device is there and answers. */
    DRIVER_GONE,
    /** The device has gone already, or is another driver's by now: it must not be touched nor waited for. */
    DEVICE_GONE
}

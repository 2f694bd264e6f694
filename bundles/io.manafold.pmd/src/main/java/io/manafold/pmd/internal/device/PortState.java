package io.manafold.pmd.internal.device;

/** Where a port stands with its device. */
enum PortState {
    /** The device is there. */
    HERE,
    /** The function of the device is being reset, and the port waits for what comes back. */
    RECOVERING,
    /** It has not come back in time, or the port could not go on. */
    FAILED,
    /** The device has been taken away. */
    REMOVED,
    /** The application is done with it. */
    CLOSED
}

package io.manafold.api.device;

/** Where a device stands between arrival and departure. */
public enum DeviceState {
    /** No driver, and none being tried. */
    FREE,
    /** A driver is being asked to take it over. */
    PROBING,
    /** A driver has asked to be tried again when something new has arrived. */
    DEFERRED,
    BOUND,
    /** Its driver is being removed. */
    REMOVING,
    /** The last driver that was tried refused, threw, or overstayed; the reason is kept. */
    FAILED
}

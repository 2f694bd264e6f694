package io.manafold.ethernet.internal.function;

import io.manafold.api.device.KeptCounters;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.ReceiveMapping;

/**
 * What all functions of the driver share.
 *
 * @param devices all network devices of the driver
 * @param settings what administrators have set
 * @param counters what drivers of the same functions have counted before
 * @param services the services that the driver asks and tells
 * @param patience how long is waited for what
 * @param mapping when receive pages are made reachable unless an administrator has set it
 * @param trees whether trees of shapers are used where the adapter has them; else its clamp alone
 */
record DriverContext(Devices devices, SavedSettings settings, KeptCounters counters, ServiceGateway services,
        Timeouts patience, ReceiveMapping mapping, boolean trees) {
}

package io.manafold.ethernet.internal.function;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.ReceiveMapping;

/**
 * What the driver finds around it.
 *
 * @param devices all network devices of the driver
 * @param settings what administrators have set
 * @param outside whom it asks and tells
 * @param patience how long is waited for what
 * @param mapping when receive pages are made reachable unless somebody has set it
 * @param trees whether trees of shapers are used where the adapter has them; else its clamp alone
 */
record Surroundings(Devices devices, SavedSettings settings, Outside outside, Patience patience, ReceiveMapping mapping,
        boolean trees) {
}

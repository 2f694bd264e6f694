package io.manafold.ethernet.internal;

import io.manafold.agent.Agent;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.ReceiveMapping;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the driver finds around it.
 *
 * @param devices all network devices of the driver
 * @param settings what administrators have set
 * @param plans what devices shall be when nobody has set anything
 * @param parts lets the world know of an auxiliary device; what is answered takes it back
 * @param numbers finds numbers for auxiliary devices
 * @param patience how long is waited for what
 * @param agents has each device work on a thread of its own, or on one that it shares
 * @param mapping when receive pages are made reachable unless somebody has set it
 * @param trees whether trees of shapers are used where the adapter has them; else its clamp alone
 */
record Surroundings(Devices devices, SavedSettings settings, Plans plans, Function<AuxiliaryDevice, Runnable> parts,
        Parts.Numbers numbers, Patience patience, Agents agents, ReceiveMapping mapping,
        boolean trees) {
    Surroundings(Devices devices, SavedSettings settings, Plans plans, Function<AuxiliaryDevice, Runnable> parts,
            Parts.Numbers numbers, Patience patience, Agents agents) {
        this(devices, settings, plans, parts, numbers, patience, agents, ReceiveMapping.ARENA, true);
    }

    /** Finds the plan for a port, from 1. */
    @FunctionalInterface
    interface Plans {
        Optional<DevicePlan> find(PciAddress address, int port);
    }

    /** Makes the agent of a device; it is not started yet. */
    @FunctionalInterface
    interface Agents {
        Agent make(String name, Agent.Work work);
    }
}

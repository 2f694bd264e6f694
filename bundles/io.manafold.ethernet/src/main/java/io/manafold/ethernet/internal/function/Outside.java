package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.shaper.ShaperOps;
import java.util.Optional;

/** Whom the driver asks and tells that is not part of it. Any thread may call. */
interface Outside {
    /** Whether somebody has a device of a name. */
    boolean hasDevice(String name);

    /** Whether a plan wants a name. */
    boolean isPlanned(String name);

    /** The plan for a port, from 1. */
    Optional<DevicePlan> plan(PciAddress address, int port);

    /** A name has become free. */
    void nameIsFree();

    /** Lets the world know of a device and of its limits; what is answered takes it back. */
    Runnable publish(NetDevice device, ShaperOps limits);

    /** Finds a number that no other part of a name has. */
    int freeNumber(String part);

    /** Lets the world know of an auxiliary device; what is answered takes it back. */
    Runnable publish(AuxiliaryDevice part);

    /** Makes the agent of a device, which is not started yet: a thread of its own, unless devices share one. */
    default Agent agent(String name, Agent.Work work) {
        return new Agent(name, work);
    }
}

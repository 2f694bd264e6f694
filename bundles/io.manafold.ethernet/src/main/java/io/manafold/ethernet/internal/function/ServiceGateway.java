package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.shaper.ShaperOps;
import java.util.Optional;

/** What the driver asks of other bundles, and what it tells them. Any thread may call. */
interface ServiceGateway {
    /** Whether another driver has a device of a name. */
    boolean hasDevice(String name);

    /** Whether a network device has that number, of this driver or another. */
    boolean hasIndex(int index);

    /** Whether a plan wants a name. */
    boolean isPlanned(String name);

    /** The plan for a port, from 1. */
    Optional<DevicePlan> plan(PciAddress address, int port);

    /** A name has become free, or a port that was claimed: plans that had to wait are followed. */
    void nameIsFree();

    /** Registers a network device and its limits; what is answered takes both back. */
    Runnable publish(NetDevice device, ShaperOps limits);

    /** Finds a number that no other part of a name has. */
    int freeNumber(String part);

    /** Registers an auxiliary device; what is answered takes it back. */
    Runnable publish(AuxiliaryDevice part);

    /** Tells those who follow the events of the platform. */
    default void tell(Kind kind, String device, String sentence) {
    }

    /** Makes the agent of a device, which is not started yet: a thread of its own, unless devices share one. */
    default Agent agent(String name, Agent.Work work) {
        return new Agent(name, work);
    }
}

package io.manafold.ethernet.internal.function;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.shaper.ShaperOps;
import java.util.Optional;

/** A driver with nobody outside: no plans, no other devices, no one to tell. */
class Alone implements Outside {
    @Override
    public boolean hasDevice(String name) {
        return false;
    }

    @Override
    public boolean isPlanned(String name) {
        return false;
    }

    @Override
    public Optional<DevicePlan> plan(PciAddress address, int port) {
        return Optional.empty();
    }

    @Override
    public void nameIsFree() {
        // nobody waits for one
    }

    @Override
    public Runnable publish(NetDevice device, ShaperOps limits) {
        return () -> { };
    }

    @Override
    public int freeNumber(String part) {
        return 0;
    }

    @Override
    public Runnable publish(AuxiliaryDevice part) {
        return () -> { };
    }
}

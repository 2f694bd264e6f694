package io.manafold.ethernet.internal.function;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.shaper.ShaperOps;
import java.util.Optional;

/** The services of a driver that is alone: no plans, no other devices, no listeners. */
class Alone implements ServiceGateway {
    @Override
    public boolean hasDevice(String name) {
        return false;
    }

    @Override
    public boolean hasIndex(int index) {
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
        // no plan waits for one
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

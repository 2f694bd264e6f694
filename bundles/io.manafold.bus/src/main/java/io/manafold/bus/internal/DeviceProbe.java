package io.manafold.bus.internal;

import io.manafold.api.device.Device;
import io.manafold.api.device.Probe;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** One attempt to bind one device. */
record DeviceProbe(Device device) implements Probe {
    @Override
    public <D extends Device> D device(Class<D> type) {
        if (!type.isInstance(device)) {
            throw new Refusal(Errno.ENODEV, device.id() + " is not a " + type.getSimpleName()
                    + ", which is all that this driver can drive");
        }
        return type.cast(device);
    }

    @Override
    public Refusal defer(String waitsFor, String sentence) {
        return new Deferral(waitsFor, sentence);
    }
}

package io.manafold.bus.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Bar;
import io.manafold.api.device.Device;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import java.util.List;
import java.util.Objects;

/**
 * What id tables ask of a device, as it was when the device came. It looks like the device to them, runs none of its
 * bundle's code, and knows nothing else.
 */
final class DeviceDescription {
    private DeviceDescription() {
    }

    /** Asks the device, whose code this is: never on the loop. */
    static Device of(Device device) {
        return switch (device) {
            case PciFunction function -> new Function(Objects.requireNonNull(function.identity(),
                    "a function has to have an identity"));
            case AuxiliaryDevice part -> new Part(part.name());
        };
    }

    private static UnsupportedOperationException unknown() {
        return new UnsupportedOperationException("a description of a device is only matched with id tables");
    }

    private record Part(String name) implements AuxiliaryDevice {
        @Override
        public int number() {
            throw unknown();
        }

        @Override
        public String parent() {
            throw unknown();
        }

        @Override
        public <T> T lend(Class<T> type) {
            throw unknown();
        }
    }

    private record Function(PciId identity) implements PciFunction {
        @Override
        public PciAddress address() {
            throw unknown();
        }

        @Override
        public int configSize() {
            throw unknown();
        }

        @Override
        public int readConfig(int offset, int width) {
            throw unknown();
        }

        @Override
        public void writeConfig(int offset, int width, int value) {
            throw unknown();
        }

        @Override
        public List<Bar> bars() {
            throw unknown();
        }

        @Override
        public Interrupts interrupts() {
            throw unknown();
        }

        @Override
        public DmaSpace dma() {
            throw unknown();
        }

        @Override
        public void reset() {
            throw unknown();
        }
    }
}

package io.manafold.itests.embedding.device;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import java.util.List;

/** As much of QEMU's teaching device as the example's driver touches. It becomes part of a bundle of the tests. */
final class EduFunction implements PciFunction, Bar {
    private long factorial;

    @Override
    public PciAddress address() {
        return new PciAddress(0, 0, 4, 0);
    }

    @Override
    public PciId identity() {
        return new PciId(0x1234, 0x11e8, 0x1af4, 0x1100, 0x00ff00, 0x10);
    }

    @Override
    public int configSize() {
        return 256;
    }

    @Override
    public int readConfig(int offset, int width) {
        return -1;
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        // the driver does not write there
    }

    @Override
    public List<Bar> bars() {
        return List.of(this);
    }

    @Override
    public Interrupts interrupts() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DmaSpace dma() {
        throw new UnsupportedOperationException("this function has no memory access");
    }

    @Override
    public void reset() {
        factorial = 0;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public long size() {
        return 1 << 20;
    }

    @Override
    public boolean is64Bit() {
        return false;
    }

    @Override
    public boolean isPrefetchable() {
        return false;
    }

    @Override
    public int read32(long offset) {
        return switch ((int) offset) {
            case 0x00 -> 0x010000ed;
            case 0x08 -> (int) factorial;
            case 0x20 -> 0;
            default -> -1;
        };
    }

    @Override
    public long read64(long offset) {
        return -1;
    }

    @Override
    public void write32(long offset, int value) {
        if (offset == 0x08) {
            factorial = 1;
            for (int n = 2; n <= value; n++) {
                factorial *= n;
            }
        }
    }

    @Override
    public void write64(long offset, long value) {
        // the device takes words of 32 bits
    }
}

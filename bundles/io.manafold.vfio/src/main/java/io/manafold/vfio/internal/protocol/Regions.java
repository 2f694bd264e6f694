package io.manafold.vfio.internal.protocol;

import io.manafold.api.device.Bar;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;

/**
 * The function's windows by vfio's numbers: base address registers 0 to 5, configuration space 7. An access goes in the
 * largest naturally aligned pieces that fit, so that one of 4 or 8 aligned bytes stays one access of the function.
 */
final class Regions {
    private final PciFunction function;
    private final Bar[] bars = new Bar[6];

    Regions(PciFunction function) {
        this.function = function;
        for (Bar bar : function.bars()) {
            bars[bar.index()] = bar;
        }
    }

    /** The size of a region, 0 if there is none of that number. */
    long size(int region) {
        if (region == VfioUser.REGION_CONFIG) {
            return function.configSize();
        }
        return region >= 0 && region < bars.length && bars[region] != null ? bars[region].size() : 0;
    }

    /** Insists that an access lies wholly in a region. */
    void check(int region, long offset, int count) {
        long size = size(region);
        if (count <= 0 || count > VfioUser.MAX_TRANSFER || offset < 0 || offset > size - count) {
            throw new Refusal(Errno.EINVAL, "an access to region " + Integer.toUnsignedString(region) + " at 0x"
                    + Long.toHexString(offset) + " of " + Integer.toUnsignedString(count) + " bytes does not lie "
                    + "in it: " + (size == 0 ? "there is no such region"
                    : "it has 0x" + Long.toHexString(size) + " bytes")
                    + ", and one access moves at most " + VfioUser.MAX_TRANSFER);
        }
    }

    void read(int region, long offset, int count, ByteBuffer to, int at) {
        check(region, offset, count);
        Bar bar = region == VfioUser.REGION_CONFIG ? null : bars[region];
        int done = 0;
        while (done < count) {
            long here = offset + done;
            int width = width(here, count - done, bar == null ? 4 : 8);
            long value = bar == null ? function.readConfig((int) here, width) : read(bar, here, width);
            put(to, at + done, width, value);
            done += width;
        }
    }

    void write(int region, long offset, int count, ByteBuffer from, int at) {
        check(region, offset, count);
        Bar bar = region == VfioUser.REGION_CONFIG ? null : bars[region];
        int done = 0;
        while (done < count) {
            long here = offset + done;
            int width = width(here, count - done, bar == null ? 4 : 8);
            long value = get(from, at + done, width);
            if (bar == null) {
                function.writeConfig((int) here, width, (int) value);
            } else {
                write(bar, here, width, value);
            }
            done += width;
        }
    }

    private static int width(long offset, int left, int most) {
        int width = most;
        while (width > left || (offset & width - 1) != 0) {
            width >>= 1;
        }
        return width;
    }

    private static long read(Bar bar, long offset, int width) {
        if (width == 8) {
            return bar.read64(offset);
        }
        if (width == 4) {
            return bar.read32(offset);
        }
        return bar.read32(offset & ~3) >>> ((offset & 3) << 3);
    }

    private static void write(Bar bar, long offset, int width, long value) {
        if (width == 8) {
            bar.write64(offset, value);
        } else if (width == 4) {
            bar.write32(offset, (int) value);
        } else {
            // registers have no narrower access: the rest of the word is written back as it reads
            int shift = (int) (offset & 3) << 3;
            int mask = (width == 2 ? 0xffff : 0xff) << shift;
            int word = bar.read32(offset & ~3);
            bar.write32(offset & ~3, word & ~mask | (int) value << shift & mask);
        }
    }

    private static void put(ByteBuffer to, int at, int width, long value) {
        switch (width) {
            case 8 -> to.putLong(at, value);
            case 4 -> to.putInt(at, (int) value);
            case 2 -> to.putShort(at, (short) value);
            default -> to.put(at, (byte) value);
        }
    }

    private static long get(ByteBuffer from, int at, int width) {
        return switch (width) {
            case 8 -> from.getLong(at);
            case 4 -> from.getInt(at);
            case 2 -> from.getShort(at) & 0xffff;
            default -> from.get(at) & 0xff;
        };
    }
}

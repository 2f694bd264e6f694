package io.manafold.adapter.internal;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.MemoryMap;

/** BAR 0: where things are, the aperture of the hardware channel, doorbells. */
final class Registers extends RegisterWindow {
    static final long SIZE = 0x20_0000;

    private static final int APERTURE = 0x400;
    private static final long DOORBELLS = 0x10_0000;
    private static final int PAGE = MemoryMap.PAGE;
    private static final long DOORBELLS_END = DOORBELLS + (long) DoorbellPages.COUNT * PAGE;

    private final AdapterFunction function;
    private final Aperture aperture;

    Registers(AdapterFunction function, Aperture aperture) {
        super(0, SIZE);
        this.function = function;
        this.aperture = aperture;
    }

    @Override
    public int read32(long offset) {
        if (!isAccess(offset, 4) || function.isGone()) {
            return -1;
        }
        if (offset >= APERTURE && offset < APERTURE + MemoryMap.APERTURE) {
            return aperture.read((int) (offset - APERTURE) / 4);
        }
        return switch ((int) offset) {
            case MemoryMap.DOORBELL_OFFSET -> (int) DOORBELLS;
            case MemoryMap.DOORBELL_SIZE -> PAGE;
            case MemoryMap.APERTURE_OFFSET -> APERTURE;
            default -> 0;
        };
    }

    @Override
    public void write32(long offset, int value) {
        if (!isAccess(offset, 4) || function.isGone()) {
            return;
        }
        if (offset >= APERTURE && offset < APERTURE + MemoryMap.APERTURE) {
            if (aperture.write((int) (offset - APERTURE) / 4, value)) {
                function.wake();
            }
        } else {
            refuse("registers are read, the aperture and the doorbells are written; offset 0x"
                    + Long.toHexString(offset) + " is neither, or a doorbell in halves",
                    "write doorbells as 8 bytes");
        }
    }

    @Override
    public void write64(long offset, long value) {
        if (offset < DOORBELLS || offset >= DOORBELLS_END) {
            super.write64(offset, value);
        } else if (isAccess(offset, 8) && !function.isGone()) {
            int into = (int) (offset - DOORBELLS);
            Session session = function.session();
            if (session != null) {
                session.doorbells().ring(into / PAGE, into % PAGE, value);
            } else if (into % PAGE < Doorbell.COMPLETION) {
                // what a driver has consumed it may still say when the channel has just ended
                refuse("work is rung for while the hardware channel is up", "establish it first");
            }
        }
    }

    private void refuse(String rule, String right) {
        function.rejections().note("registers", new byte[0], rule, right, "the write was ignored");
    }
}

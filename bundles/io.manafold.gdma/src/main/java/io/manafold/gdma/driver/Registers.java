package io.manafold.gdma.driver;

import io.manafold.api.device.Bar;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.MemoryMap;

/** The register window of a function as its driver sees it: where its parts are, checked once. */
public final class Registers {
    private final Bar bar;
    private final RegisterWindow window;
    private final long doorbells;
    private final int pageSize;
    private final long aperture;

    /**
     * Reads the register block.
     *
     * @throws Refusal {@code ENOMEM} without the window, {@code EPROTO} if something does not lie in it
     */
    public Registers(PciFunction function) {
        this(function.bars().stream().filter(one -> one.index() == 0).findFirst().orElseThrow(() -> new Refusal(
                Errno.ENOMEM, function.id() + " has no register window 0; it is no function of this kind.")),
                function.id(), MemoryMap.hasVfRegisters(function.identity().device()));
    }

    /** Reads the register block of a window; {@code id} names its function in sentences. */
    Registers(Bar bar, String id, boolean vf) {
        this.bar = bar;
        window = new RegisterWindow(bar);
        if (vf) {
            pageSize = bar.read32(MemoryMap.DOORBELL_SIZE) & 0xffff;
            doorbells = bar.read64(MemoryMap.DOORBELL_OFFSET);
            aperture = bar.read64(MemoryMap.APERTURE_OFFSET);
        } else {
            pageSize = bar.read32(MemoryMap.PF_DOORBELL_SIZE) & 0xffff;
            doorbells = bar.read64(MemoryMap.PF_DOORBELL_OFFSET);
            long block = bar.read64(MemoryMap.PF_SRIOV_OFFSET);
            check(inside(block, MemoryMap.PF_SRIOV_APERTURE + 8) && block % 8 == 0, id,
                    "block for virtualisation at 0x", block);
            long relative = bar.read64(block + MemoryMap.PF_SRIOV_APERTURE);
            check(relative >= 0 && relative < bar.size(), id, "aperture relative to its block at 0x", relative);
            aperture = block + relative;
        }
        check(pageSize >= MemoryMap.MIN_DOORBELL_PAGE, id, "size of doorbell pages 0x", pageSize);
        check(inside(doorbells, 1), id, "doorbells at 0x", doorbells);
        check(inside(aperture, MemoryMap.APERTURE) && aperture % 4 == 0, id, "aperture at 0x", aperture);
    }

    private boolean inside(long offset, int length) {
        return offset >= 0 && offset <= bar.size() - length;
    }

    private static void check(boolean good, String id, String what, long value) {
        if (!good) {
            throw new Refusal(Errno.EPROTO, id + " says its " + what + Long.toHexString(value)
                    + ", which its register window does not allow; reset the function or look after the device.");
        }
    }

    /** Whether a doorbell page lies in the window. */
    public boolean hasPage(int page) {
        return page >= 0 && inside(doorbells + (long) pageSize * page, pageSize);
    }

    public int doorbellPageSize() {
        return pageSize;
    }

    /** A page that belongs to the channel or to a registration; the caller knows that it lies in the window. */
    DoorbellPage page(int number) {
        return page(number, null);
    }

    /** A page that its user gives back. */
    DoorbellPage page(int number, Runnable giveBack) {
        return new DoorbellPage(window, doorbells + (long) pageSize * number, number, giveBack);
    }

    /** Reads a word of the shared-memory channel. */
    public int readAperture(int word) {
        return bar.read32(aperture + 4L * word);
    }

    public void writeAperture(int word, int value) {
        window.write32(aperture + 4L * word, value);
    }

    /** The function is another session's: nothing that is written from here on reaches it, doorbells included. */
    void abandon() {
        window.end();
    }
}

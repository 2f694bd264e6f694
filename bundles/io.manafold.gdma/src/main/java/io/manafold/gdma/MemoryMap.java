package io.manafold.gdma;

/** Identity of the function and the layout of its register window, BAR 0. */
public final class MemoryMap {
    public static final int VENDOR = 0x1414;
    /** Device id of the virtual function. */
    public static final int VF = 0x00ba;
    /** Device id of the physical function with a register block of its own shape. */
    public static final int PF = 0x00b9;
    /** Device id of the physical function with the register block of a virtual one. */
    public static final int PF2 = 0x00c1;
    /** Ethernet controller. */
    public static final int CLASS = 0x020000;

    /** The unit of every page list, frame number and bootstrap queue, whatever the driver's machine calls a page. */
    public static final int PAGE = 4096;
    /** Bytes of the shared-memory aperture. */
    public static final int APERTURE = 32;
    /** The smallest doorbell page. */
    public static final int MIN_DOORBELL_PAGE = 4096;

    /** VF, PF2; 64 bits: where the doorbell pages begin. */
    public static final int DOORBELL_OFFSET = 0x08;
    /** VF, PF2; 32 bits, of which the low 16 count: the size of a doorbell page. */
    public static final int DOORBELL_SIZE = 0x10;
    /** VF, PF2; 64 bits: where the shared-memory aperture is. */
    public static final int APERTURE_OFFSET = 0x18;

    /** PF; 64 bits: where the doorbell pages begin. */
    public static final int PF_DOORBELL_OFFSET = 0xc8;
    /** PF; 32 bits, of which the low 16 count: the size of a doorbell page. */
    public static final int PF_DOORBELL_SIZE = 0xd0;
    /** PF; 64 bits: where the block for single-root virtualisation is. */
    public static final int PF_SRIOV_OFFSET = 0x108;
    /** PF; 64 bits inside that block: where the aperture is, counted from the block. */
    public static final int PF_SRIOV_APERTURE = 0x70;

    private MemoryMap() {
    }

    /** Whether a function of this device id has the register block of a virtual function. */
    public static boolean hasVfRegisters(int device) {
        return device != PF;
    }

    /** Whether a function of this device id behaves as a physical one. */
    public static boolean isPhysical(int device) {
        return device == PF || device == PF2;
    }
}

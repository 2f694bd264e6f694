package io.manafold.api.device;

/**
 * What a function is, as its configuration space says.
 *
 * @param classCode base class, subclass and programming interface in 24 bits: 0x020000 is an Ethernet controller
 */
public record PciId(int vendor, int device, int subsystemVendor, int subsystemDevice, int classCode, int revision) {
    public PciId {
        if (((vendor | device | subsystemVendor | subsystemDevice) & ~0xffff) != 0
                || (classCode & ~0xffffff) != 0 || (revision & ~0xff) != 0) {
            throw new IllegalArgumentException("ids have 16 bits, the class 24, the revision 8");
        }
    }

    /** {@code 1414:00ba}. */
    @Override
    public String toString() {
        return "%04x:%04x".formatted(vendor, device);
    }
}

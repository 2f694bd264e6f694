package io.manafold.api.device;

/** One line of a driver's id table. */
public sealed interface DeviceMatch {
    boolean matches(Device device);

    /** How narrow the line is; where two drivers claim a device, the narrower claim is tried first. */
    int specificity();

    /**
     * PCI functions by vendor, device and class.
     *
     * @param vendor 16 bits, or {@link #ANY}
     * @param device 16 bits, or {@link #ANY}
     * @param classCode compared with the function's under {@code classMask}; a mask of 0 leaves the class out
     */
    record Pci(int vendor, int device, int classCode, int classMask) implements DeviceMatch {
        public static final int ANY = -1;

        public Pci(int vendor, int device) {
            this(vendor, device, 0, 0);
        }

        @Override
        public boolean matches(Device candidate) {
            return candidate instanceof PciFunction function
                    && (vendor == ANY || vendor == function.identity().vendor())
                    && (device == ANY || device == function.identity().device())
                    && ((classCode ^ function.identity().classCode()) & classMask) == 0;
        }

        @Override
        public int specificity() {
            return (vendor == ANY ? 0 : 4) + (device == ANY ? 0 : 2) + (classMask == 0 ? 0 : 1);
        }

        @Override
        public String toString() {
            return "pci " + word(vendor) + ":" + word(device)
                    + (classMask == 0 ? "" : ":%06x/%06x".formatted(classCode, classMask));
        }

        private static String word(int id) {
            return id == ANY ? "*" : "%04x".formatted(id);
        }
    }

    /** Auxiliary devices by name, without the number: {@code mana.rdma}. */
    record Auxiliary(String name) implements DeviceMatch {
        @Override
        public boolean matches(Device candidate) {
            return candidate instanceof AuxiliaryDevice auxiliary && name.equals(auxiliary.name());
        }

        @Override
        public int specificity() {
            return 8;
        }

        @Override
        public String toString() {
            return "auxiliary " + name;
        }
    }
}

package io.manafold.commands.platform.internal;

import java.util.Optional;

/** The few names of classes and vendors that occur here; others stand as numbers. */
final class PciNames {
    private PciNames() {
    }

    /** What people call a class of 24 bits. */
    static String className(int classCode) {
        return knownClass(classCode).orElseGet(() -> "Class %04x".formatted(classCode >>> 8));
    }

    static Optional<String> knownClass(int classCode) {
        return Optional.ofNullable(switch (classCode >>> 8) {
            case 0x0100 -> "SCSI storage controller";
            case 0x0108 -> "Non-Volatile memory controller";
            case 0x0200 -> "Ethernet controller";
            case 0x0207 -> "Infiniband controller";
            case 0x0280 -> "Network controller";
            case 0x0300 -> "VGA compatible controller";
            case 0x0600 -> "Host bridge";
            case 0x0604 -> "PCI bridge";
            case 0x0c03 -> "USB controller";
            default -> null;
        });
    }

    static Optional<String> vendor(int vendor) {
        return Optional.ofNullable(switch (vendor) {
            case 0x1414 -> "Microsoft Corporation";
            case 0x15b3 -> "Mellanox Technologies";
            case 0x1af4 -> "Red Hat, Inc.";
            case 0x8086 -> "Intel Corporation";
            default -> null;
        });
    }
}

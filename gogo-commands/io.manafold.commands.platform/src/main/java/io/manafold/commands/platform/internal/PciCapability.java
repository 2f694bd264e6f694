package io.manafold.commands.platform.internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One link of a function's capability lists.
 *
 * @param offset where it stands in configuration space
 * @param extended whether it is in the list of PCI Express, from 0x100 on
 * @param text what {@code lspci -v} says of it
 */
record PciCapability(int offset, int id, boolean extended, String text) {
    private static final int STATUS = 0x06;
    private static final int HAS_CAPABILITIES = 0x10;
    private static final int FIRST = 0x34;
    private static final int EXTENDED = 0x100;

    /** Walks both lists; each place is visited once, however they point. */
    static List<PciCapability> of(PciConfig config) {
        List<PciCapability> found = new ArrayList<>();
        if ((config.read16(STATUS) & HAS_CAPABILITIES) != 0) {
            standard(config, found);
        }
        if (config.size() > EXTENDED) {
            extended(config, found);
        }
        return found;
    }

    private static void standard(PciConfig config, List<PciCapability> found) {
        BitSet visited = new BitSet();
        for (int at = config.read8(FIRST) & 0xfc; at != 0; at = config.read8(at + 1) & 0xfc) {
            int id = config.read8(at);
            if (visited.get(at)) {
                found.add(new PciCapability(at, id, false, "<chain looped>"));
                return;
            }
            visited.set(at);
            if (id == 0xff || at < 0x40) {
                found.add(new PciCapability(at, id, false, "<chain broken>"));
                return;
            }
            found.add(new PciCapability(at, id, false, text(config, at, id)));
        }
    }

    private static void extended(PciConfig config, List<PciCapability> found) {
        BitSet visited = new BitSet();
        int at = EXTENDED;
        while (at >= EXTENDED) {
            int header = config.read32(at);
            if (header == 0 || header == -1) {
                return;
            }
            int id = header & 0xffff;
            if (visited.get(at)) {
                found.add(new PciCapability(at, id, true, "<chain looped>"));
                return;
            }
            visited.set(at);
            found.add(new PciCapability(at, id, true, extendedText(config, at, id)));
            at = header >>> 20 & 0xffc;
        }
    }

    private static String text(PciConfig config, int at, int id) {
        int word = config.read16(at + 2);
        return switch (id) {
            case 0x01 -> "Power Management version " + (word & 7);
            case 0x03 -> "Vital Product Data";
            case 0x05 -> "MSI: Enable" + sign(word, 0) + " Count=" + (1 << (word >>> 4 & 7)) + "/"
                    + (1 << (word >>> 1 & 7))
                    + " Maskable" + sign(word, 8) + " 64bit" + sign(word, 7);
            case 0x09 -> "Vendor Specific Information: Len=%02x <?>".formatted(word & 0xff);
            case 0x10 -> "Express (v%d) %s, MSI %02x".formatted(word & 0xf, expressType(word >>> 4 & 0xf),
                    word >>> 9 & 0x1f);
            case 0x11 -> "MSI-X: Enable" + sign(word, 15) + " Count=" + ((word & 0x7ff) + 1) + " Masked"
                    + sign(word, 14);
            default -> "#%02x [%04x]".formatted(id, word);
        };
    }

    private static String sign(int word, int bit) {
        return (word >>> bit & 1) != 0 ? "+" : "-";
    }

    private static String expressType(int type) {
        return switch (type) {
            case 0 -> "Endpoint";
            case 1 -> "Legacy Endpoint";
            case 4 -> "Root Port (Slot-)";
            case 9 -> "Root Complex Integrated Endpoint";
            default -> "Unknown type " + type;
        };
    }

    private static String extendedText(PciConfig config, int at, int id) {
        return switch (id) {
            case 0x0001 -> "Advanced Error Reporting";
            case 0x0003 -> "Device Serial Number " + serial(config.read32(at + 8)) + "-"
                    + serial(config.read32(at + 4));
            case 0x000b -> "Vendor Specific Information: ID=%04x Rev=%d Len=%03x <?>".formatted(
                    config.read16(at + 4), config.read16(at + 6) & 0xf, config.read16(at + 6) >>> 4);
            case 0x000e -> "Alternative Routing-ID Interpretation (ARI)";
            case 0x000f -> "Address Translation Service (ATS)";
            case 0x0010 -> "Single Root I/O Virtualization (SR-IOV)";
            default -> "Extended Capability ID 0x%02x".formatted(id);
        };
    }

    private static String serial(int word) {
        return "%02x-%02x-%02x-%02x".formatted(word >>> 24, word >>> 16 & 0xff, word >>> 8 & 0xff, word & 0xff);
    }
}

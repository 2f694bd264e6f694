package io.manafold.commands.platform.internal;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.shell.Fields;
import java.util.List;
import java.util.Optional;

/**
 * One function as {@code lspci} describes it.
 *
 * @param driver the name of the driver at work
 * @param modules the bundles with a driver that fits
 */
record PciListing(PciFunction function, Optional<String> driver, List<String> modules) {
    private static final int COMMAND = 0x04;
    private static final int STATUS = 0x06;
    private static final int LATENCY = 0x0d;
    private static final int HEADER_TYPE = 0x0e;
    private static final int BASE_ADDRESS = 0x10;
    private static final int INTERRUPT_LINE = 0x3c;
    private static final int INTERRUPT_PIN = 0x3d;

    /** What to show. */
    record Style(boolean verbose, boolean kernel, boolean domains, boolean numbers, boolean numbersAndNames) {
    }

    static PciListing of(PciFunction function, List<DeviceStatus> devices, List<DriverStatus> drivers) {
        Optional<String> driver = devices.stream().filter(status -> status.id().equals(function.id())).findFirst()
                .flatMap(DeviceStatus::driver).map(DriverChoice::name);
        List<String> modules = drivers.stream().filter(known -> fits(known, function)).map(DriverStatus::bundle)
                .distinct().sorted().toList();
        return new PciListing(function, driver, modules);
    }

    private static boolean fits(DriverStatus driver, PciFunction function) {
        for (DeviceMatch match : driver.idTable()) {
            if (match.matches(function)) {
                return true;
            }
        }
        return false;
    }

    String text(Style style) {
        PciConfig config = new PciConfig(function);
        StringBuilder text = new StringBuilder(terse(style));
        if (style.verbose() || style.kernel()) {
            subsystem(text, style);
        }
        if (style.verbose()) {
            int type = config.read8(HEADER_TYPE) & 0x7f;
            if (type == 0) {
                flags(text, config);
                function.bars().forEach(bar -> memory(text, config, bar));
                PciCapability.of(config).forEach(capability -> text.append("\tCapabilities: [")
                        .append((capability.extended() ? "%03x" : "%02x").formatted(capability.offset())).append("] ")
                        .append(capability.text()).append('\n'));
            } else {
                text.append("\t!!! Unknown header type %02x\n".formatted(type));
            }
        }
        if (style.verbose() || style.kernel()) {
            driver.ifPresent(name -> text.append("\tKernel driver in use: ").append(name).append('\n'));
            if (!modules.isEmpty()) {
                text.append("\tKernel modules: ").append(String.join(", ", modules)).append('\n');
            }
        }
        return text.append(style.verbose() ? "\n" : "").toString();
    }

    private String terse(Style style) {
        PciId id = function.identity();
        int programming = id.classCode() & 0xff;
        return slot(style.domains()) + " " + className(id, style) + ": "
                + deviceName(id.vendor(), id.device(), style)
                + (id.revision() == 0 ? "" : " (rev %02x)".formatted(id.revision()))
                + (style.verbose() && programming != 0 ? " (prog-if %02x)".formatted(programming) : "") + "\n";
    }

    private String slot(boolean domains) {
        String full = function.address().toString();
        return domains ? full : full.substring(full.indexOf(':') + 1);
    }

    private static String className(PciId id, Style style) {
        String number = "%04x".formatted(id.classCode() >>> 8);
        if (style.numbers()) {
            return number;
        }
        if (!style.numbersAndNames()) {
            return PciNames.className(id.classCode());
        }
        return PciNames.knownClass(id.classCode()).orElse("Class") + " [" + number + "]";
    }

    private static String deviceName(int vendor, int device, Style style) {
        String numbers = "%04x:%04x".formatted(vendor, device);
        if (style.numbers()) {
            return numbers;
        }
        String unknown = style.numbersAndNames() ? "Vendor" : "Vendor %04x".formatted(vendor);
        String name = PciNames.vendor(vendor).orElse(unknown);
        return name + " Device " + (style.numbersAndNames() ? "[" + numbers + "]" : "%04x".formatted(device));
    }

    private void subsystem(StringBuilder text, Style style) {
        PciId id = function.identity();
        if (id.subsystemVendor() != 0 && id.subsystemVendor() != 0xffff) {
            text.append("\tSubsystem: ").append(deviceName(id.subsystemVendor(), id.subsystemDevice(), style))
                    .append('\n');
        }
    }

    private static void flags(StringBuilder text, PciConfig config) {
        int command = config.read16(COMMAND);
        int status = config.read16(STATUS);
        boolean master = (command & 0x4) != 0;
        text.append("\tFlags: ").append(master ? "bus master, " : "").append((status & 0x20) != 0 ? "66MHz, " : "")
                .append(switch (status >>> 9 & 3) {
                    case 0 -> "fast";
                    case 1 -> "medium";
                    case 2 -> "slow";
                    default -> "??";
                }).append(" devsel");
        if (master) {
            text.append(", latency ").append(config.read8(LATENCY));
        }
        if (config.read8(INTERRUPT_PIN) != 0) {
            text.append(", IRQ ").append(config.read8(INTERRUPT_LINE));
        }
        text.append('\n');
    }

    private static void memory(StringBuilder text, PciConfig config, Bar bar) {
        long address = address(config, bar);
        text.append("\tMemory at ").append(address == 0 ? "<unassigned>" : Long.toHexString(address))
                .append(bar.is64Bit() ? " (64-bit, " : " (32-bit, ")
                .append(bar.isPrefetchable() ? "prefetchable)" : "non-prefetchable)")
                .append(isMemoryEnabled(config) ? "" : " [disabled]")
                .append(" [size=").append(size(bar.size())).append("]\n");
    }

    private static boolean isMemoryEnabled(PciConfig config) {
        return (config.read16(COMMAND) & 0x2) != 0;
    }

    private static long address(PciConfig config, Bar bar) {
        int at = BASE_ADDRESS + 4 * bar.index();
        long low = config.read32(at) & 0xfffffff0L;
        return bar.is64Bit() ? low | (long) config.read32(at + 4) << 32 : low;
    }

    private static List<Fields> capabilities(PciConfig config) {
        return PciCapability.of(config).stream()
                .map(capability -> Fields.of("offset", "%02x".formatted(capability.offset()))
                .and("id", "%02x".formatted(capability.id()))
                .and("extended", capability.extended())
                .and("text", capability.text())).toList();
    }

    /** The largest unit that leaves no remainder. */
    static String size(long bytes) {
        String[] units = {"", "K", "M", "G", "T"};
        int unit = 0;
        long size = bytes;
        while (size >= 1024 && size % 1024 == 0 && unit < units.length - 1) {
            size /= 1024;
            unit++;
        }
        return size + units[unit];
    }

    Fields fields() {
        PciId id = function.identity();
        PciConfig config = new PciConfig(function);
        boolean readable = (config.read8(HEADER_TYPE) & 0x7f) == 0;
        return Fields.of("slot", function.id())
                .and("class", "%04x".formatted(id.classCode() >>> 8))
                .and("class_name", PciNames.knownClass(id.classCode()))
                .and("programming_interface", "%02x".formatted(id.classCode() & 0xff))
                .and("vendor", "%04x".formatted(id.vendor()))
                .and("vendor_name", PciNames.vendor(id.vendor()))
                .and("device", "%04x".formatted(id.device()))
                .and("subsystem_vendor", "%04x".formatted(id.subsystemVendor()))
                .and("subsystem_device", "%04x".formatted(id.subsystemDevice()))
                .and("revision", "%02x".formatted(id.revision()))
                .and("bus_master", readable && (config.read16(COMMAND) & 0x4) != 0)
                .and("memory_enabled", readable && isMemoryEnabled(config))
                .and("memory", function.bars().stream().map(bar -> Fields.of("bar", bar.index())
                        .and("address", Long.toHexString(address(config, bar)))
                        .and("size", bar.size())
                        .and("64bit", bar.is64Bit())
                        .and("prefetchable", bar.isPrefetchable())).toList())
                .and("capabilities", readable ? capabilities(config) : List.of())
                .and("driver", driver)
                .and("modules", modules);
    }
}

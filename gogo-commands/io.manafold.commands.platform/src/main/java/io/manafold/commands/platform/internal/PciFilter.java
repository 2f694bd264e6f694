package io.manafold.commands.platform.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.shell.UsageError;
import java.util.function.Predicate;

/** Reads which functions {@code lspci} is to show. Numbers are hexadecimal; what is left out, or a star, means any. */
final class PciFilter {
    private static final int ANY = -1;

    private PciFilter() {
    }

    /** {@code [vendor]:[device][:class[:interface]]}. */
    static Predicate<PciFunction> byId(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length < 2 || parts.length > 4) {
            throw new UsageError("'" + text
                    + "' does not say which ids: write [vendor]:[device][:class], as in 1414:00ba:0200.");
        }
        int vendor = number("vendor", parts[0], 0xffff);
        int device = number("device", parts[1], 0xffff);
        int classCode = parts.length > 2 ? number("class", parts[2], 0xffff) : ANY;
        int programming = parts.length > 3 ? number("programming interface", parts[3], 0xff) : ANY;
        return function -> {
            PciId id = function.identity();
            return is(vendor, id.vendor()) && is(device, id.device()) && is(classCode, id.classCode() >>> 8)
                    && is(programming, id.classCode() & 0xff);
        };
    }

    /** {@code [[domain]:][bus]:][device][.function]}. */
    static Predicate<PciFunction> bySlot(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length > 3) {
            throw new UsageError("'" + text
                    + "' does not say which slots: write [[domain]:][bus]:][device][.function], as in "
                    + "7870:00:00.0.");
        }
        String last = parts[parts.length - 1];
        int dot = last.indexOf('.');
        int domain = parts.length == 3 ? number("domain", parts[0], Integer.MAX_VALUE) : ANY;
        int bus = parts.length >= 2 ? number("bus", parts[parts.length - 2], 0xff) : ANY;
        int device = number("device", dot < 0 ? last : last.substring(0, dot), 0x1f);
        int number = dot < 0 ? ANY : number("function", last.substring(dot + 1), 7);
        return function -> {
            PciAddress address = function.address();
            return is(domain, address.domain()) && is(bus, address.bus()) && is(device, address.device())
                    && is(number, address.function());
        };
    }

    private static boolean is(int wanted, int actual) {
        return wanted == ANY || wanted == actual;
    }

    private static int number(String what, String text, int most) {
        if (text.isEmpty() || text.equals("*")) {
            return ANY;
        }
        try {
            int number = Integer.parseInt(text, 16);
            if (number >= 0 && number <= most && text.charAt(0) != '+' && text.charAt(0) != '-') {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, together with the numbers that are out of range
        }
        throw new UsageError("'" + text + "' is no " + what + ": it is hexadecimal and at most "
                + Integer.toHexString(most)
                + ".");
    }
}

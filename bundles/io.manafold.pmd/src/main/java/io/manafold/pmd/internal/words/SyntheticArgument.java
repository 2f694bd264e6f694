package io.manafold.pmd.internal.words;

import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A synthetic device that is named, on the bus of the virtual machine.
 *
 * @param instance its UUID
 * @param arguments for its driver, as they were written
 */
public record SyntheticArgument(String instance, String arguments) {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final String BUS = "vmbus:";
    private static final List<String> KEYS = List.of("latency", "rx_copybreak", "tx_copybreak", "rx_extmbuf_enable",
            "numa_aware");

    /** Whether a device that is named so is on that bus. */
    public static boolean isMeant(String text) {
        String device = device(text);
        return text.startsWith(BUS) || UUID.matcher(device.toLowerCase(Locale.ROOT)).matches();
    }

    private static String device(String text) {
        String rest = text.startsWith(BUS) ? text.substring(BUS.length()) : text;
        int comma = rest.indexOf(',');
        return comma < 0 ? rest : rest.substring(0, comma);
    }

    /**
     * Reads {@code 000d3ad0-0001-000d-3ad0-0001000d3ad0,latency=50}.
     *
     * @throws Refusal {@code EINVAL}
     */
    public static SyntheticArgument parse(String option, String text) {
        String instance = device(text).toLowerCase(Locale.ROOT);
        if (!UUID.matcher(instance).matches()) {
            throw Typed.wrong(option + " names a device of the bus of the virtual machine, and '"
                    + device(text) + "' is none: write its UUID, as in 000d3ad0-0001-000d-3ad0-0001000d3ad0.");
        }
        int comma = text.indexOf(',');
        String arguments = comma < 0 ? "" : text.substring(comma + 1);
        if (!arguments.isEmpty()) {
            for (String one : arguments.split(",", -1)) {
                check(option, one);
            }
        }
        return new SyntheticArgument(instance, arguments);
    }

    private static void check(String option, String one) {
        int equals = one.indexOf('=');
        String key = equals < 0 ? one : one.substring(0, equals);
        if (!KEYS.contains(key)) {
            throw Typed.wrong(option + " has '" + one + "', which the driver net_netvsc does not know; "
                    + "it knows " + String.join(", ", KEYS) + ".");
        }
        if (equals < 0 || !NUMBER.matcher(one.substring(equals + 1)).matches()) {
            throw Typed.wrong(option + ": " + key + " is followed by a number, as in " + key + "=50.");
        }
    }
}

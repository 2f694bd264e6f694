package io.manafold.adapter.internal;

import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What an adapter is to be.
 *
 * @param address {@code null} for the first free one
 * @param macs as many as there are ports, or fewer
 * @param queues queue pairs of a port at most
 * @param speedBits what each port announces
 * @param frame the longest frame with its header of 14 bytes
 * @param shapers whether it knows the private messages about trees of shapers
 * @param rdma which ports speak RDMA
 * @param rdmaTimeout nanoseconds that an acknowledgement is awaited for at least
 * @param limits how many objects its driver can have it make
 */
record AdapterSettings(String name, PciAddress address, int ports, List<MacAddress> macs, int queues, long speedBits,
        int frame, Firmware firmware, boolean shapers, RdmaPorts rdma, long rdmaTimeout, ObjectLimits limits) {
    static final String FULL = "full";
    static final String PARITY = "parity";
    static final int MOST_PORTS = 8;
    static final int MOST_QUEUES = 64;

    private static final long DEFAULT_SPEED = 200_000_000_000L;
    /**
     * A guest whose virtual processor waits for its turn, or a virtual machine that collects garbage, is no lost
     * packet.
     */
    private static final long USUAL_RDMA_TIMEOUT = 50_000_000;
    private static final long LONGEST_RDMA_TIMEOUT = 10_000_000_000L;
    static final int LONGEST_FRAME = 9014;
    static final int SHORTEST_FRAME = 1514;

    /** Reads a configuration; refused with {@code EINVAL} if it says something that cannot be. */
    static AdapterSettings read(Map<String, ?> properties) {
        String name = text(properties, "name");
        if (name == null || !name.matches("[a-zA-Z0-9_-]{1,64}")) {
            throw refused(name == null ? "?" : name, "name", name, "letters, digits, - and _, at most 64");
        }
        PciAddress address = parsed(properties, name, "address", PciAddress::parse);
        int ports = (int) number(properties, name, "ports", 1, 1, MOST_PORTS);
        List<MacAddress> macs = macs(properties, name, ports);
        int queues = (int) number(properties, name, "queues", 16, 1, MOST_QUEUES);
        long speed = number(properties, name, "speed", DEFAULT_SPEED, 10_000_000L, 400_000_000_000L);
        int frame = (int) number(properties, name, "mtu", LONGEST_FRAME, SHORTEST_FRAME, LONGEST_FRAME);
        String firmware = text(properties, "firmware");
        return new AdapterSettings(name, address, ports, macs, queues, speed, frame,
                firmware == null ? Firmware.NEWEST : Firmware.parse(firmware), shapers(properties, name),
                rdma(properties, name), number(properties, name, "rdma-timeout", USUAL_RDMA_TIMEOUT, 0,
                        LONGEST_RDMA_TIMEOUT), limits(properties, name));
    }

    private static boolean shapers(Map<String, ?> properties, String name) {
        String mode = text(properties, "shapers");
        if (mode != null && !mode.equals(FULL) && !mode.equals(PARITY)) {
            throw refused(name, "shapers", mode, FULL + " for trees of shapers, " + PARITY
                    + " for what Linux knows alone");
        }
        return !PARITY.equals(mode);
    }

    private static ObjectLimits limits(Map<String, ?> properties, String name) {
        try {
            return new ObjectLimits(ObjectLimit.parse(texts(properties, "limits")));
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, "The adapter " + name + " cannot be made as its setting limits says: "
                    + wrong.getMessage() + ".");
        }
    }

    private static RdmaPorts rdma(Map<String, ?> properties, String name) {
        String word = text(properties, "rdma");
        for (RdmaPorts ports : RdmaPorts.values()) {
            if (ports.word().equals(word)) {
                return ports;
            }
        }
        if (word != null) {
            throw refused(name, "rdma", word, "off, first for the first port alone, all");
        }
        return RdmaPorts.FIRST;
    }

    /** The same with an address and all MAC addresses. */
    AdapterSettings at(PciAddress place) {
        List<MacAddress> all = new ArrayList<>(macs);
        for (int port = all.size() + 1; port <= ports; port++) {
            all.add(PortMacs.of(place, port));
        }
        if (new HashSet<>(all).size() < ports) {
            throw new Refusal(Errno.EINVAL, "The adapter " + name + " cannot be made: two of its ports would have the "
                    + "same MAC address of " + all + ". Give each port one of its own.");
        }
        return new AdapterSettings(name, place, ports, List.copyOf(all), queues, speedBits, frame, firmware,
                shapers, rdma, rdmaTimeout, limits);
    }

    private static List<MacAddress> macs(Map<String, ?> properties, String name, int ports) {
        String[] texts = texts(properties, "macs");
        if (texts.length > ports) {
            throw refused(name, "macs", texts.length + " of them", "at most one for each of the " + ports + " ports");
        }
        List<MacAddress> macs = new ArrayList<>();
        for (String text : texts) {
            MacAddress mac = parse(name, "macs", text, MacAddress::parse);
            if (!mac.isStation()) {
                throw refused(name, "macs", text, "addresses of one station each");
            }
            macs.add(mac);
        }
        return List.copyOf(macs);
    }

    private static long number(Map<String, ?> properties, String name, String key, long preset, long least,
            long most) {
        Object value = properties.get(key);
        if (value == null) {
            return preset;
        }
        long number = value instanceof Number given ? given.longValue()
                : parse(name, key, value.toString(), Long::parseLong);
        if (number < least || number > most) {
            throw refused(name, key, value.toString(), least + " to " + most);
        }
        return number;
    }

    private static String[] texts(Map<String, ?> properties, String key) {
        Object value = properties.get(key);
        String[] given = value == null ? new String[0] : value instanceof String[] many ? many
                : new String[] {value.toString()};
        // a form that was left empty has one text with nothing in it
        return Arrays.stream(given).filter(text -> !text.isBlank()).toArray(String[]::new);
    }

    private static <T> T parsed(Map<String, ?> properties, String name, String key, Function<String, T> parser) {
        String text = text(properties, key);
        return text == null ? null : parse(name, key, text, parser);
    }

    private static <T> T parse(String name, String key, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw refused(name, key, text, wrong.getMessage());
        }
    }

    private static String text(Map<String, ?> properties, String key) {
        Object value = properties.get(key);
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }

    private static Refusal refused(String name, String key, String value, String right) {
        return new Refusal(Errno.EINVAL, "The adapter " + name + " cannot be made: its setting " + key + " is "
                + value + ". Allowed: " + right + ".");
    }
}

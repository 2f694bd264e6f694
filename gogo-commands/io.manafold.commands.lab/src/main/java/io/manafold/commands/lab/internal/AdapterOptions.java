package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a new adapter is to be: the keys of a lab file as options. What is left out gets what a lab would give it. */
final class AdapterOptions {
    static final int MOST_PORTS = 8;
    private static final String ADDRESS = "--address";
    private static final String PORTS = "--ports";
    private static final String MACS = "--macs";
    private static final String QUEUES = "--queues";
    private static final String SPEED = "--speed";
    private static final String MTU = "--mtu";
    private static final String FIRMWARE = "--firmware";
    private static final String SHAPERS = "--shapers";
    private static final String RDMA = "--rdma";
    private static final String OBJECTS = "--limits";
    private static final List<String> PORTS_OF_RDMA = List.of("off", "first", "all");
    private static final List<String> LIMITS = List.of("full", "parity");
    private static final int MOST_QUEUES = 64;
    private static final int PRESET_QUEUES = 16;
    private static final String PRESET_SPEED = "200gbit";
    private static final String SLOWEST = "10mbit";
    private static final String FASTEST = "400gbit";
    private static final int SHORTEST_FRAME = 1514;
    private static final int LONGEST_FRAME = 9014;
    private static final int DOMAIN = 0x7870;
    private static final int DEVICES_ON_A_BUS = 32;
    private static final int BUSES = 256;
    private static final int LAST_STATION = 0xffffff;
    private static final long PREFIX = 0x000d3aL << 24;
    private static final Pattern MONTH = Pattern.compile("2[0-9]{3}-(?:0[1-9]|1[0-2])");

    private final Topology topology;
    /** Addresses that configurations name, of adapters that may not be there yet. */
    private final Set<String> places = new HashSet<>();
    /** MAC addresses that are taken. */
    private final Set<String> stations = new HashSet<>();

    /** @param others what the adapters' configurations say */
    AdapterOptions(Topology topology, Iterable<Map<String, Object>> others) {
        this.topology = topology;
        topology.adapters().forEach(adapter -> adapter.ports().forEach(port -> stations.add(port.mac().toString())));
        for (Map<String, Object> other : others) {
            if (other.get("address") instanceof String address) {
                places.add(address);
            }
            if (other.get("macs") instanceof String[] macs) {
                stations.addAll(List.of(macs));
            }
        }
    }

    /**
     * Adds the options to a verb.
     *
     * @param months those whose firmware has brought something
     */
    static Syntax.Builder describe(Syntax.Builder verb, Completer months) {
        return verb
                .option(ADDRESS + " ADDRESS", "where it sits on the bus; the first free place from 7870:00:00.0",
                        Completer.NONE)
                .option(PORTS + " N", "how many Ethernet ports it has, 1 to " + MOST_PORTS + "; 1 if left out",
                        Completer.NONE)
                .option(MACS + " LIST", "the ports' MAC addresses with commas between them; those left out are made "
                        + "from the address", Completer.NONE)
                .option(QUEUES + " N", "how many queue pairs a port has at most, 1 to " + MOST_QUEUES + "; "
                        + PRESET_QUEUES + " if left out", Completer.NONE)
                .option(SPEED + " RATE", "what each port announces as its speed, " + SLOWEST + " to " + FASTEST + "; "
                        + PRESET_SPEED + " if left out", Completer.of("10gbit", "25gbit", "100gbit", "200gbit"))
                .option(MTU + " BYTES", "the longest frame it takes, its header included, " + SHORTEST_FRAME + " to "
                        + LONGEST_FRAME + "; " + LONGEST_FRAME + " if left out", Completer.NONE)
                .option(FIRMWARE + " MONTH", "the month whose firmware it behaves like, as in 2026-10; the newest if "
                        + "left out", months)
                .option(SHAPERS + " KIND", "what limits drivers can set: full, trees of shapers; parity, what Linux "
                        + "knows alone, one limit for each port; full if left out", Completer.of("full", "parity"))
                .option(RDMA + " PORTS", "which ports speak RDMA: off, none; first, the first one alone; all; first if "
                        + "left out", Completer.of("off", "first", "all"))
                .option(OBJECTS + " LIST", "how many objects of a kind a driver can have it make, where that is to be "
                        + "fewer: NAME=NUMBER with commas between them, by the names that adapter limits shows, as in "
                        + "event_queues=8,regions=64", AdapterOptions::completeObjects);
    }

    /** The configuration that the words of a call ask for. */
    Map<String, Object> read(Call call, String name) {
        int ports = call.number(PORTS, 1, MOST_PORTS).orElse(1);
        PciAddress address = call.option(ADDRESS).map(text -> given(text, name)).orElseGet(this::freePlace);
        Map<String, Object> contents = new TreeMap<>();
        contents.put("address", address.toString());
        contents.put("ports", ports);
        contents.put("macs", macs(call, ports, address).toArray(String[]::new));
        contents.put("queues", call.number(QUEUES, 1, MOST_QUEUES).orElse(PRESET_QUEUES));
        contents.put("speed", Quantity.rate(SPEED, call.option(SPEED).orElse(PRESET_SPEED), SLOWEST, FASTEST));
        contents.put("mtu", call.number(MTU, SHORTEST_FRAME, LONGEST_FRAME).orElse(LONGEST_FRAME));
        call.option(FIRMWARE).ifPresent(month -> contents.put("firmware", month(month)));
        call.option(SHAPERS).ifPresent(kind -> contents.put("shapers", limits(kind)));
        call.option(RDMA).ifPresent(which -> contents.put("rdma", rdma(which)));
        String[] objects = call.options(OBJECTS).stream().flatMap(list -> Stream.of(list.split(",")))
                .toArray(String[]::new);
        if (objects.length > 0) {
            contents.put("limits", objects(objects));
        }
        return contents;
    }

    private static String[] objects(String... texts) {
        try {
            ObjectLimit.parse(texts);
            return texts;
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(OBJECTS + ": " + wrong.getMessage() + ".");
        }
    }

    private static List<Candidate> completeObjects(Typed typed) {
        return Stream.of(ObjectLimit.values()).map(limit -> new Candidate(limit.label() + "=", "", false)).toList();
    }

    private static String rdma(String which) {
        if (!PORTS_OF_RDMA.contains(which)) {
            throw UsageError.unknown("choice of RDMA's ports", which, PORTS_OF_RDMA);
        }
        return which;
    }

    private static String limits(String kind) {
        if (!LIMITS.contains(kind)) {
            throw UsageError.unknown("kind of limits", kind, LIMITS);
        }
        return kind;
    }

    private static String month(String text) {
        if (!MONTH.matcher(text).matches()) {
            throw new UsageError(FIRMWARE + " takes a year and month, as in 2026-10, not '" + text + "'.");
        }
        return text;
    }

    private PciAddress given(String text, String name) {
        PciAddress address;
        try {
            address = PciAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError(ADDRESS + " takes a PCI address, as in 7870:00:01.0, not '" + text + "'.");
        }
        topology.free(address, "the adapter " + name);
        if (places.contains(address.toString())) {
            throw new Refusal(Errno.EBUSY, "The address " + address + " is that of an adapter that is configured but "
                    + "not there, so the adapter " + name + " cannot be there. Choose another, or leave " + ADDRESS
                    + " out for the first that is free.");
        }
        return address;
    }

    private PciAddress freePlace() {
        for (int place = 0; place < BUSES * DEVICES_ON_A_BUS; place++) {
            PciAddress address = new PciAddress(DOMAIN, place / DEVICES_ON_A_BUS, place % DEVICES_ON_A_BUS, 0);
            if (!places.contains(address.toString()) && topology.holder(address).isEmpty()) {
                return address;
            }
        }
        throw new Refusal(Errno.ENOSPC, "Every place of the domain 7870 is taken; choose one elsewhere with "
                + ADDRESS + ".");
    }

    private List<String> macs(Call call, int ports, PciAddress at) {
        List<String> macs = new ArrayList<>();
        for (String list : call.options(MACS)) {
            for (String text : list.split(",")) {
                macs.add(mac(text));
            }
        }
        if (macs.size() > ports) {
            throw new UsageError(MACS + " has " + macs.size() + " addresses for " + Numbers.counted(ports, "port")
                    + "; take some out or raise " + PORTS + ".");
        }
        int spare = LAST_STATION;
        while (macs.size() < ports) {
            String mac = station(at.bus() << 16 | at.device() << 8 | at.function() << 4 | macs.size() + 1);
            while (!stations.add(mac)) {
                mac = station(spare--);
            }
            macs.add(mac);
        }
        return macs;
    }

    private String mac(String text) {
        MacAddress mac;
        try {
            mac = MacAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError(MACS + " takes MAC addresses, as in 00:0d:3a:00:00:0a, not '" + text + "'.");
        }
        if (!mac.isStation()) {
            throw new UsageError(MACS + ": " + mac + " is not the address of one station; the first byte is even, and "
                    + "not all are zero.");
        }
        if (!stations.add(mac.toString())) {
            throw new Refusal(Errno.EEXIST, "The MAC address " + mac + " is taken; choose another one.");
        }
        return mac.toString();
    }

    private static String station(int number) {
        return new MacAddress(PREFIX | number & LAST_STATION).toString();
    }
}

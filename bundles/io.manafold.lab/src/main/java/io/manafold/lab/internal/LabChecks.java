package io.manafold.lab.internal;

import io.manafold.lab.internal.Texts.Port;
import io.manafold.lab.internal.Texts.Reference;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;

/**
 * What the entries of a file must be to each other; and what follows from their order: addresses that the file does not
 * give.
 */
final class LabChecks {
    /** What the header adds to a packet's length. */
    private static final int HEADER = 14;

    private final List<Draft> drafts;
    private final Problems problems;
    private final Map<Section, Map<String, Draft>> named = new HashMap<>();
    private final Map<String, Map<String, SourcePosition>> uses = new HashMap<>();
    private ShaperTrees trees;

    LabChecks(List<Draft> drafts, Problems problems) {
        this.drafts = drafts;
        this.problems = problems;
    }

    void check() {
        for (Draft draft : drafts) {
            Draft earlier = named.computeIfAbsent(draft.section(), _ -> new HashMap<>())
                    .putIfAbsent(draft.name(), draft);
            if (earlier != null) {
                problems.add(draft.position("name"), () -> draft.section().title() + " has an entry "
                        + Words.quote(draft.name()) + " already, in line " + earlier.position().line()
                        + "; give this one another name.");
            }
        }
        drafts.forEach(this::references);
        if (!problems.none()) {
            return;
        }
        trees = new ShaperTrees(drafts.stream().filter(draft -> draft.section() == Section.SHAPERS).toList());
        for (Draft draft : drafts) {
            switch (draft.section()) {
                case ADAPTERS -> adapter(draft);
                case LINKS -> link(draft);
                case EXPORTS -> export(draft);
                case BORROW -> borrow(draft);
                case DEVICES -> device(draft, "on");
                case PAIRS -> device(draft, "port");
                case SHAPERS -> shaper(draft);
                case FAULTS -> fault(draft);
                case LISTENERS -> listener(draft);
                case STATES -> state(draft);
            }
        }
        if (problems.none()) {
            new Numbering(drafts.stream().filter(draft -> draft.section() == Section.ADAPTERS).toList()).fill();
        }
    }

    private void references(Draft draft) {
        for (Key key : draft.section().keys()) {
            if (key.type() instanceof Reference reference && draft.has(key.name())) {
                Section section = Section.titled(reference.section()).orElseThrow();
                found(key, draft.position(key.name()), section, draft.text(key.name()));
            }
            if (key.type() instanceof Port && (key.many() || draft.has(key.name()))) {
                List<String> ports = key.many() ? draft.texts(key.name()) : List.of(draft.text(key.name()));
                for (int i = 0; i < ports.size(); i++) {
                    port(key, draft.positions(key.name()).get(i), ports.get(i));
                }
            }
        }
    }

    private Draft found(Key key, SourcePosition position, Section section, String name) {
        Map<String, Draft> there = named.getOrDefault(section, Map.of());
        if (!there.containsKey(name)) {
            problems.add(position, () -> key.name() + ": " + Words.quote(name) + " does not stand under "
                    + section.title() + (there.isEmpty() ? ", which this file has none of." : "; nearest is '"
                            + Words.nearest(name, there.keySet()) + "'."));
        }
        return there.get(name);
    }

    private void port(Key key, SourcePosition position, String text) {
        if (key.name().equals("on") && isBorrowed(text)) {
            return; // only the lender knows its ports
        }
        Draft adapter = found(key, position, Section.ADAPTERS, adapterOf(text));
        if (adapter != null && portOf(text) > adapter.value("ports", Integer.class)) {
            problems.add(position, () -> key.name() + ": " + Words.quote(text) + " is not there, because "
                    + Words.quote(adapter.name()) + " has " + Words.count(adapter.value("ports", Integer.class), "port")
                    + " (line " + adapter.position().line() + "); ports count from 1.");
        }
    }

    private void adapter(Draft adapter) {
        once(adapter, "address", "the PCI address");
        once(adapter, "macs", "the MAC address");
        int ports = adapter.value("ports", Integer.class);
        refuseIf(adapter.texts("macs").size() > ports, adapter.position("macs"),
                () -> "macs has " + adapter.texts("macs").size() + " addresses for " + Words.count(ports, "port")
                        + "; take some out or raise ports.");
    }

    private void link(Draft link) {
        once(link, "ports", "the port");
        once(link, "interface", "the interface");
        String kind = link.text("kind");
        int ports = link.texts("ports").size();
        boolean toHost = kind.equals("tap") || kind.equals("packet");
        refuseIf(kind.equals("direct") && ports != 2, link.position("ports"), () -> "a direct link joins two ports, "
                + "but here " + (ports == 1 ? "is one" : "are " + ports) + "; name two, or make it a switch.");
        refuseIf(toHost && ports != 1, link.position("ports"), () -> "a link of kind " + kind
                + " takes one port, but here are " + ports + "; make a link for each.");
        onlyWith(link, "interface", toHost, "kind tap or packet");
        queues(link);
    }

    private void queues(Draft link) {
        notWithout(link, "rate", "buffer", "ecn-max", "pfc");
        notWithout(link, "ecn-max", "ecn-min", "ecn-probability");
        notWithout(link, "pfc", "pfc-xoff", "pfc-xon");
        once(link, "pfc", "the class of link " + Words.quote(link.name()));
        long buffer = link.has("buffer") ? link.value("buffer", Long.class) : 1L << 20;
        long ecnMax = link.has("ecn-max") ? link.value("ecn-max", Long.class) : buffer;
        long xoff = link.has("pfc-xoff") ? link.value("pfc-xoff", Long.class) : buffer / 4;
        notAbove(link, "ecn-max", buffer, "buffer");
        notAbove(link, "ecn-min", ecnMax, "ecn-max");
        notAbove(link, "pfc-xoff", buffer, "buffer");
        notAbove(link, "pfc-xon", xoff, "pfc-xoff");
    }

    /** Keys that mean nothing without another. */
    private void notWithout(Draft draft, String needed, String... keys) {
        for (String key : keys) {
            refuseIf(draft.has(key) && !draft.has(needed), draft.position(key), () -> "'" + key
                    + "' means nothing without '" + needed + "'; take it out, or give that, as in '" + needed + ": "
                    + draft.section().key(needed).orElseThrow().example() + "'.");
        }
    }

    private void notAbove(Draft draft, String key, long most, String what) {
        refuseIf(draft.has(key) && draft.value(key, Long.class) > most, draft.position(key), () -> {
            ValueType type = draft.section().key(key).orElseThrow().type();
            return key + " is " + type.show(draft.value(key, Object.class)) + ", which is more than " + what + ", "
                    + type.show(most) + "; make one of them fit.";
        });
    }

    private void export(Draft export) {
        unique("the adapter, for an export,", export.text("adapter"), export.position("adapter"));
        once(export, "socket", "the socket");
    }

    private void state(Draft state) {
        refuseIf(drafts.stream().anyMatch(draft -> draft.section() == Section.EXPORTS
                && draft.text("adapter").equals(state.text("adapter"))), state.position("adapter"),
                () -> "the adapter " + Words.quote(state.text("adapter")) + " is lent, so that nothing here drives it; "
                        + "give the state to another.");
    }

    private void borrow(Draft borrow) {
        once(borrow, "address", "the PCI address");
        once(borrow, "socket", "the socket, to borrow from,");
        refuseIf(named.getOrDefault(Section.ADAPTERS, Map.of()).containsKey(borrow.name()), borrow.position("name"),
                () -> "an adapter is called " + Words.quote(borrow.name()) + " already; call what is borrowed "
                        + "something else.");
    }

    private boolean isBorrowed(String port) {
        return named.getOrDefault(Section.BORROW, Map.of()).containsKey(adapterOf(port));
    }

    /** A network device or a pair: both are called something, are on a port and have addresses. */
    private void device(Draft device, String on) {
        String port = device.text(on);
        unique("the name, for a network device,", device.name(), device.position("name"));
        unique("the port, for a device,", port, device.position(on));
        List<String> addresses = device.texts("addresses");
        for (int i = 0; i < addresses.size(); i++) {
            String address = addresses.get(i);
            // by its bits: an IPv6 address can be written in several ways
            String bits = InetAddress.ofLiteral(address.substring(0, address.indexOf('/'))).getHostAddress();
            unique("the address", bits, device.positions("addresses").get(i));
        }
        if (isBorrowed(port)) {
            return;
        }
        Draft adapter = named.get(Section.ADAPTERS).get(adapterOf(port));
        int most = adapter.value("mtu", Integer.class) - HEADER;
        refuseIf(device.value("mtu", Integer.class) > most, device.position("mtu"), () -> "an mtu of "
                + device.value("mtu", Integer.class) + " does not fit the adapter " + Words.quote(adapter.name())
                + ", whose frames carry at most " + most + " (line " + adapter.position().line() + ").");
        for (Draft export : named.getOrDefault(Section.EXPORTS, Map.of()).values()) {
            refuseIf(export.text("adapter").equals(adapter.name()), device.position(on), () -> "the adapter "
                    + Words.quote(adapter.name()) + " is lent to a virtual machine (line " + export.position().line()
                    + "), so no device can be on it here; take one of the two out.");
        }
    }

    private void shaper(Draft shaper) {
        String scope = shaper.text("scope");
        boolean queue = scope.equals("queue");
        boolean whole = scope.equals("netdev");
        onlyWith(shaper, "id", !whole, "scope queue or node");
        refuseIf(whole && shaper.has("parent"), shaper.position("parent"),
                () -> "'parent' is only for scope queue or node; take it out, or change that.");
        unique("the place of a shaper", place(shaper), shaper.position());
        rate(shaper, "bw-max");
        rate(shaper, "bw-min");
        if (shaper.has("parent")) {
            parent(shaper);
        }
        refuseIf(scope.equals("node") && shaper.has("id") && !trees.hasBelow(shaper),
                shaper.position(), () -> "there is nothing below " + place(shaper) + ", and a node holds what is below "
                        + "it; give a queue 'parent: " + shaper.value("id", Integer.class) + "', or take this out.");
        Draft device = named.get(Section.DEVICES).get(shaper.text("device"));
        if (isBorrowed(device.text("on"))) {
            return;
        }
        Draft adapter = named.get(Section.ADAPTERS).get(adapterOf(device.text("on")));
        int queues = adapter.value("queues", Integer.class);
        refuseIf(queue && shaper.has("id") && shaper.value("id", Integer.class) >= queues, shaper.position("id"),
                () -> "id: " + shaper.value("id", Integer.class) + " is not there, because a port of "
                        + Words.quote(adapter.name()) + " has " + Words.count(queues, "queue") + " (line "
                        + adapter.position().line() + "); queues count from 0.");
    }

    private static String place(Draft shaper) {
        return shaper.text("device") + (shaper.text("scope").equals("netdev") ? ""
                : " " + shaper.text("scope") + " " + shaper.value("id", Integer.class));
    }

    /** Each node above is in the file, and none is above itself. */
    private void parent(Draft shaper) {
        refuseIf(trees.above(shaper).isEmpty(), shaper.position("parent"), () -> "parent: node "
                + shaper.value("parent", Integer.class) + " of " + shaper.text("device")
                + " does not stand under shapers; add it, with 'scope: node'.");
        refuseIf(trees.isBelowItself(shaper), shaper.position("parent"),
                () -> place(shaper) + " would be below itself; change the parent of one of the nodes.");
    }

    /** Rates are in the unit of the metric. */
    private void rate(Draft shaper, String key) {
        boolean packets = shaper.text("metric").equals("pps");
        refuseIf(shaper.has(key) && packets != shaper.value(key, Object.class) instanceof Integer, shaper.position(key),
                () -> key + (packets ? " counts packets with metric pps, as in 5kpps; write it so, or take the metric "
                        + "out." : " counts packets, which needs 'metric: pps'."));
    }

    private void fault(Draft fault) {
        if (fault.has("script")) {
            for (String key : List.of("message", "status", "delay")) {
                refuseIf(fault.has(key), fault.position(key), () -> "'" + key + "' belongs to one fault, and this "
                        + "entry is a script of them; write it into the script's lines.");
            }
            return;
        }
        onlyWith(fault, "status", fault.text("effect").equals("status"), "effect status");
        onlyWith(fault, "delay", fault.text("effect").equals("late"), "effect late");
        boolean completion = fault.text("effect").equals("withhold-completion");
        onlyWith(fault, "port", completion, "effect withhold-completion");
        refuseIf(completion && fault.has("message"), fault.position("message"),
                () -> "'message' is about answers, and effect withhold-completion is about completions; take it out.");
        refuseIf(completion && fault.has("port") && !adapterOf(fault.text("port")).equals(fault.text("adapter")),
                fault.position("port"), () -> fault.text("port") + " is no port of " + fault.text("adapter")
                        + ", the adapter that is to misbehave; name one of its ports.");
    }

    private void listener(Draft listener) {
        if (!listener.text("at").endsWith(":0")) {
            once(listener, "at", "the address");
        }
        onlyWith(listener, "file", listener.text("do").equals("file"), "do file");
    }

    /** A key that must be there in one case and not otherwise. */
    private void onlyWith(Draft draft, String key, boolean needed, String when) {
        String example = draft.section().key(key).orElseThrow().example();
        refuseIf(needed && !draft.has(key), draft.position(),
                () -> "this entry has no '" + key + "', which it needs with " + when + ", as in '" + key + ": "
                        + example + "'.");
        refuseIf(!needed && draft.has(key), draft.position(key),
                () -> "'" + key + "' is only for " + when + "; take it out, or change that.");
    }

    /** The values of a key are given once in the file. */
    private void once(Draft draft, String key, String what) {
        boolean many = draft.section().key(key).orElseThrow().many();
        List<String> values = many ? draft.texts(key) : draft.has(key) ? List.of(draft.text(key)) : List.of();
        for (int i = 0; i < values.size(); i++) {
            unique(what, values.get(i), draft.positions(key).get(i));
        }
    }

    private void unique(String what, String value, SourcePosition position) {
        SourcePosition earlier = uses.computeIfAbsent(what, _ -> new HashMap<>()).putIfAbsent(value, position);
        refuseIf(earlier != null, position, () -> what + " " + Words.quote(value) + " is taken already in line "
                + earlier.line() + "; choose another one.");
    }

    private void refuseIf(boolean wrong, SourcePosition position, Supplier<String> sentence) {
        if (wrong) {
            problems.add(position, sentence);
        }
    }

    private static String adapterOf(String port) {
        return port.substring(0, port.indexOf('/'));
    }

    private static int portOf(String port) {
        Matcher parts = Port.PORT.matcher(port);
        return parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
    }
}

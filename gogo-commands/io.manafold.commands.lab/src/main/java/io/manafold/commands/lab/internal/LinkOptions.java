package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.FileNames;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a link is to be, and what it is to do to frames: the keys of a lab file as options. */
final class LinkOptions {
    static final String PORT = "PORT";
    private static final String KIND = "--kind";
    private static final String INTERFACE = "--interface";
    static final String LOSS = "--loss";
    static final String DUPLICATE = "--duplicate";
    static final String REORDER = "--reorder";
    static final String DELAY = "--delay";
    static final String SEED = "--seed";
    static final String CLEAR = "--clear";
    private static final String CAPTURE = "--capture";
    private static final String LONGEST_DELAY = "10s";
    private static final List<String> KINDS = List.of("switch", "direct", "tap", "packet");
    private static final List<String> IMPAIRING = List.of(LOSS, DUPLICATE, REORDER, DELAY, SEED);
    private static final Pattern PORT_NAME = Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,63})/([1-9][0-9]{0,2})");
    private static final Pattern INTERFACE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,14}");

    private final Topology topology;

    LinkOptions(Topology topology) {
        this.topology = topology;
    }

    /** Adds what a new link can be told to a verb. */
    Syntax.Builder describeNew(Syntax.Builder verb) {
        verb.option(KIND + " KIND", "switch: between any ports; direct: a cable between two; tap: one port and a tap "
                + "device of the host; packet: one port and an interface of the host; switch if left out",
                Completer.of(KINDS.toArray(String[]::new)));
        verb.option(INTERFACE + " NAME", "the host's interface, for the kinds tap and packet", Completer.NONE);
        verb.option(CAPTURE + " FILE", "the pcapng file that everything on the link is written to", Completer.FILES);
        return QueueOptions.describe(describeImpairments(verb, "")).argument(Words.NAME, "what it is to be called",
                Completer.NONE).repeated(PORT, "the ports it joins: adapter/port, ports counted from 1",
                        topology.completePorts());
    }

    /** Adds what a link can be told to do to frames to a verb. */
    private static Syntax.Builder describeImpairments(Syntax.Builder verb, String without) {
        boolean bare = !without.isEmpty();
        String percent = bare ? " [PERCENT]" : " PERCENT";
        return verb.option(LOSS + " PERCENT", "share of the frames that are lost", Completer.NONE)
                .option(DUPLICATE + percent, "share of the frames that arrive twice" + without, Completer.NONE)
                .option(REORDER + percent, "share of the frames that arrive after their successor" + without,
                        Completer.NONE)
                .option(DELAY + " TIME", "how much later every frame arrives, 0 to " + LONGEST_DELAY, Completer.NONE)
                .option(SEED + " N", "start of the random numbers: the same seed, the same frames", Completer.NONE);
    }

    static Syntax.Builder describeChange(Syntax.Builder verb) {
        return RuleOptions.describe(describeImpairments(verb, "; no share with " + RuleOptions.MATCH)
                .flag(CLEAR, "lets all frames pass as they are; takes all rules away"));
    }

    /** Does to a link what the words ask for. */
    static void change(Call call, Link link) {
        if (call.flag(RuleOptions.MATCH)) {
            link.impair(RuleOptions.read(call));
            return;
        }
        link.impair(change(call, link.status().impairments()));
        if (call.flag(CLEAR)) {
            link.clearRules();
        }
    }

    /** The impairments that the words ask for; what they do not name stays as it is. */
    private static Impairments change(Call call, Impairments now) {
        RuleOptions.refuseWithoutMatch(call);
        boolean named = IMPAIRING.stream().anyMatch(call::flag);
        if (call.flag(CLEAR)) {
            if (named) {
                throw new UsageError(CLEAR + " contradicts the other options.");
            }
            return Impairments.NONE;
        }
        if (!named) {
            throw new UsageError("link impair needs to know what to do to the frames: "
                    + String.join(", ", IMPAIRING) + ", " + RuleOptions.MATCH + " or " + CLEAR + ".");
        }
        return impairments(call, now);
    }

    private static Impairments impairments(Call call, Impairments now) {
        return new Impairments(call.option(LOSS).map(text -> Quantity.percent(LOSS, text)).orElse(now.loss()),
                call.option(DUPLICATE).map(text -> Quantity.percent(DUPLICATE, text)).orElse(now.duplicate()),
                call.option(REORDER).map(text -> Quantity.percent(REORDER, text)).orElse(now.reorder()),
                call.option(DELAY).map(text -> Quantity.time(DELAY, text, "0", LONGEST_DELAY))
                        .orElse(now.delayNanos()),
                call.option(SEED).map(text -> Numbers.whole(SEED, text, 0, Long.MAX_VALUE)).orElse(now.seed()));
    }

    /** The configuration that the words of a call ask for. */
    Map<String, Object> read(Call call) {
        String kind = call.option(KIND).orElse(KINDS.getFirst());
        if (!KINDS.contains(kind)) {
            throw UsageError.unknown("kind of link", kind, KINDS);
        }
        List<String> ports = call.arguments(PORT);
        Map<String, Object> contents = new TreeMap<>();
        contents.put("kind", kind);
        contents.put("ports", ports(kind, ports).toArray(String[]::new));
        boolean toHost = kind.equals("tap") || kind.equals("packet");
        if (toHost != call.flag(INTERFACE)) {
            throw new UsageError(toHost ? "A link of kind " + kind + " needs " + INTERFACE + ", as in " + INTERFACE
                    + " tap0." : INTERFACE + " is only for the kinds tap and packet.");
        }
        call.option(INTERFACE).ifPresent(name -> contents.put("interface", interfaceName(name)));
        Impairments impairments = impairments(call, Impairments.NONE);
        contents.put("loss", impairments.loss());
        contents.put("duplicate", impairments.duplicate());
        contents.put("reorder", impairments.reorder());
        contents.put("delay", impairments.delayNanos());
        contents.put("seed", impairments.seed());
        QueueOptions.read(call, contents);
        call.option(CAPTURE).ifPresent(file -> contents.put("capture",
                FileNames.absolute(file).toString()));
        return contents;
    }

    private static String interfaceName(String name) {
        if (!INTERFACE_NAME.matcher(name).matches()) {
            throw new UsageError(INTERFACE + " takes a name of letters, digits, - and _, at most 15, not '" + name
                    + "'.");
        }
        return name;
    }

    private List<String> ports(String kind, List<String> ports) {
        boolean toHost = kind.equals("tap") || kind.equals("packet");
        if (ports.isEmpty()) {
            throw new UsageError("link add needs the ports that it joins, as in one/1.");
        }
        if (kind.equals("direct") && ports.size() != 2) {
            throw new UsageError("A direct link joins two ports, not " + ports.size() + ".");
        }
        if (toHost && ports.size() != 1) {
            throw new UsageError("A link of kind " + kind + " takes one port, not " + ports.size() + ".");
        }
        Set<String> seen = new HashSet<>();
        for (String port : ports) {
            check(port);
            if (!seen.add(port)) {
                throw new UsageError("Port '" + port + "' is named twice.");
            }
        }
        return ports;
    }

    private void check(String port) {
        Matcher parts = PORT_NAME.matcher(port);
        if (!parts.matches()) {
            throw new UsageError("'" + port + "' is not a port; write adapter/port with ports counted from 1, as in "
                    + "one/1.");
        }
        Adapter adapter = topology.adapter(parts.group(1));
        if (Integer.parseInt(parts.group(2)) > adapter.ports().size()) {
            throw new Refusal(Errno.ENODEV, "There is no port '" + port + "': adapter '" + adapter.name() + "' has "
                    + Numbers.counted(adapter.ports().size(), "port") + "; ports count from 1.");
        }
        for (Link link : topology.links()) {
            if (link.status().ports().stream().map(LinkStatus.PortStatus::name).anyMatch(port::equals)) {
                throw new Refusal(Errno.EBUSY, "Port '" + port + "' is on link '" + link.name()
                        + "' already; a port takes one link.");
            }
        }
    }
}

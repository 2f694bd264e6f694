package io.manafold.commands.net.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows and changes links, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ip")
public final class IpCommand implements Command {
    private static final String SHOW = "show";

    private final Network network;
    private final List<IpObject> objects;

    @Activate
    public IpCommand(@Reference Network network) {
        this.network = network;
        this.objects = List.of(new IpAddresses(network), new IpLink(network),
                new IpNeighbours(network), new IpRoutes(network), new IpGroups(network), new IpMonitor(network));
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("ip", Words.FAMILY, "Shows and changes links, addresses, neighbours and routes")
                .about("Words, labels and JSON keys are those of iproute2; objects, verbs and options may be cut short "
                        + "as there, so 'ip a' shows addresses. 'show' is what is done if nothing else is said.")
                .shows("-j", "-json").raw(this::candidates)
                .form("[OPTIONS] {link|addr|neigh|route|maddr} [show] [[dev] DEV]")
                .form("link set [dev] DEV {up|down} [mtu BYTES] [promisc {on|off}] [allmulticast {on|off}]")
                .form("addr {add|del|replace} ADDRESS/LENGTH dev DEV")
                .form("addr flush dev DEV")
                .form("neigh {add|change|replace|del} ADDRESS [lladdr MAC] dev DEV")
                .form("neigh flush dev DEV")
                .form("route {add|replace|del} {NETWORK|default} [via ADDRESS] [dev DEV] [src ADDRESS] [metric N]")
                .form("monitor [{all|link|addr|neigh|route} ...] [label] [dev DEV]")
                .flag("-s, -statistics", "with counters; twice: those of errors one by one, too")
                .flag("-d, -details", "with more about each")
                .flag("-br, -brief", "one line for each")
                .flag("-o, -oneline", "each on one line, for programs that read lines")
                .flag("-t, -timestamp", "when what 'ip monitor' tells of was seen, on a line before it")
                .flag("-ts, -tshort", "the same on its line")
                .flag("-4", "IPv4 only")
                .flag("-6", "IPv6 only")
                .example("ip link", "all links")
                .example("ip -s link show dev mana0", "one, with its counters")
                .example("ip -s -s link show dev mana0", "and its errors one by one")
                .example("ip link set dev mana1 mtu 4000 up", "changes it")
                .example("ip a", "all addresses")
                .example("ip -br addr --json", "in short, for programs")
                .example("ip addr add 192.0.2.1/24 dev mana0", "one more")
                .example("ip neigh", "who else is on the links")
                .example("ip link set mana0 promisc on; ip link set mana0 promisc off",
                        "a flag: the adapter is told nothing")
                .example("ip monitor link address", "what changes from now on, until it is interrupted")
                .example("ip -ts monitor neigh --json", "an object on a line for each change, with its time")
                .example("ip maddr show dev mana0", "the groups that a host is in")
                .example("ip route add default via 10.77.0.2 dev mana0", "where all else goes")
                .example("ip -6 route show dev mana1", "routes of one family and device")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        IpWords words = new IpWords(call.words());
        IpOptions options = IpOptions.read(words);
        List<String> names = objects.stream().flatMap(object -> object.names().stream()).toList();
        if (words.isEmpty()) {
            throw new UsageError("ip needs to know what it is about: " + String.join(", ",
                    objects.stream().map(object -> object.names().getFirst()).toList()) + ".");
        }
        String name = words.oneOf("object of ip", names);
        IpObject object = objects.stream().filter(one -> one.names().contains(name)).findFirst().orElseThrow();
        String verb = words.isEmpty() ? SHOW : words.oneOf("verb of ip " + object.names().getFirst(), object.verbs());
        object.run(call, options, switch (verb) {
            case "list", "lst" -> SHOW;
            case "delete" -> "del";
            case "chg" -> "change";
            default -> verb;
        }, words);
    }

    private List<Candidate> candidates(Typed typed) {
        List<String> words = typed.words().stream().filter(word -> !word.startsWith("-")).toList();
        if (words.isEmpty()) {
            return objects.stream().map(object -> new Candidate(object.names().getFirst(), "", true)).toList();
        }
        Optional<IpObject> object = objects.stream()
                .filter(one -> IpWords.meant(words.getFirst(), one.names()).isPresent()).findFirst();
        if (object.isEmpty()) {
            return List.of();
        }
        if (words.size() == 1) {
            return object.get().verbs().stream().map(verb -> new Candidate(verb, "", true)).toList();
        }
        List<Candidate> devices = new ArrayList<>(network.completeDevices().candidates(typed));
        if (words.getLast().equals("dev")) {
            return devices;
        }
        return Stream.concat(devices.stream(),
                object.get().keywords().stream().map(word -> new Candidate(word, "", true))).toList();
    }
}

package io.manafold.commands.net.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** {@code ip addr}. */
final class IpAddresses implements IpObject {
    /** How the real tool writes a life without end. */
    private static final long FOREVER = 4_294_967_295L;

    private final Network network;

    IpAddresses(Network network) {
        this.network = network;
    }

    @Override
    public List<String> names() {
        return List.of("address");
    }

    @Override
    public List<String> verbs() {
        return List.of("add", "change", "chg", "replace", "delete", "show", "lst", "list", "flush");
    }

    @Override
    public List<String> keywords() {
        return List.of("dev", "up", "brd", "scope");
    }

    @Override
    public void run(Call call, IpOptions options, String verb, IpWords words) {
        switch (verb) {
            case "show" -> show(call, options, words);
            case "flush" -> {
                Host host = network.host(words.device());
                words.end("ip addr flush");
                Changes changes = new Changes();
                host.addresses().stream().filter(address -> address.origin() != HostAddress.Origin.LINK
                        && options.wants(address.prefix().address().version()))
                        .forEach(address -> changes.make(() -> host.removeAddress(address.prefix())));
                changes.end();
            }
            default -> change(verb, words);
        }
    }

    private void change(String verb, IpWords words) {
        IpPrefix prefix = null;
        String device = null;
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "dev" -> device = words.valueOf(word);
                case "brd", "broadcast", "scope", "label" -> words.valueOf(word);
                default -> {
                    if (prefix != null) {
                        throw IpWords.unexpected("ip addr " + verb, word);
                    }
                    prefix = Words.prefix(word.equals("local") ? words.valueOf(word) : word);
                }
            }
        }
        if (prefix == null || device == null) {
            throw new UsageError("ip addr " + verb + " needs " + (prefix == null ? "an address, as in 10.77.0.1/24."
                    : "a device: dev DEV."));
        }
        IpPrefix wanted = prefix;
        Host host = network.host(device);
        boolean isThere = host.addresses().stream().anyMatch(address -> address.prefix().equals(wanted));
        switch (verb) {
            case "del" -> host.removeAddress(prefix);
            case "change" -> {
                if (!isThere) {
                    throw new Refusal(Errno.EADDRNOTAVAIL, device + " has no address " + prefix
                            + " that could be changed; 'ip addr add' adds it.");
                }
            }
            default -> {
                if (!isThere || verb.equals("add")) {
                    host.addAddress(prefix);
                }
            }
        }
    }

    private void show(Call call, IpOptions options, IpWords words) {
        boolean upFirst = words.takeIf("up");
        List<NetDevice> chosen = words.isEmpty() ? network.devices() : List.of(network.device(words.device()));
        boolean up = words.takeIf("up") || upFirst;
        words.end("ip addr show");
        List<Fields> objects = new ArrayList<>();
        for (NetDevice device : chosen) {
            List<HostAddress> addresses = network.addresses(device.name()).stream()
                    .filter(address -> options.wants(address.prefix().address().version()))
                    .sorted(Comparator.comparingInt(address -> address.prefix().address().version())).toList();
            if (up && !device.isUp() || options.family() != 0 && addresses.isEmpty()) {
                continue;
            }
            if (call.json()) {
                objects.add(fields(device, options, addresses));
            } else if (options.brief()) {
                call.out().println("%-16s %-14s %s".formatted(device.name(), LinkView.state(device), addresses.stream()
                        .map(address -> address.prefix().toString()).collect(Collectors.joining(" "))).stripTrailing());
            } else {
                print(call, options, device, addresses);
            }
        }
        if (call.json()) {
            call.print(objects);
        }
    }

    private static void print(Call call, IpOptions options, NetDevice device, List<HostAddress> addresses) {
        if (!options.oneLine()) {
            call.out().println(LinkView.head(device) + " group default");
            if (options.family() == 0) {
                call.out().println(LinkView.ether(device));
            }
        }
        for (HostAddress address : addresses) {
            LinkView.print(call, options, lines(device, address, options.oneLine()));
        }
    }

    /** An address, behind the name of its device if it stands alone. */
    static List<String> lines(NetDevice device, HostAddress address, boolean alone) {
        return List.of((alone ? device.index() + ": " + device.name() : "") + "    "
                + address.prefix().address().family() + " " + address.prefix()
                + address.broadcast().map(broadcast -> " brd " + broadcast).orElse("") + " scope " + address.scope()
                + (address.prefix().address().isIpv4() ? " " + device.name() : ""),
                "       valid_lft forever preferred_lft forever");
    }

    private static Fields fields(NetDevice device, IpOptions options, List<HostAddress> addresses) {
        List<Fields> infos = addresses.stream().map(address -> info(device, options, address)).toList();
        if (options.brief()) {
            return Fields.of("ifname", device.name()).and("operstate", LinkView.state(device))
                    .and("addr_info", infos);
        }
        Fields fields = LinkView.fields(device).and("group", "default");
        LinkView.address(fields, device);
        return fields.and("addr_info", infos);
    }

    static Fields info(NetDevice device, IpOptions options, HostAddress address) {
        IpPrefix prefix = address.prefix();
        if (options.brief()) {
            return Fields.of("local", prefix.address()).and("prefixlen", prefix.length());
        }
        Fields info = Fields.of("family", prefix.address().family()).and("local", prefix.address())
                .and("prefixlen", prefix.length());
        address.broadcast().ifPresent(broadcast -> info.and("broadcast", broadcast));
        info.and("scope", address.scope());
        if (prefix.address().isIpv4()) {
            info.and("label", device.name());
        }
        return info.and("valid_life_time", FOREVER).and("preferred_life_time", FOREVER);
    }
}

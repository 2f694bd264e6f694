package io.manafold.commands.net.internal;

import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code ip maddr}: the groups that hosts above devices are in. */
final class IpGroups implements IpObject {
    private static final String ALL_4 = "224.0.0.1";
    private static final String ALL_6 = "ff02::1";

    private final Network network;

    IpGroups(Network network) {
        this.network = network;
    }

    /**
     * A group.
     *
     * @param family as the real tool names it, {@code link} for addresses of frames
     */
    private record Group(String family, String address) {
        Fields fields() {
            return family.equals("link") ? Fields.of("link", address)
                    : Fields.of("family", family).and("address", address);
        }
    }

    @Override
    public List<String> names() {
        return List.of("maddress");
    }

    @Override
    public List<String> verbs() {
        return List.of("add", "delete", "show", "list", "lst");
    }

    @Override
    public List<String> keywords() {
        return List.of("dev");
    }

    @Override
    public void run(Call call, IpOptions options, String verb, IpWords words) {
        if (!verb.equals("show")) {
            MacAddress group = Words.mac(words.valueOf(verb));
            NetDevice device = network.device(words.device());
            words.end("ip maddr " + verb);
            throw new Refusal(Errno.EINVAL, "The group " + group + " can be neither added to " + device.name()
                    + " nor taken from it: adapters of this kind have no filter of groups to be told of it. What is "
                    + "for a group arrives without.");
        }
        List<NetDevice> devices = words.isEmpty() ? network.devices() : List.of(network.device(words.device()));
        words.end("ip maddr show");
        if (call.json()) {
            call.print(devices.stream().map(device -> Fields.of("ifindex", device.index())
                    .and("ifname", device.name())
                    .and("maddr", groups(device, options).stream().map(Group::fields).toList())).toList());
            return;
        }
        for (NetDevice device : devices) {
            List<String> lines = new ArrayList<>(List.of(device.index() + ":\t" + device.name()));
            groups(device, options).forEach(group -> lines.add("\t%-5s %s".formatted(group.family, group.address)));
            LinkView.print(call, options, lines);
        }
    }

    private List<Group> groups(NetDevice device, IpOptions options) {
        List<Group> groups = new ArrayList<>();
        List<HostAddress> addresses = network.addresses(device.name());
        if (!device.isUp() || addresses.isEmpty()) {
            return groups;
        }
        Set<String> asked = new LinkedHashSet<>();
        for (HostAddress address : addresses) {
            IpAddress own = address.prefix().address();
            if (own.version() == 6) {
                asked.add("%02x:%04x".formatted((int) own.low() >> 16 & 0xff, (int) own.low() & 0xffff));
            }
        }
        if (options.family() == 0) {
            groups.add(new Group("link", "01:00:5e:00:00:01"));
            if (!asked.isEmpty()) {
                groups.add(new Group("link", "33:33:00:00:00:01"));
            }
            asked.forEach(last -> groups.add(new Group("link", "33:33:ff:" + last.substring(0, 5) + ":"
                    + last.substring(5))));
        }
        if (options.wants(4)) {
            groups.add(new Group("inet", ALL_4));
        }
        if (options.wants(6) && !asked.isEmpty()) {
            asked.forEach(last -> groups.add(new Group("inet6",
                    IpAddress.parse("ff02::1:ff" + last).toString())));
            groups.add(new Group("inet6", ALL_6));
        }
        return groups;
    }
}

package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.UsageError;
import java.util.List;

/** {@code ip link}. */
final class IpLink implements IpObject {
    /** What the real tool changes and this device cannot. */
    private static final List<String> FOREIGN = List.of("address", "name", "alias", "txqueuelen", "qlen", "txqlen",
            "multicast", "arp", "dynamic", "trailers", "master", "nomaster", "netns", "vf",
            "xdp", "group", "mode", "state", "addrgenmode", "protodown");

    private static final String PROMISCUOUS = "promisc";
    private static final String ALL_MULTICAST = "allmulticast";

    private final Network network;

    IpLink(Network network) {
        this.network = network;
    }

    @Override
    public List<String> names() {
        return List.of("link");
    }

    @Override
    public List<String> verbs() {
        return List.of("set", "show", "list", "lst");
    }

    @Override
    public List<String> keywords() {
        return List.of("dev", "up", "down", "mtu", "master", PROMISCUOUS, ALL_MULTICAST, "on", "off");
    }

    @Override
    public void run(Call call, IpOptions options, String verb, IpWords words) {
        if (verb.equals("set")) {
            set(words);
        } else {
            LinkView.show(call, options, chosen(words));
        }
    }

    private List<NetDevice> chosen(IpWords words) {
        boolean up = false;
        String master = null;
        boolean named = false;
        List<NetDevice> devices = network.devices();
        while (!words.isEmpty()) {
            if (words.takeIf("up")) {
                up = true;
            } else if (words.takeIf("master")) {
                master = network.device(words.valueOf("master")).name();
            } else if (named) {
                words.end("ip link show");
            } else {
                devices = List.of(network.device(words.device()));
                named = true;
            }
        }
        boolean onlyUp = up;
        String above = master;
        return devices.stream().filter(device -> (!onlyUp || device.isUp())
                && (above == null || device.master().equals(above))).toList();
    }

    /** Everything is read before anything is changed. */
    private void set(IpWords words) {
        NetDevice device = network.device(words.device());
        Boolean up = null;
        Integer mtu = null;
        Boolean promiscuous = null;
        Boolean allMulticast = null;
        if (words.isEmpty()) {
            throw new UsageError("ip link set needs to know what to set: up, down, mtu, promisc or allmulticast.");
        }
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "up" -> up = true;
                case "down" -> up = false;
                case "mtu" -> mtu = words.number("mtu");
                case PROMISCUOUS -> promiscuous = Words.onOff(word, words.valueOf(word));
                case ALL_MULTICAST -> allMulticast = Words.onOff(word, words.valueOf(word));
                default -> throw refused(device, word);
            }
        }
        Changes changes = new Changes();
        if (mtu != null && mtu != device.mtu()) {
            int wanted = mtu;
            changes.make(() -> device.setMtu(wanted));
        }
        if (promiscuous != null) {
            boolean wanted = promiscuous;
            changes.make(() -> device.setPromiscuous(wanted));
        }
        if (allMulticast != null) {
            boolean wanted = allMulticast;
            changes.make(() -> device.setAllMulticast(wanted));
        }
        if (up != null) {
            boolean wanted = up;
            changes.make(() -> device.setUp(wanted));
        }
        changes.end();
    }

    private static RuntimeException refused(NetDevice device, String word) {
        if (word.equals("address")) {
            return new Refusal(Errno.EOPNOTSUPP, "The address of " + device.name()
                    + " cannot be changed: a port of this adapter has one address for ever.");
        }
        return FOREIGN.contains(word)
                ? new Refusal(Errno.EOPNOTSUPP, "'" + word + "' cannot be set on " + device.name()
                        + ": up, down, mtu, promisc and allmulticast can.")
                : IpWords.unexpected("ip link set", word);
    }
}

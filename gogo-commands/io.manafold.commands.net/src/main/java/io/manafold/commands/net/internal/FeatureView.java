package io.manafold.commands.net.internal;

import io.manafold.api.net.Feature;
import io.manafold.api.net.NetDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Offloads, one by one and in the groups that people know. */
final class FeatureView {
    private static final List<Group> GROUPS = List.of(
            new Group("rx", "rx-checksumming", "rx-checksum"),
            new Group("tx", "tx-checksumming", "tx-checksum-ipv4", "tx-checksum-ip-generic", "tx-checksum-ipv6",
                    "tx-checksum-fcoe-crc", "tx-checksum-sctp"),
            new Group("sg", "scatter-gather", "tx-scatter-gather", "tx-scatter-gather-fraglist"),
            new Group("tso", "tcp-segmentation-offload", "tx-tcp-segmentation", "tx-tcp-ecn-segmentation",
                    "tx-tcp-mangleid-segmentation", "tx-tcp6-segmentation", "tx-tcp-accecn-segmentation"),
            new Group("gso", "generic-segmentation-offload", "tx-generic-segmentation"),
            new Group("gro", "generic-receive-offload", "rx-gro"),
            new Group("lro", "large-receive-offload", "rx-lro"),
            new Group("rxvlan", "rx-vlan-offload", "rx-vlan-hw-parse"),
            new Group("txvlan", "tx-vlan-offload", "tx-vlan-hw-insert"),
            new Group("ntuple", "ntuple-filters", "rx-ntuple-filter"),
            new Group("rxhash", "receive-hashing", "rx-hashing"));

    /** Offloads with a name in common. */
    private record Group(String word, String name, List<String> members) {
        Group(String word, String name, String... members) {
            this(word, name, List.of(members));
        }

        List<Feature> of(List<Feature> features) {
            return features.stream()
                    .filter(feature -> feature.name().equals(name) || members.contains(feature.name())).toList();
        }
    }

    /** One line of the list. */
    private record Line(String indent, Feature feature, boolean group) {
        /** Of several offloads, programs hear whether one of them is on, and no more. */
        Fields fields() {
            return Fields.of("active", feature.on()).and("fixed", group ? null : feature.fixed())
                    .and("requested", group ? null : feature.on() && !feature.fixed());
        }
    }

    private FeatureView() {
    }

    /** Every name that can be set. */
    static Stream<String> names(NetDevice device) {
        return lines(device).stream().map(line -> line.feature().name());
    }

    private static List<Line> lines(NetDevice device) {
        List<Feature> left = new ArrayList<>(device.features());
        List<Line> lines = new ArrayList<>();
        for (Group group : GROUPS) {
            List<Feature> members = group.of(left);
            if (members.isEmpty()) {
                continue;
            }
            boolean several = group.members().size() > 1;
            lines.add(new Line("", new Feature(group.name(), members.stream().anyMatch(Feature::on),
                    members.stream().allMatch(Feature::fixed)), several));
            if (several) {
                members.stream().filter(member -> !member.name().equals(group.name()))
                        .forEach(member -> lines.add(new Line("\t", member, false)));
            }
            left.removeAll(members);
        }
        left.forEach(feature -> lines.add(new Line("", feature, false)));
        return lines;
    }

    static void show(Call call, NetDevice device) {
        List<Line> lines = lines(device);
        if (call.json()) {
            Fields fields = new Fields();
            lines.forEach(line -> fields.and(line.feature().name(), line.fields()));
            EthtoolViews.json(call, device, fields);
            return;
        }
        call.out().println("Features for " + device.name() + ":");
        lines.forEach(line -> call.out().println(line.indent() + line.feature().name() + ": "
                + Words.onOff(line.feature().on()) + (line.feature().fixed() ? " [fixed]" : "")));
    }

    static void change(Call call, NetDevice device, IpWords words) {
        List<Feature> before = device.features();
        Map<String, Boolean> wanted = new LinkedHashMap<>();
        while (!words.isEmpty()) {
            String name = words.take();
            boolean on = Words.onOff(name, words.valueOf(name));
            members(device, name, before).forEach(member -> wanted.put(member, on));
        }
        Changes changes = new Changes();
        wanted.forEach((feature, on) -> changes.make(() -> device.setFeature(feature, on)));
        tellOthers(call, before, device.features(), wanted);
        changes.end();
    }

    /** What is meant by a name: of a group all that can be changed, or one of those that refuses for all. */
    private static List<String> members(NetDevice device, String name, List<Feature> features) {
        List<Feature> members = GROUPS.stream()
                .filter(group -> group.word().equals(name) || group.name().equals(name)).findFirst()
                .map(group -> group.of(features)).orElseGet(() -> features.stream()
                        .filter(feature -> feature.name().equals(name)).toList());
        if (members.isEmpty()) {
            throw UsageError.unknown("feature of " + device.name(), name, names(device).toList());
        }
        List<String> free = members.stream().filter(member -> !member.fixed() && !isGroup(member, features))
                .map(Feature::name).toList();
        return free.isEmpty() ? List.of(members.getFirst().name()) : free;
    }

    /** Whether it stands for others that are there by themselves. */
    private static boolean isGroup(Feature feature, List<Feature> features) {
        return GROUPS.stream().anyMatch(group -> group.name().equals(feature.name())
                && features.stream().anyMatch(one -> group.members().contains(one.name())));
    }

    /** Says what else has changed, and what has not although it was to. */
    private static void tellOthers(Call call, List<Feature> before, List<Feature> after, Map<String, Boolean> wanted) {
        Map<String, Boolean> was = new TreeMap<>();
        before.forEach(feature -> was.put(feature.name(), feature.on()));
        List<String> lines = new ArrayList<>();
        boolean surprising = false;
        for (Feature feature : after.stream().filter(one -> !isGroup(one, after)).toList()) {
            Boolean asked = wanted.get(feature.name());
            boolean changed = !Boolean.valueOf(feature.on()).equals(was.get(feature.name()));
            if (asked != null && asked != feature.on()) {
                surprising = true;
                lines.add(feature.name() + ": " + Words.onOff(feature.on()) + " [requested " + Words.onOff(asked)
                        + "]");
            } else if (changed) {
                surprising |= asked == null;
                lines.add(feature.name() + ": " + Words.onOff(feature.on())
                        + (asked == null ? " [not requested]" : ""));
            }
        }
        if (surprising) {
            call.out().println("Actual changes:");
            lines.forEach(call.out()::println);
        }
    }
}

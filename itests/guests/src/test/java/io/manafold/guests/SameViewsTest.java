package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real ethtool and ip on a port that Linux's driver drives, and ours on a port that our driver drives: the same
 * words, and labels and their order line by line. What is otherwise is listed here, with the reason.
 */
@Tag("guest")
class SameViewsTest {
    private static final String LAB = """
            adapters:
              - name: vm
                queues: 4
                macs: ["00:0d:3a:00:00:0a"]
              - name: one
                queues: 4
                macs: ["00:0d:3a:00:00:0b"]
            links:
              - {name: net, ports: [vm/1, one/1]}
            exports:
              - {adapter: vm, socket: %s/vm.sock}
            devices:
              - {name: mana0, on: one/1, addresses: [10.1.0.2/24]}
            """;
    /** What a kernel does in software above any driver can be switched there; our driver has nothing of the kind. */
    private static final Set<String> KERNELS_OWN = Set.of("\ttx-tcp-mangleid-segmentation:#",
            "generic-segmentation-offload:#", "generic-receive-offload:#", "tx-nocache-copy:#", "rx-gro-list:#",
            "rx-udp-gro-forwarding:#");
    /** Keys of JSON that one of the two has alone, by the words. */
    private static final Map<String, Set<String>> ALONE = Map.of(
            // holding interrupts back came to Linux's driver after 7.2
            "ethtool --json -c", Set.of("adaptive-rx BOOLEAN", "rx-usecs NUMBER", "rx-frames NUMBER",
                    "adaptive-tx BOOLEAN", "tx-usecs NUMBER", "tx-frames NUMBER"),
            // our driver has no queue above its own, which such a length would be of
            "ip -j -s -s link show", Set.of("txqlen NUMBER"));

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        guest = Guest.named("views").on(platform.socket("vm")).cpus(2).limit(Kit.times(500, 7200)).boot();
        guest.run("begin; modprobe mana && until_true 100 there eth0 && end eth0 1 && until_true 100 ping -c 1 -W 1 "
                + "10.1.0.2").done();
    }

    @AfterAll
    static void end() {
        if (guest != null) {
            guest.close();
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        assertThat(guest.complaints()).as("complaints of the guest's kernel").isEmpty();
        adapters.refusedNothing("vm");
        adapters.refusedNothing("one");
        assertThat(platform.complained()).isEmpty();
    }

    private static String there(String words) {
        return guest.run(words + " eth0").done().output();
    }

    /** Ours, as if its device had the other one's name. */
    private static String here(String words) {
        return platform.run(words + " mana0").done().output().replace("mana0", "eth0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ethtool", "ethtool -i", "ethtool -c", "ethtool -g", "ethtool -l", "ethtool -x",
        "ethtool -P", "ethtool -T"})
    void theSameWordsGiveTheSameLabels(String words) {
        String theirs = there(words);
        String ours = here(words);
        assertThat(Labels.ofSettings(ours)).as("%s, which says here:%n%s%nand there:%n%s", words, ours, theirs)
                .isNotEmpty().isEqualTo(Labels.ofSettings(theirs));
    }

    @Test
    void offloadsStandInTheSameOrderAndTheSameAreFixed() {
        List<String> theirs = Labels.ofSettings(there("ethtool -k"));
        List<String> ours = Labels.ofSettings(here("ethtool -k"));
        assertThat(theirs).containsAll(KERNELS_OWN);
        assertThat(ours).hasSizeGreaterThan(50).isEqualTo(theirs.stream()
                .map(label -> KERNELS_OWN.contains(label) ? label + " [fixed]" : label).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ethtool --json", "ethtool --json -k", "ethtool --json -c", "ethtool --json -g",
        "ethtool --json -l", "ethtool --json -x", "ip -j -s -s link show"})
    void programsFindTheSameKeys(String words) {
        Set<String> alone = ALONE.getOrDefault(words, Set.of());
        Set<String> theirs = new TreeSet<>(Labels.of(there(words)));
        Set<String> ours = new TreeSet<>(Labels.of(here(words)));
        assertThat(Stream.concat(theirs.stream(), ours.stream())).as("not listed for nothing").containsAll(alone);
        theirs.removeAll(alone);
        ours.removeAll(alone);
        assertThat(ours).as(words).isNotEmpty().isEqualTo(theirs);
    }

    /** What Linux's driver has not, ours has not either; of both nothing is printed but a sentence. */
    @ParameterizedTest
    @ValueSource(strings = {"-a", "-m", "-d"})
    void whatTheDriverHasNotIsNotSupported(String flag) {
        assertThat(guest.run("ethtool " + flag + " eth0").refused("Operation not supported").output()).hasLineCount(1);
        assertThat(platform.run("ethtool " + flag + " mana0").refused("(EOPNOTSUPP)").output()).hasLineCount(1);
    }

    @Test
    void rulesAreNotSupportedBehindTheNumberOfQueues() {
        String theirs = guest.run("ethtool -n eth0").refused("Operation not supported").output();
        String ours = platform.run("ethtool -n mana0").refused("(EOPNOTSUPP)").output();
        assertThat(ours.lines().filter(line -> line.contains(" RX rings")).map(line -> line.replaceAll("\\d+", "#")))
                .containsExactly("# RX rings available")
                .containsExactlyElementsOf(theirs.lines().filter(line -> line.contains(" RX rings"))
                        .map(line -> line.replaceAll("\\d+", "#")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ip link show", "ip -s link show", "ip -s -s link show", "ip -o -s -s link show"})
    void linksHaveTheSameLabels(String words) {
        // our driver has no queue above its own, so there is nothing that would be in order, nor a length of it
        List<String> theirs = links(there(words).replaceAll("qdisc \\S+", "qdisc noqueue")
                .replaceAll(" qlen \\d+", ""));
        String ours = here(words);
        assertThat(links(ours)).as("%s, which says here:%n%s", words, ours).isNotEmpty().isEqualTo(theirs);
    }

    private static List<String> links(String said) {
        return Labels.of(said.replaceAll("(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", "0").replaceAll("(?m)[ \t]+(?=\\\\|$)", ""))
                .stream().map(line -> line.replaceAll(" +", " ")).toList();
    }

    /** Told as it happens, in the same words. */
    @Test
    void changesAreToldAlike() {
        List<String> changes = List.of("ip addr add 10.9.0.1/24%2$s dev %1$s",
                "ip neigh add 10.9.0.7 lladdr 00:11:22:33:44:55 dev %1$s", "ip neigh del 10.9.0.7 dev %1$s",
                "ip addr del 10.9.0.1/24 dev %1$s", "ip link set %1$s mtu 1400", "ip link set %1$s mtu 1500");
        // ours takes the address for all hosts of a network by itself
        String each = String.join("; sleep 0.3; ", changes).formatted("eth0", " brd +");
        String theirs = guest.run("ip monitor link address neigh >/tmp/told & sleep 2; " + each
                + "; sleep 1; kill $!; cat /tmp/told").done().output();
        String ours;
        try (Window window = platform.begin("ip monitor link address neigh")) {
            // what it tells of first shows that it watches
            while (!window.said().contains("10.8.0.1/24")) {
                platform.run("ip addr add 10.8.0.1/24 dev mana0").done();
                platform.run("ip addr del 10.8.0.1/24 dev mana0").done();
            }
            for (String change : changes) {
                platform.run(change.formatted("mana0", "")).done();
            }
            window.await("mtu 1500");
            ours = window.said().replaceAll("(?m)^(?:Deleted )?2: mana0 +inet 10[.]8[.]0[.]1/24 .*\n.*\n", "");
        }
        assertThat(told(ours.replace("mana0", "eth0"))).as("here:%n%s%nthere:%n%s", ours, theirs)
                .hasSizeGreaterThan(8).isEqualTo(told(theirs));
    }

    /** Without what a kernel says of neighbours that it lets go: they have failed first, and so they have gone. */
    private static List<String> told(String said) {
        return links(said.replaceAll("qdisc \\S+", "qdisc noqueue").replaceAll("(?m)^\\S+ dev eth0 FAILED *\n", "")
                .replaceAll("(?m)^(Deleted 10.9.0.7 dev eth0 ).*", "$1")
                // neighbours that come and go by themselves
                .replaceAll("(?m)^(?:Deleted )?(?!10.9.0.7)\\S+ dev eth0 .*\n", ""));
    }
}

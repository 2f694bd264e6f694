package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Finding.State;
import io.manafold.image.internal.ElfBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of the 22 is wrong on purpose: it fails and no other does; as it was, all is well. */
@Timeout(300)
class EveryCheckTest {
    private static final List<Check> CHECKS = Examination.sorted(Checks.all());
    /** What no command on the machine mends: its host does, or a person who knows which device is meant. */
    private static final Set<String> OUTSIDE = Set.of("1 no function", "3 refused", "3 silent", "5 slot",
            "13 nobody's", "13 no address", "13 nine", "16 net_vdev_netvsc", "19 alone",
            "19 other devices", "20 way of management");

    @TempDir
    private Path folder;

    /** What is wrong with a machine. */
    private record Fault(int id, String name, boolean polling, Change change, String mend) {
        @Override
        public String toString() {
            return id + " " + name;
        }
    }

    @FunctionalInterface
    private interface Change {
        void on(Prepared machine) throws IOException;
    }

    private static Fault paired(int id, String name, Change change, String mend) {
        return new Fault(id, name, false, change, mend);
    }

    private static Fault polling(int id, String name, Change change, String mend) {
        return new Fault(id, name, true, change, mend);
    }

    private static Fault line(int id, String name, String words, String by, String mend) {
        return polling(id, name, machine -> machine.replace("answers/application", words, by), mend);
    }

    static Stream<Fault> faults() {
        return Stream.of(
                paired(1, "no function", machine -> machine.replace("answers/functions", "vendor=1414", "vendor=15b3"),
                "lspci"), paired(2, "no driver", machine -> machine.replace("answers/functions", "driver=mana",
                "driver=")
                        .replace("answers/dmesg", "mana 7870", "pci 7870"), "modprobe mana"),
                paired(3, "refused", machine -> machine.replace("answers/functions", "driver=mana", "driver=")
                .answer("dmesg",
                        "mana 7870:00:00.0: HWC: Failed hw_channel req: 0xc00000bb\n"
                                + "mana 7870:00:00.0: probe with driver mana failed with error -71\n"),
                        "kernel"),
                paired(3, "silent", machine -> machine.replace("answers/functions", "driver=mana", "driver=")
                .answer("dmesg",
                        "mana 7870:00:00.0: HWC: Request timed out!\n"
                                + "mana: probe of 7870:00:00.0 failed with error -110\n"), "kernel"),
                paired(4, "kernel", machine -> machine.answer("uname", "5.10.0-8\n"), "reboot"),
                polling(4, "kernel for poll mode", machine -> machine.answer("uname", "6.1.0-8\n").file(
                        "/lib/modules/6.1.0-8/kernel/drivers/net/ethernet/microsoft/mana/mana.ko", "x"), "reboot"),
                paired(4, "rdma-core", machine -> machine.file("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.39.0", ""),
                "ibverbs-providers"), paired(4, "DPDK", machine -> machine.file("/usr/lib64/librte_eal.so.22.0", ""),
                "dpdk"), paired(5, "not below", machine -> machine.replace("answers/interfaces", "master=eth1",
                "master="), "ip link set"), paired(5, "address", machine -> machine.replace("answers/interfaces",
                "eth1 mac=00:0d:3a:00:00:02", "eth1 mac=00:0d:3a:00:00:0f"), "address"),
                paired(5, "slot", machine -> machine.replace("answers/dmesg", "slot 30832", "slot 2"), "start it anew"),
                paired(6, "slow path", machine -> machine.answer("ethtool-S.eth1.later", Prepared.counters(9000, 1000)),
                "ethtool -S eth1"), paired(7, "address of its own", machine -> machine.replace("answers/ip-addr",
                "fe80::1/64", "10.0.1.5/24"), "ip addr flush"), paired(7, "netplan", machine ->
                machine.file("/etc/netplan/50.yaml", "  match:\n    driver: mana\n  dhcp4: true\n"), "hv_netvsc"),
                paired(7, "rule of old drivers", machine -> machine.replace("files/etc/udev/rules.d/68-azure.rules",
                "|mana", ""), "name mana"), paired(7, "NetworkManager of old drivers",
                machine -> machine.file("/etc/NetworkManager/conf.d/99-azure.conf",
                "[keyfile]\nunmanaged-devices=driver:mlx4_core;driver:mlx5_core\n"), "name mana"), polling(8,
                "virtual function up", machine -> machine.replace("answers/interfaces", "flags=0x1802", "flags=0x1803"),
                "ip link set enP30832p0s0d1 down"), polling(8, "synthetic device up",
                machine -> machine.replace("answers/interfaces", "flags=0x1002", "flags=0x1003"),
                "ip link set eth1 down"), polling(9, "none", machine -> machine.replace("files/proc/meminfo", "1024",
                "0"), "nr_hugepages"), polling(9, "none on the node", machine -> machine
                        .file("/sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages", "0\n")
                        .file("/sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages", "1024\n"),
                        "node0"),
                polling(10, "not mounted", machine -> machine.file("/proc/mounts", "proc /proc proc rw 0 0\n"),
                "mount -t hugetlbfs"), polling(10, "not allowed", machine -> machine.answer("hugepage-mounts",
                "/dev/hugepages writable=no\n"), "chown"),
                polling(11, "19 and erdma", machine -> machine.file(Prepared.MODULE, ElfBytes.module(19))
                        .file(Prepared.PROVIDERS + "liberdma-rdmav34.so", ElfBytes.provider(19)), "kernel"),
                paired(11, "19 without erdma", machine -> machine.file(Prepared.MODULE, ElfBytes.module(19)), "kernel"),
                polling(12, "no provider", machine -> machine.without("files" + Prepared.PROVIDERS
                + "libmana-rdmav34.so"), "ibverbs-providers"), line(13, "nobody's", "mac=00:0d:3a:00:00:02",
                "mac=00:0d:3a:00:00:99", "00:0d:3a:00:00:02"), line(13, "no address", "mac=00:0d:3a:00:00:02",
                "mac=00:0d:3a:0:0:2", "00:0d:3a:00:00:02"), line(13, "nine", "mac=00:0d:3a:00:00:02",
                "mac=00:0d:3a:00:00:02" + ",mac=00:0d:3a:00:00:02".repeat(8), "--vdev"),
                line(14, "unequal", "--rxq=2", "--rxq=4", "--rxq=4 --txq=4"), line(14, "three", "--rxq=2 --txq=2",
                "--rxq=3 --txq=3", "--rxq=2 --txq=2"), line(14, "too few cores", "-l 0-2", "-l 0-1", "-l 0-2"),
                line(15, "odd", "--rxd=128", "--rxd=100", "--rxd=128"), line(15, "small", "--txd=128", "--txd=32",
                "--txd=64"), line(16, "net_vdev_netvsc", "-l 0-2", "-l 0-2 --vdev=net_vdev_netvsc0,iface=eth1",
                "7870:00:00.0"), line(17, "-w", "-l 0-2", "-l 0-2 -w 7870:00:00.0,mac=00:0d:3a:00:00:02",
                "-a"),
                line(18, "jumbo", "--rxd=128", "--rxd=128 --max-pkt-len=9018", "--mbuf-size=9152"),
                paired(18, "two sizes", machine -> machine.replace("answers/interfaces",
                Prepared.virtual("enP30832p0s0d1", 2, "0x1803", 1500, "eth1"), Prepared.virtual("enP30832p0s0d1", 2,
                "0x1803", 9000, "eth1")), "mtu 9000"), line(19, "alone", "-l 0-2", "-l 0-2 --proc-type=secondary",
                "primary"), polling(19, "other devices", machine -> machine.answer("application",
                Prepared.LINE.replace("-l", "--proc-type=primary -l") + "\n" + Prepared.LINE.replace("-l",
                "--proc-type=secondary -l").replace(":02\"", ":02,mac=00:0d:3a:00:00:02\"") + "\n"), "devices"),
                polling(20, "way of management", machine -> machine.answer("management", "default-route dev=eth1\n"),
                "00:0d:3a:00:00:01"), polling(21, "l3fwd", machine -> machine.answer("application",
                Prepared.LINE.replace("dpdk-testpmd", "./dpdk-l3fwd") + " -P\n"), "-P"), paired(22, "telegraf",
                machine -> machine.replace("files/etc/telegraf/telegraf.conf", ", \"mana\"", ""), "telegraf.conf"),
                paired(22, "a list of a manager", machine -> machine.file("/etc/collectd/collectd.conf",
                "# the manager watches mlx5_core\n"), "collectd.conf"));
    }

    private static List<Diagnosis> examine(Prepared machine) throws InterruptedException {
        return new Examination(Duration.ofSeconds(60)).of(machine.evidence(), CHECKS, List.of());
    }

    private static List<String> ids(List<Diagnosis> diagnoses, Predicate<Diagnosis> which) {
        return diagnoses.stream().filter(which).map(Diagnosis::id).toList();
    }

    private Prepared prepared(String name, boolean polling) throws IOException {
        Path own = folder.resolve(name);
        return polling ? Prepared.polling(own) : Prepared.pairs(own);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void brokenItFailsAndNoOther(Fault fault) throws Exception {
        Prepared machine = prepared("broken", fault.polling);
        fault.change.on(machine);
        List<Diagnosis> diagnoses = examine(machine);
        assertThat(ids(diagnoses, one -> one.finding().state() == State.FAIL))
                .as("%s", ids(diagnoses, one -> one.finding().state() != State.OK)).containsExactly("" + fault.id);
        Finding finding = diagnoses.stream().filter(one -> one.id().equals("" + fault.id)).findFirst().orElseThrow()
                .finding();
        assertThat(finding.evidence()).isNotEmpty();
        assertThat(finding.search()).isNotEmpty();
        assertThat(String.join("\n", finding.mend())).contains(fault.mend);
        assertThat(diagnoses).allSatisfy(one -> assertThat(one.skippedBy()).isIn(null, "" + fault.id));

        boolean pasted = false;
        for (String line : finding.mend()) {
            pasted |= PastedCommands.paste(machine, line);
        }
        assertThat(pasted).as("whether the machine itself is mended by a line of %s", finding.mend())
                .isEqualTo(!OUTSIDE.contains(fault.toString()));
        if (pasted) {
            List<Diagnosis> again = examine(machine);
            assertThat(ids(again, one -> one.finding().state() == State.FAIL)).as("after %s", finding.mend()).isEmpty();
            assertThat(again.stream().filter(one -> one.id().equals("" + fault.id)).findFirst().orElseThrow().finding()
                    .state()).as("after %s", finding.mend()).isIn(State.OK, State.WARN);
        } else {
            assertThat(ids(examine(prepared("as it was", fault.polling)), one -> one.finding().state() == State.FAIL))
                    .isEmpty();
        }
    }

    @Test
    void allAreThereAndEachIsOkOnAGoodMachine() throws Exception {
        assertThat(CHECKS.stream().map(Check::id)).containsExactlyElementsOf(IntStream.rangeClosed(1, 22)
                .mapToObj(String::valueOf).toList());
        assertThat(faults().map(fault -> fault.id).distinct()).hasSize(22);
        assertThat(ids(examine(Prepared.pairs(folder.resolve("pairs"))), one -> one.finding().state() == State.OK))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "11", "12", "18", "22");
        assertThat(ids(examine(Prepared.polling(folder.resolve("polling"))), one -> one.finding().state() == State.OK))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 22).filter(id -> id != 6).mapToObj(String::valueOf)
                .toList());
    }

    @Test
    void theNumbersAreBothShownAndWhoWouldBeLoaded() throws Exception {
        Prepared machine = Prepared.polling(folder);
        machine.file(Prepared.MODULE, ElfBytes.module(19))
                .file(Prepared.PROVIDERS + "liberdma-rdmav34.so", ElfBytes.provider(19));
        Finding finding = examine(machine).get(10).finding();
        assertThat(finding.evidence()).extracting(Finding.Line::line).containsExactly("number 19 (erdma), interface 1",
                "number 20 (mana)", "would be loaded for the device");
        assertThat(finding.evidence().get(2).source()).endsWith("liberdma-rdmav34.so");
    }
}

package io.manafold.doctor.internal;

import io.manafold.api.doctor.Evidence;
import io.manafold.image.internal.ElfBytes;
import io.manafold.image.internal.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * A machine as the script would write it down: a folder of files and answers, and something wrong with it on purpose.
 */
final class Prepared {
    static final String KERNEL = "6.12.48-cloud";
    static final String MODULE = "/lib/modules/" + KERNEL + "/kernel/drivers/infiniband/hw/mana/mana_ib.ko";
    static final String PROVIDERS = "/usr/lib/x86_64-linux-gnu/libibverbs/";
    /** What {@link #polling} is started with. */
    static final String LINE = "dpdk-testpmd -l 0-2 --vdev=\"7870:00:00.0,mac=00:0d:3a:00:00:02\" -- --rxq=2 --txq=2 "
            + "--nb-cores=2 --rxd=128 --txd=128";

    private final Path folder;

    private Prepared(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("manafold-evidence"), "1\n");
        answer("uname", KERNEL + "\n");
        answer("id", "1000\n");
        answer("dmesg", "mana 7870:00:00.0: Microsoft Azure Network Adapter protocol version: 0.1.1\n"
                + "hv_netvsc f8615163-0000 eth1: VF slot 30832 added\n");
        answer("functions", "7870:00:00.0 vendor=1414 device=00ba class=020000 driver=mana numa_node=0\n");
        answer("management", "default-route dev=eth0\n");
        answer("infiniband", "mana_0 device=7870:00:00.0 fw_ver=9.1\n");
        file("/sys/bus/pci/slots/30832/address", "7870:00:00\n");
        file(MODULE, ElfBytes.module(20));
        file("/lib/modules/" + KERNEL + "/kernel/drivers/net/ethernet/microsoft/mana/mana.ko", ElfBytes.module(20));
        file(PROVIDERS + "libmana-rdmav34.so", ElfBytes.provider(20));
        file("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0", "");
        file("/usr/lib/x86_64-linux-gnu/librte_eal.so.23.0", "");
        file("/proc/meminfo", "HugePages_Total:    1024\nHugePages_Free:     1024\n");
        file("/proc/mounts", "hugetlbfs /dev/hugepages hugetlbfs rw 0 0\n");
        answer("hugepage-mounts", "/dev/hugepages writable=yes\n");
        file("/etc/telegraf/telegraf.conf", "drivers = [\"mlx5_core\", \"mana\"]\n");
        file("/etc/udev/rules.d/68-azure.rules",
                "SUBSYSTEM==\"net\", DRIVERS==\"mlx4_core|mlx5_core|mana\", ENV{NM_UNMANAGED}=\"1\"\n");
    }

    /** Linux itself uses both pairs of a synthetic device and a virtual function. */
    static Prepared pairs(Path folder) throws IOException {
        Prepared machine = new Prepared(folder);
        machine.answer("interfaces", netvsc("eth0", 1, "0x1003", 1500) + netvsc("eth1", 2, "0x1003", 1500)
                + virtual("enP30832p0s0", 1, "0x1803", 1500, "eth0") + virtual("enP30832p0s0d1", 2, "0x1803", 1500,
                "eth1"));
        machine.answer("ip-addr", "10.0.0.4/24 dev=eth0\n10.0.1.4/24 dev=eth1\nfe80::1/64 dev=enP30832p0s0d1\n");
        machine.answer("ethtool-S.eth1", counters(1000, 1000));
        machine.answer("ethtool-S.eth1.later", counters(1000, 1500));
        return machine;
    }

    /** The second port is a poll-mode application's. */
    static Prepared polling(Path folder) throws IOException {
        Prepared machine = new Prepared(folder);
        machine.answer("interfaces", netvsc("eth0", 1, "0x1003", 1500) + netvsc("eth1", 2, "0x1002", 1500)
                + virtual("enP30832p0s0", 1, "0x1803", 1500, "eth0") + virtual("enP30832p0s0d1", 2, "0x1802", 1500,
                "eth1"));
        machine.answer("ip-addr", "10.0.0.4/24 dev=eth0\n");
        machine.answer("application", LINE + "\n");
        return machine;
    }

    static String netvsc(String name, int mac, String flags, int mtu) {
        return ("%s mac=00:0d:3a:00:00:%02x mtu=%d flags=%s dev_port=0x0 operstate=up driver=hv_netvsc "
                + "device=f8615163 master=%n")
                .formatted(name, mac, mtu, flags);
    }

    static String virtual(String name, int mac, String flags, int mtu, String master) {
        return ("%s mac=00:0d:3a:00:00:%02x mtu=%d flags=%s dev_port=%d operstate=up driver=mana "
                + "device=7870:00:00.0 master=%s%n")
                .formatted(name, mac, mtu, flags, mac - 1, master);
    }

    static String counters(int synthetic, int fast) {
        return "NIC statistics:\n     tx_scattered: 0\n"
                + "     vf_rx_packets: 5\n     vf_tx_packets: %d\n     tx_queue_0_packets: %d\n"
                .formatted(fast, synthetic);
    }

    Prepared answer(String name, String text) throws IOException {
        return at("answers/" + name, text.getBytes());
    }

    Prepared file(String path, String text) throws IOException {
        return file(path, text.getBytes());
    }

    Prepared file(String path, byte[] bytes) throws IOException {
        return at("files" + path, bytes);
    }

    private Prepared at(String path, byte[] bytes) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        return this;
    }

    Prepared without(String path) throws IOException {
        Files.delete(folder.resolve(path));
        return this;
    }

    /** Puts other words in the place of some of an answer's or a file's. */
    Prepared replace(String path, String words, String by) throws IOException {
        String text = Files.readString(folder.resolve(path));
        if (!text.contains(words)) {
            throw new IllegalArgumentException(path + " does not say '" + words + "'");
        }
        return at(path, text.replace(words, by).getBytes());
    }

    Prepared edit(String path, UnaryOperator<String> change) throws IOException {
        Path file = folder.resolve(path);
        return at(path, change.apply(Files.readString(file)).getBytes());
    }

    /** Without a file, if it is there. */
    Prepared gone(String path) throws IOException {
        Files.deleteIfExists(folder.resolve("files" + path));
        return this;
    }

    Evidence evidence() throws InterruptedException {
        return new Reader().read(folder);
    }
}

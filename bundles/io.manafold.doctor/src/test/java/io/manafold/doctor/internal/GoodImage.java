package io.manafold.doctor.internal;

import io.manafold.image.internal.ElfBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The root of an image that is fit for all: kernel, drivers, provider, DPDK, and the rule of azure-vm-utils. */
final class GoodImage {
    static final String KERNEL = "6.12.48-cloud";
    static final String DRIVERS = "/usr/lib/modules/" + KERNEL + "/kernel/drivers/";
    static final String LIBRARIES = "/usr/lib/x86_64-linux-gnu/";
    static final String MANA = DRIVERS + "net/ethernet/microsoft/mana/mana.ko";
    static final String MANA_IB = DRIVERS + "infiniband/hw/mana/mana_ib.ko";
    static final String PROVIDER = LIBRARIES + "libibverbs/libmana-rdmav34.so";
    static final String NET_MANA = LIBRARIES + "dpdk/pmds-24.2/librte_net_mana.so.24.2";
    static final String MANAGER = "/usr/lib/systemd/system/NetworkManager.service";
    static final String UNMANAGED = "/etc/udev/rules.d/10-azure-unmanaged-sriov.rules";
    private static final String RULE = "SUBSYSTEM==\"net\", DRIVERS==\"mana|mlx5_core\", "
            + "ATTR{flags}==\"0x?[89ABCDEF]??\", ENV{NM_UNMANAGED}=\"1\"\n";

    private GoodImage() {
    }

    static void make(Path root) throws IOException {
        write(root, "/boot/config-" + KERNEL, ("CONFIG_MICROSOFT_MANA=m\nCONFIG_MANA_INFINIBAND=m\n"
                + "CONFIG_HYPERV_NET=m\n").getBytes());
        write(root, MANA, ElfBytes.module(20));
        write(root, DRIVERS + "net/hyperv/hv_netvsc.ko", ElfBytes.module(20));
        write(root, MANA_IB, ElfBytes.module(20));
        write(root, PROVIDER, ElfBytes.provider(20));
        write(root, LIBRARIES + "librte_eal.so.24.2", new byte[0]);
        write(root, NET_MANA, new byte[0]);
        write(root, UNMANAGED, RULE.getBytes());
        write(root, MANAGER, new byte[0]);
        write(root, "/usr/lib/NetworkManager/conf.d/none.conf", new byte[0]);
    }

    static void write(Path root, String path, byte[] bytes) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    static void without(Path root, String... paths) throws IOException {
        for (String path : paths) {
            Files.delete(root.resolve(path.substring(1)));
        }
    }
}

package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.checks.AddressCheck;
import io.manafold.doctor.internal.checks.DriverCheck;
import io.manafold.doctor.internal.image.ImageAssessment;
import io.manafold.image.internal.ElfBytes;
import io.manafold.image.internal.Reader;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images that are fit for some ways of using MANA and not for others, and why. */
@Timeout(120)
class ImageAssessmentTest {
    private static final String KERNEL = GoodImage.KERNEL;
    private static final String DRIVERS = GoodImage.DRIVERS;
    private static final String LIBRARIES = GoodImage.LIBRARIES;

    @TempDir
    private Path root;

    @BeforeEach
    void good() throws IOException {
        GoodImage.make(root);
    }

    private void write(String path, String text) throws IOException {
        write(path, text.getBytes());
    }

    private void write(String path, byte[] bytes) throws IOException {
        GoodImage.write(root, path, bytes);
    }

    private Map<String, String> verdicts() throws InterruptedException {
        return judged().verdicts().stream().collect(Collectors.toMap(Survey.Verdict::name, one -> one.answer() + " "
                + one.why(), (a, _) -> a, TreeMap::new));
    }

    private Survey judged() throws InterruptedException {
        return ImageAssessment.of(new Reader().read(root));
    }

    @Test
    void oneThatIsFitForAll() throws Exception {
        assertThat(verdicts()).hasSize(5).allSatisfy((_, said) -> assertThat(said).startsWith("YES "));
        Survey.Kernel kernel = judged().kernels().getFirst();
        assertThat(kernel.release()).isEqualTo(KERNEL);
        assertThat(kernel.facts()).containsEntry("CONFIG_MICROSOFT_MANA", "m").containsEntry("driver_id", "20 (mana)")
                .containsEntry("alias", "no")
                .containsEntry("initial_files", "not shown").containsEntry("kept_from_loading", "no");
        assertThat(judged().verdicts()).allSatisfy(one -> assertThat(one.evidence()).isNotEmpty());
    }

    /** A file that is put in or taken out, and the verdicts that are no longer yes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            - | {drivers}net/ethernet/microsoft/mana/mana.ko | | function alone: NO kernel 6.12.48-cloud has no driver mana; pair: NO kernel 6.12; servicing: NO it needs the pair
            - | {drivers}net/hyperv/hv_netvsc.ko | | pair: NO kernel 6.12.48-cloud has no driver for synthetic devices; servicing: NO it needs the pair
            - | {drivers}infiniband/hw/mana/mana_ib.ko | | RDMA: NO kernel 6.12.48-cloud has no driver mana_ib; DPDK: NO it needs RDMA
            - | {libraries}libibverbs/libmana-rdmav34.so | | RDMA: NO libibverbs has no provider; DPDK: NO it needs RDMA
            - | {libraries}dpdk/pmds-24.2/librte_net_mana.so.24.2 | | DPDK: NO this DPDK was built without net_mana
            - | /etc/udev/rules.d/10-azure-unmanaged-sriov.rules | | pair: NO NetworkManager takes virtual functions; servicing: NO
            + | /etc/modprobe.d/off.conf | blacklist mana | function alone: NO the driver mana is kept from loading; pair: NO the driver; servicing: NO
            + | /etc/default/grub | GRUB_CMDLINE_LINUX="quiet modprobe.blacklist=floppy,mana" | function alone: NO the driver mana is kept from loading; pair: NO; servicing: NO
            + | /etc/modprobe.d/off.conf | blacklist mana_ib | RDMA: NO the driver mana_ib is kept from loading; DPDK: NO it needs RDMA
            + | /etc/modprobe.d/off.conf | install mana-ib /bin/false | RDMA: NO the driver mana_ib is kept from loading; DPDK: NO it needs RDMA
            + | /etc/default/grub | GRUB_CMDLINE_LINUX="modprobe.blacklist=mana_ib" | RDMA: NO the driver mana_ib is kept from loading; DPDK: NO it needs RDMA
            + | /etc/netplan/50.yaml | match: {}\\n  driver: mana\\n  dhcp4: true | pair: NO a rule gives addresses to the virtual function; servicing: NO
            + | /etc/netplan/50.yaml | match:\\n  driver: hv_netvsc\\n  dhcp4: true | function alone: NO only synthetic devices are given addresses
            + | /etc/systemd/network/50.network | [Match]\\nDriver=hv_netvsc\\n[Network]\\nDHCP=yes | function alone: NO only synthetic devices
            + | /usr/lib/systemd/network/50.network | [Match]\\nDriver=mana\\n[Network]\\nDHCP=yes | pair: NO a rule gives addresses to the virtual function; servicing: NO
            + | /etc/NetworkManager/system-connections/a.nmconnection | [match]\\ndriver=mana\\n[ipv4]\\nmethod=auto | pair: NO a rule gives addresses to the virtual function; servicing: NO
            + | /etc/cloud/cloud.cfg | network:\\n  ethernets:\\n    a:\\n      match:\\n        driver: hv_netvsc\\n      dhcp4: true | function alone: NO only synthetic devices
            + | /etc/udev/rules.d/69.rules | SUBSYSTEM=="net", DRIVERS=="hv_netvsc", ENV{NM_UNMANAGED}="1" | pair: NO a rule leaves the synthetic device alone; servicing: NO
            + | /etc/udev/rules.d/69.rules | KERNEL=="eth0", ENV{NM_UNMANAGED}="1" | pair: NO a rule leaves the synthetic device alone; servicing: NO
            + | /etc/NetworkManager/conf.d/a.conf | [keyfile]\\nunmanaged-devices=interface-name:eth0 | pair: NO a rule leaves the synthetic device alone; servicing: NO
            + | /etc/udev/rules.d/68.rules | SUBSYSTEM=="net", DRIVERS=="hv_pci", ENV{NM_UNMANAGED}="1" | function alone: NO a rule leaves the function alone even if nothing is above it
            + | /etc/NetworkManager/conf.d/a.conf | [keyfile]\\nunmanaged-devices=driver:mana | function alone: NO a rule leaves the function alone
            + | /etc/udev/rules.d/70-persistent-net.rules | SUBSYSTEM=="net", ATTR{address}=="00:0d:3a:00:00:01", NAME="eth0" | servicing: NO a rule names devices by their address
            + | /etc/fstab | 10.0.0.1:/root / nfs4 rw 0 0 | function alone: NOT_SHOWN its root is on the network
            + | {libraries}librte_eal.so.22.0 | x | DPDK: NO this DPDK is older than 22.11
            + | /etc/systemd/system/a.service | ExecStart=/usr/bin/dpdk-testpmd -w 7870:00:00.0 -- -a | DPDK: NO an application is started with -w
            + | /etc/systemd/system/a.service | ExecStartPre=/usr/bin/dpdk-testpmd -a 7870:00:00.0\\nExecStart=/usr/bin/dpdk-testpmd -w 7870:00:00.0 -- -a | DPDK: NO an application is started with -w
            + | /usr/local/bin/start | #!/bin/sh\\nexec dpdk-testpmd --vdev=net_vdev_netvsc0,iface=eth1 -- -a | DPDK: NO an application takes net_vdev_netvsc
            + | /usr/local/bin/start | #!/bin/sh\\nexec dpdk-testpmd -a 7870:00:00.0 -- -a | DPDK: NO an application takes every port
            """)
    void oneThingWrong(String how, String path, String text, String wrong) throws Exception {
        String file = path.replace("{drivers}", DRIVERS).replace("{libraries}", LIBRARIES);
        if (how.equals("+")) {
            write(file, text.replace("\\n", "\n") + "\n");
        } else {
            Files.delete(root.resolve(file.substring(1)));
        }
        Map<String, String> verdicts = verdicts();
        List<String> expected = List.of(wrong.split("; "));
        assertThat(expected).allSatisfy(one -> assertThat(verdicts.get(one.split(": ", 2)[0])).as("%s", verdicts)
                .startsWith(one.split(": ", 2)[1]));
        List<String> others = verdicts.entrySet().stream()
                .filter(one -> expected.stream().noneMatch(said -> said.startsWith(one.getKey() + ": ")))
                .map(Map.Entry::getValue).toList();
        assertThat(others).as("%s", verdicts).allSatisfy(said -> assertThat(said).startsWith("YES "));
    }

    /** Addresses for eth0 alone: the synthetic device of a pair is that, and a function has another name. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /etc/cloud/cloud.cfg.d/50.cfg | network:\\n  version: 1\\n  config:\\n  - type: physical\\n    name: eth0\\n    subnets:\\n    - type: dhcp
            /etc/network/interfaces | auto eth0\\niface eth0 inet dhcp
            /etc/network/interfaces.d/a | iface eth0 inet static
            /etc/sysconfig/network-scripts/ifcfg-eth0 | BOOTPROTO=dhcp
            /etc/netplan/50.yaml | network:\\n  ethernets:\\n    eth0:\\n      dhcp4: true
            """)
    void addressesOfEth0Alone(String file, String text) throws Exception {
        GoodImage.without(root, GoodImage.MANAGER, GoodImage.UNMANAGED);
        write(file, text.replace("\\n", "\n") + "\n");
        assertThat(verdicts()).hasEntrySatisfying("function alone", said -> assertThat(said)
                .startsWith("NO only eth0 is given addresses")).hasEntrySatisfying("pair", said -> assertThat(said)
                .startsWith("YES addresses are the synthetic device's alone"));
    }

    /** Other packages leave files for it, as chrony and cloud-init do, where it is not installed. */
    @Test
    void aFolderOfNetworkManagerIsNotNetworkManager() throws Exception {
        GoodImage.without(root, GoodImage.UNMANAGED);
        write("/etc/NetworkManager/dispatcher.d/20-chrony", "#!/bin/sh\n");
        assertThat(verdicts().get("pair")).startsWith("NO NetworkManager takes virtual functions");
        GoodImage.without(root, GoodImage.MANAGER);
        assertThat(verdicts().get("pair")).startsWith("NOT_SHOWN no rule shows");
        write("/usr/sbin/NetworkManager", "");
        assertThat(verdicts().get("pair")).startsWith("NO NetworkManager takes virtual functions");
    }

    /** Of a kernel that was taken away, what others have put beside its modules stays. */
    @Test
    void whatIsLeftOfAKernelIsNone() throws Exception {
        write("/lib/modules/5.14.0-70/extra/other.ko", "x");
        write("/usr/lib/modules/5.14.0-71/weak-updates/other.ko", "x");
        Evidence image = new Reader().read(root);
        assertThat(ImageAssessment.of(image).kernels()).extracting(Survey.Kernel::release).containsExactly(KERNEL);
        assertThat(verdicts()).allSatisfy((_, said) -> assertThat(said).startsWith("YES "));
        assertThat(new DriverCheck().examine(image).state()).isEqualTo(Finding.State.OK);
        for (String file : List.of("/usr/lib/modules/1/kernel/a.ko", "/usr/lib/modules/2/vmlinuz", "/boot/vmlinuz-3",
                "/boot/config-4", "/usr/lib/modules/5/modules.builtin", "/usr/lib/modules/6/modules.dep")) {
            write(file, "x");
        }
        write("/usr/lib/modules/3/extra/other.ko", "x");
        write("/usr/lib/modules/4/extra/other.ko", "x");
        assertThat(ImageAssessment.of(new Reader().read(root)).kernels()).extracting(Survey.Kernel::release)
                .containsExactly("1", "2", "3", "4", "5", "6", KERNEL);
    }

    /** A no that rests on a rule that is not there is none where some rules were not read. */
    @Test
    void aRuleThatMayBeAmongThoseThatWereNotReadIsNotMissed() throws Exception {
        GoodImage.without(root, GoodImage.UNMANAGED);
        write("/etc/NetworkManager/conf.d/a.conf", "[keyfile]\nunmanaged-devices=driver:mana\n");
        Evidence some = locked(List.of("/etc/NetworkManager/conf.d/a.conf"));
        assertThat(answers(some)).containsEntry("pair", Survey.Answer.NOT_SHOWN)
                .containsEntry("servicing", Survey.Answer.NOT_SHOWN);
        write("/etc/netplan/50.yaml", "match:\n  driver: hv_netvsc\n  dhcp4: true\n");
        assertThat(answers(some)).containsEntry("function alone", Survey.Answer.NOT_SHOWN);
        write("/etc/netplan/60.yaml", "match: {}\n  driver: mana\n  dhcp4: true\n");
        assertThat(answers(some)).containsEntry("pair", Survey.Answer.NO);
    }

    private static Map<String, Survey.Answer> answers(Evidence image) {
        return ImageAssessment.of(image).verdicts().stream().collect(Collectors.toMap(Survey.Verdict::name,
                Survey.Verdict::answer));
    }

    /** The image with files and folders that only root may read. */
    private Evidence locked(List<String> locked) throws InterruptedException {
        Evidence all = new Reader().read(root);
        return (Evidence) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Evidence.class},
                (_, method, arguments) -> {
                    if (List.of("text", "names").contains(method.getName()) && locked.contains(arguments[0])) {
                        throw new Refusal(Errno.EIO, arguments[0] + " cannot be read: Permission denied.");
                    }
                    return method.invoke(all, arguments);
                });
    }

    /** What networkd brings along is about containers, and no rule for cards. */
    @Test
    void filesOfNetworkdForContainers() throws Exception {
        write("/usr/lib/systemd/network/80-container-host0.network",
                "[Match]\nKind=veth\nName=host0\n[Network]\nDHCP=yes\n");
        write("/etc/systemd/network/50.network", "[Match]\nDriver=hv_netvsc\n[Network]\nDHCP=yes\n");
        assertThat(verdicts().get("function alone")).startsWith("NO only synthetic devices");
    }

    /** An image that does not show the kernel's configuration shows nothing of what may be in the kernel itself. */
    @Test
    void anImageThatDoesNotShowTheRdmaDriver() throws Exception {
        Files.delete(root.resolve("boot/config-" + KERNEL));
        Files.delete(root.resolve((DRIVERS + "infiniband/hw/mana/mana_ib.ko").substring(1)));
        assertThat(verdicts().get("RDMA")).startsWith("NOT_SHOWN whether kernel " + KERNEL);
        assertThat(verdicts().get("DPDK")).startsWith("NOT_SHOWN it needs RDMA");
    }

    /** What a user who is not root sees of a machine: files and folders that only root may read. */
    @ParameterizedTest
    @ValueSource(strings = {"/etc/netplan/50.yaml", "/etc/NetworkManager/conf.d"})
    void whatCannotBeReadIsToldAndNothingEnds(String locked) throws Exception {
        write("/etc/netplan/50.yaml", "network: {}\n");
        Files.createDirectories(root.resolve("etc/NetworkManager/conf.d"));
        Evidence some = locked(List.of(locked));
        List<Survey.Verdict> verdicts = ImageAssessment.of(some).verdicts();
        assertThat(verdicts).extracting(one -> one.name() + " " + one.answer()).containsExactly(
                "function alone NOT_SHOWN", "pair NOT_SHOWN", "servicing NOT_SHOWN", "RDMA YES", "DPDK YES");
        assertThat(verdicts.getFirst().evidence().getFirst().source()).isEqualTo(locked);
        Finding finding = new AddressCheck().examine(some);
        assertThat(finding.state()).isEqualTo(Finding.State.WARN);
        assertThat(finding.summary()).startsWith("not shown");
        assertThat(finding.evidence()).extracting(Finding.Line::source).contains(locked);
    }

    @Test
    void numbersThatDoNotAgree() throws Exception {
        write(DRIVERS + "infiniband/hw/mana/mana_ib.ko", ElfBytes.module(19));
        assertThat(verdicts()).containsEntry("RDMA", "NO kernel " + KERNEL
                + " calls MANA by another number than the provider answers to");
        assertThat(judged().kernels().getFirst().facts()).containsEntry("driver_id", "19 (erdma)");
    }

    @Test
    void anEmptyOneShowsNothing() throws Exception {
        Path empty = Files.createDirectory(root.resolve("empty"));
        assertThat(ImageAssessment.of(new Reader().read(empty)).verdicts()).allSatisfy(one -> assertThat(one.answer())
                .isEqualTo(Survey.Answer.NOT_SHOWN));
    }
}

package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Linux's own pair of a device that stands by and a virtual function: {@code net_failover} over {@code virtio_net} and
 * {@code mana}, which have one address.
 *
 * <p>QEMU's {@code vfio-user-pci} has {@code failover_pair_id} as every PCI device of it has. It holds the function
 * back until the guest's {@code virtio_net} has accepted VIRTIO_NET_F_STANDBY, and plugs it in then. It does not
 * survive unplugging such a device, so that the guest's own driver lets the function go and takes it again.
 */
@Tag("guest")
@ResourceLock("namespace")
class NetFailoverTest {
    private static final String MAC = "00:0d:3a:00:00:0a";
    private static final String OURS = "mp" + ProcessHandle.current().pid();
    private static final String VIRTIO = "mv" + ProcessHandle.current().pid();
    private static final String LAB = """
            adapters:
              - {name: vm, queues: 4, macs: ["00:0d:3a:00:00:0a"]}
            links:
              - {name: out, kind: tap, ports: [vm/1], interface: TAP}
            exports:
              - {adapter: vm, socket: %s/vm.sock}
            """.replace("TAP", OURS);
    private static final String MASTER = "for d in /sys/class/net/*; do ethtool -i ${d##*/} 2>/dev/null | "
            + "grep -q 'driver: net_failover' && echo ${d##*/}; done | head -n 1";
    private static final String DRIVER = "/sys/bus/pci/drivers/mana";
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    Path folder;

    @Test
    void aStreamLivesThoughTheFunctionGoesAndComes() {
        try (Namespace space = Namespace.make()) {
            assumeTrue(space != null, "taps and a bridge in a namespace of this machine's kernel");
            space.run("ip", "link", "add", "br0", "type", "bridge").done();
            space.run("ip", "tuntap", "add", VIRTIO, "mode", "tap").done();
            try (Platform platform = Platform.with(folder, LAB)) {
                space.run("ip", "link", "set", VIRTIO, "netns", "1").done();
                try (Guest guest = Guest.named("failover").with(new Standby(platform.socket("vm"), MAC, VIRTIO)).cpus(2)
                        .limit(600).boot()) {
                    join(space);
                    areOne(guest);
                }
            }
        }
    }

    /** Both ways lead to one bridge, behind which this machine's kernel listens. */
    private static void join(Namespace space) {
        for (String tap : new String[] {OURS, VIRTIO}) {
            space.take(tap);
            space.run("ip", "link", "set", tap, "master", "br0").done();
            space.run("ip", "link", "set", tap, "up").done();
        }
        space.run("ip", "addr", "add", "10.1.0.3/24", "dev", "br0").done();
        space.run("ip", "link", "set", "br0", "up").done();
        space.begin("iperf3", "-s", "--forceflush");
    }

    private static void areOne(Guest guest) {
        guest.run("begin; modprobe mana; modprobe virtio_net").done();
        String found = "[ -n \"$(" + MASTER + ")\" ]";
        String master = guest.run("until_true 300 sh -c '" + found.replace("'", "'\\''") + "'; " + MASTER).done()
                .output().trim();
        String both = "[ $(ls -d /sys/class/net/" + master + "/lower_* | wc -l) = ";
        guest.run("until_true 600 sh -c '" + both + "2 ]'", LONG).done();
        guest.run("end " + master + " 1 && until_true 300 ping -c 1 -W 1 10.1.0.3", LONG).done();
        guest.run("until_true 100 iperf3 -c 10.1.0.3 -n 64K && iperf3 -c 10.1.0.3 -t 7200 >/tmp/stream.log 2>&1 & "
                + "keeps_sending " + master + " 500", LONG).done();
        for (int i = 0; i < Kit.times(5, 100); i++) {
            // its driver lets the function go, and has it back
            guest.run("f=$(basename $(ls -d " + DRIVER + "/*:* | head -n 1)); echo $f >/tmp/function; echo $f >"
                    + DRIVER + "/unbind; until_true 300 sh -c '" + both + "1 ]' && keeps_sending " + master + " 200",
                    LONG).done();
            guest.run("cat /tmp/function >" + DRIVER + "/bind; until_true 600 sh -c '" + both
                    + "2 ]' && keeps_sending " + master + " 500", LONG).done();
        }
        assertThat(guest.run("pidof iperf3 && ! grep -i error /tmp/stream.log").done().output()).isNotBlank();
        assertThat(guest.run("cat /proc/sys/kernel/tainted").output().trim()).as("taint").isEqualTo("0");
    }
}

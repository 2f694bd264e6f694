package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Evidence;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Applications;
import io.manafold.doctor.internal.linux.Machine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which lines of a machine start an application in poll mode. */
class ApplicationsTest {
    @TempDir
    private Path folder;

    @Test
    void whatPreparesAnApplicationIsNone() throws Exception {
        Prepared machine = Prepared.pairs(folder).file("/etc/systemd/system/a.service", """
                [Service]
                ExecStartPre=/usr/bin/dpdk-hugepages.py -p 2M --setup 2G
                ExecStartPre=-/usr/bin/python3 /usr/bin/dpdk-devbind.py -b uio_hv_generic eth1
                ExecStartPost=/usr/bin/dpdk-telemetry.py -p
                ExecStart=/usr/bin/dpdk-testpmd -a 7870:00:00.0,mac=00:0d:3a:00:00:02 -- -i
                """).file("/etc/systemd/system/b.service", "[Service]\nExecStart=dpdk-hugepages --setup 2G\n")
                .file("/etc/systemd/system/c.service",
                "[Service]\nExecStart=/usr/bin/python3 -u /usr/sbin/dpdk-devbind.py --bind vfio-pci 7870:00:00.0\n")
                .file("/usr/local/bin/prepare", "#!/bin/sh\ndpdk-devbind.py -s\ndpdk-hugepages.py -s\n")
                .answer("dpdk-processes", "dpdk-telemetry.py -p\n");
        List<Application> found = Applications.of(machine.evidence());
        assertThat(found).extracting(Application::program).containsExactly("dpdk-testpmd");
    }

    @Test
    void anApplicationMayNameSuchAFile() throws Exception {
        Prepared machine = Prepared.pairs(folder).file("/etc/systemd/system/a.service",
                "ExecStart=sudo -E /usr/bin/dpdk-testpmd -a 7870:00:00.0 -- --cmdline-file=/etc/dpdk-devbind\n");
        assertThat(Applications.of(machine.evidence())).hasSize(1);
    }

    /** It probes no function then, whatever it names. */
    @Test
    void anApplicationWithoutTheirBusTakesNoPort() throws Exception {
        Prepared machine = Prepared.pairs(folder).file("/etc/systemd/system/a.service",
                "[Service]\nExecStart=/usr/bin/dpdk-testpmd -a 7870:00:00.0 -- -i\n");
        assertThat(ports(machine)).isPositive();
        machine.file("/etc/systemd/system/a.service",
                "[Service]\nExecStart=/usr/bin/dpdk-testpmd --no-pci -a 7870:00:00.0 -- -i\n");
        assertThat(ports(machine)).isZero();
    }

    private static long ports(Prepared machine) throws Exception {
        Evidence evidence = machine.evidence();
        Application application = Applications.of(evidence).getFirst();
        return new Machine(evidence).ports().stream().filter(application::takes).count();
    }
}

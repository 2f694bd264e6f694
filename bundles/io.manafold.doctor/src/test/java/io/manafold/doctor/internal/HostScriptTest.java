package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Evidence;
import io.manafold.image.internal.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script on the machine of the test, whatever that is. */
@Timeout(300)
class HostScriptTest {
    private static final Path BUSYBOX = Path.of("/usr/bin/busybox");

    @TempDir
    private Path folder;

    private int run(String... words) throws IOException, InterruptedException {
        return run(List.of("sh"), null, words);
    }

    private int run(List<String> shell, String programs, String... words) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("doctor.sh"), HostScript.text());
        List<String> line = new ArrayList<>(shell);
        line.add(script.toString());
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("TMPDIR", Files.createDirectories(folder.resolve("tmp")).toString());
        if (programs != null) {
            builder.environment().put("PATH", programs);
        }
        return builder.start().waitFor();
    }

    @Test
    void thisLinuxIsLookedAt() throws InterruptedException {
        Evidence evidence = HostScript.run(new Reader());
        assertThat(evidence.target()).isEqualTo("this Linux");
        assertThat(evidence.kind()).isEqualTo(Evidence.Kind.MACHINE);
        assertThat(evidence.answer("uname").orElseThrow().strip()).isEqualTo(System.getProperty("os.version"));
        assertThat(evidence.answer("functions")).isPresent();
        assertThat(evidence.text("/proc/meminfo").orElseThrow()).contains("HugePages_Total");
        List<Diagnosis> diagnoses = new Examination(Duration.ofSeconds(60))
                .of(evidence, Examination.sorted(Checks.all()), List.of());
        assertThat(diagnoses).hasSize(22).allSatisfy(one -> assertThat(one.finding().summary()).doesNotContain("itself",
                "could not read"));
    }

    @Test
    void whatItIsToldIsInIt() throws Exception {
        Path log = Files.writeString(folder.resolve("log"),
                "mana_start_tx_queues(): Failed to create qp queue index 0\nmy password=x\n");
        assertThat(run("-o", "out.tar", "-l", log.toString(), "--", "dpdk-testpmd",
                "--vdev=7870:00:00.0,mac=00:0d:3a:00:00:02", "--", "-i"))
                .isZero();
        Evidence evidence = new Reader().read(folder.resolve("out.tar"));
        assertThat(evidence.answer("application"))
                .contains("dpdk-testpmd --vdev=7870:00:00.0,mac=00:0d:3a:00:00:02 -- -i\n");
        assertThat(evidence.answer("application-log").orElseThrow()).contains("queue index 0")
                .doesNotContain("password");
        try (var left = Files.list(folder.resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
        assertThat(Files.readString(folder.resolve("said"))).contains("out.tar is written");
    }

    @Test
    void wordsThatItDoesNotKnowAreASentence() throws Exception {
        assertThat(run("--all")).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("said"))).contains("unknown word '--all'").contains("usage:");
    }

    /** A folder in which every program is busybox. */
    private String busybox() throws IOException, InterruptedException {
        Path programs = folder.resolve("busybox");
        if (!Files.exists(programs)) {
            assumeTrue(Files.isExecutable(BUSYBOX), "busybox is installed");
            Path copy = Files.copy(BUSYBOX, Files.createDirectories(programs).resolve("busybox"));
            assertThat(new ProcessBuilder(copy.toString(), "--install", programs.toString()).start().waitFor())
                    .isZero();
        }
        return programs.toString();
    }

    @Test
    void busyboxIsEnoughForIt() throws Exception {
        String programs = busybox();
        assertThat(run(List.of(programs + "/sh"), programs, "-o", "out.tar", "--", "dpdk-testpmd", "-a", "7870:00:00.0",
                "--pin", "secret"))
                .isZero();
        Evidence evidence = new Reader().read(folder.resolve("out.tar"));
        assertThat(evidence.answer("application")).contains("dpdk-testpmd -a 7870:00:00.0 --pin ***\n");
        assertThat(evidence.text("/proc/meminfo").orElseThrow()).contains("HugePages_Total");
    }

    /** A machine that is reached over IPv6 alone has its default route there. */
    @Test
    void aDefaultRouteOfIpv6AloneIsTheWayOfManagement() throws Exception {
        Path ip = Files.writeString(Files.createDirectories(folder.resolve("fake")).resolve("ip"), """
                #!/bin/sh
                case $* in
                    '-6 route') echo 'default via fe80::1 dev eth7 proto ra metric 1024 pref medium' ;;
                    route) cat "$0.routes" ;;
                esac
                """);
        assertThat(ip.toFile().setExecutable(true)).isTrue();
        Path routes = Files.writeString(folder.resolve("fake/ip.routes"), "");
        for (String programs : List.of(System.getenv("PATH"), busybox())) {
            Files.writeString(routes, "10.0.0.0/24 dev eth1 scope link\n");
            assertThat(run(List.of("/bin/sh"), folder.resolve("fake") + ":" + programs, "-o", "out.tar")).isZero();
            assertThat(new Reader().read(folder.resolve("out.tar")).answer("management"))
                    .contains("default-route dev=eth7\n");
            Files.writeString(routes, "default via 10.0.0.1 dev eth1\n10.0.0.0/24 dev eth1 scope link\n");
            assertThat(run(List.of("/bin/sh"), folder.resolve("fake") + ":" + programs, "-o", "out.tar")).isZero();
            assertThat(new Reader().read(folder.resolve("out.tar")).answer("management"))
                    .contains("default-route dev=eth1\n");
        }
    }

    /** What a function of the script makes of a text, by the shell of this machine and by busybox's. */
    private String masked(String function, String text) throws Exception {
        Path script = Files.writeString(folder.resolve("masks"), "PATH=${1:-$PATH}\n" + HostScript.masks() + function
                + "\n");
        Path in = Files.writeString(folder.resolve("in"), text);
        String usual = output(in, "sh", script.toString());
        if (Files.isExecutable(BUSYBOX)) {
            assertThat(output(in, busybox() + "/sh", script.toString(), busybox())).isEqualTo(usual);
        }
        assertThat(usual).doesNotContain("secret", "hunter");
        return usual;
    }

    private String output(Path in, String... line) throws Exception {
        Path out = folder.resolve("shown");
        assertThat(new ProcessBuilder(line).redirectInput(in.toFile()).redirectOutput(out.toFile()).start().waitFor())
                .isZero();
        return Files.readString(out);
    }

    @Test
    void ofCommandLinesOnlyWordsThatAreKnownAreShown() throws Exception {
        assertThat(masked("commands", """
                ExecStart=/usr/bin/dpdk-testpmd -l 0-2 --vdev="7870:00:00.0,mac=00:0d:3a:00:00:02" -- --rxq=2 --password hunter2 -p secret1 -psecret2
                ExecStart=-/bin/sh -c 'TOKEN=hunter2 dpdk-testpmd -w 7870:00:00.0 -- --login="hunter2 secret" -a'
                ExecStart=env API=secret sudo /opt/acme/router -a 7870:00:00.0,mac=00:0d:3a:00:00:01,key=secret --file-prefix secret:x -- secret
                dpdk-l3fwd -l 0-3@(1,2) --proc-type=secondary -- -P $ARGS -Wsecret --max-pkt-len 9018 "secret
                dpdk-testpmd --rxq=secret --txq secret --vdev secret --vdev=net_vdev_netvsc0,iface=eth1,pw=secret -lsecret --secret\\'
                """)).isEqualTo("""
                ExecStart=/usr/bin/dpdk-testpmd -l 0-2 --vdev=7870:00:00.0,mac=00:0d:3a:00:00:02 -- --rxq=2 --password *** -p *** -p***
                ExecStart=-/bin/sh -c *** dpdk-testpmd -w 7870:00:00.0 -- --login=*** -a
                ExecStart=env API=*** sudo /opt/acme/router -a 7870:00:00.0,mac=00:0d:3a:00:00:01,key=*** --file-prefix *** -- ***
                dpdk-l3fwd -l 0-3@(1,2) --proc-type=secondary -- -P $ARGS -W*** --max-pkt-len 9018 ***
                dpdk-testpmd --rxq=*** --txq *** --vdev *** --vdev=net_vdev_netvsc0,iface=eth1,pw=*** -l*** ***
                """);
        assertThat(masked("commands -v words=1", "dpdk-testpmd\n-a\n7870:00:00.0\n--\nit's secret\n-p\nsecret\n"))
                .isEqualTo("dpdk-testpmd -a 7870:00:00.0 -- *** -p ***\n");
    }

    @Test
    void ofConfigurationWhatStandsBehindSuchWordsIsNotShown() throws Exception {
        assertThat(masked("masked", """
                ethernets:
                  eth0:
                    match: {driver: hv_netvsc}
                  w:
                    password: |
                      hunter2
                    keys:
                    - hunter2
                    dhcp4: true
                PrivateKey=hunter2
                proxy=https://hunter:hunter@host/?x
                link https://host/x?sig=hunter
                Blob A1b2C3d4E5f6G7h8I9j0K1l2M3n4hunter==
                -----BEGIN RSA PRIVATE KEY-----
                hunter
                -----END RSA PRIVATE KEY-----
                SUBSYSTEM=="net", DRIVERS=="hv_pci", ENV{NM_UNMANAGED}="1"
                """)).isEqualTo("""
                ethernets:
                  eth0:
                    match: {driver: hv_netvsc}
                  w:
                    password:***
                    keys:***
                    dhcp4: true
                PrivateKey=***
                proxy=https://***
                link https://host/x?sig=***
                Blob ***
                ***
                SUBSYSTEM=="net", DRIVERS=="hv_pci", ENV{NM_UNMANAGED}="1"
                """);
        assertThat(masked("drivers",
                "drivers = [\"mlx5_core\", \"mana\"] # hunter\nmanager mlx4_en curl -u a:secret\n"))
                .isEqualTo("mlx5_core mana\nmlx4_en\n");
        assertThat(masked("safe", "mana: ok\nmy password=hunter2\nGET https://a:hunter@b/\n").lines()).hasSize(3)
                .first().isEqualTo("mana: ok");
    }

    @Test
    void processesAreSeenAndTheirSecretsAreNot() throws Exception {
        Path program = Files.writeString(folder.resolve("dpdk-testpmd"), "#!/bin/sh\nread line\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Process running = new ProcessBuilder(program.toString(), "-a", "7870:00:00.0,mac=00:0d:3a:00:00:07", "--",
                "--rxq=2", "-p", "hunter2").start();
        try {
            assertThat(run("-o", "out.tar")).isZero();
            assertThat(new Reader().read(folder.resolve("out.tar")).answer("dpdk-processes").orElseThrow())
                    .doesNotContain("hunter")
                    .contains(program + " -a 7870:00:00.0,mac=00:0d:3a:00:00:07 -- --rxq=2 -p ***\n");
        } finally {
            running.getOutputStream().close();
            running.waitFor();
        }
    }
}

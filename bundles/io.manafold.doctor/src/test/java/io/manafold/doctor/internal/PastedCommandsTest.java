package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Finding.State;
import io.manafold.image.internal.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evidence of strangers has names that are commands themselves; what a reader pastes runs none of them. */
@Timeout(120)
class PastedCommandsTest {
    /** Makes a file of the name C in a shell without any command. */
    private static final String RUNS = "x;>C;";

    @TempDir
    private Path folder;

    private record Case(int id, Change change) {
        @Override
        public String toString() {
            return "check " + id;
        }
    }

    @FunctionalInterface
    private interface Change {
        Prepared on(Path folder) throws IOException;
    }

    private static Prepared named(Prepared machine, String name, String other) throws IOException {
        machine.replace("answers/interfaces", name, other);
        return machine.replace("answers/ip-addr", name, other);
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(5, folder -> named(Prepared.pairs(folder), "enP30832p0s0d1", RUNS)
                        .replace("answers/interfaces", "master=eth1", "master=")),
                new Case(6, folder -> named(Prepared.pairs(folder), "enP30832p0s0d1", RUNS)
                        .answer("ethtool-S.eth1.later", Prepared.counters(9000, 1000))),
                new Case(7, folder -> named(Prepared.pairs(folder), "enP30832p0s0d1", "a`>C`")
                        .replace("answers/ip-addr", "fe80::1/64", "10.0.1.5/24")),
                new Case(7, folder -> Prepared.pairs(folder).file("/etc/netplan/a\n>C\n.yaml",
                        "  match:\n    driver: mana\n  dhcp4: true\n")),
                new Case(8, folder -> Prepared.polling(folder)
                        .replace("answers/interfaces", "enP30832p0s0d1", "'\"$(>C)'")
                        .replace("answers/interfaces", "flags=0x1802", "flags=0x1803")),
                new Case(8, folder -> Prepared.polling(folder).replace("answers/interfaces", "eth1", RUNS)
                        .replace("answers/interfaces", "flags=0x1002", "flags=0x1003")),
                new Case(9, folder -> Prepared.polling(folder).replace("answers/functions", "node=0", "node=0;>C;")
                        .file("/sys/devices/system/node/node0;>C;/hugepages/hugepages-2048kB/nr_hugepages", "0\n")),
                new Case(10, folder -> Prepared.polling(folder)
                        .answer("hugepage-mounts", "/dev/a;>C; writable=no\n")),
                new Case(18, folder -> Prepared.pairs(folder).replace("answers/interfaces", "eth1", "b|>C")
                        .replace("answers/interfaces", Prepared.virtual("enP30832p0s0d1", 2, "0x1803", 1500, "b|>C"),
                        Prepared.virtual("enP30832p0s0d1", 2, "0x1803", 9000, "b|>C"))));
    }

    private Diagnosis failed(Prepared machine, int id) throws InterruptedException {
        List<Diagnosis> all = new Examination(Duration.ofSeconds(60)).of(machine.evidence(),
                Examination.sorted(Checks.all()), List.of("" + id));
        Diagnosis diagnosis = all.getLast();
        assertThat(diagnosis.id()).isEqualTo("" + id);
        assertThat(diagnosis.finding().state()).as("%s", diagnosis).isEqualTo(State.FAIL);
        return diagnosis;
    }

    /** Pastes the lines into a shell that finds no command. */
    private void paste(List<String> lines) throws IOException, InterruptedException {
        assertThat(lines).isNotEmpty();
        Path where = Files.createDirectory(folder.resolve("where"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh").directory(where.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/nonexistent");
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        Process shell = builder.start();
        try (var in = shell.getOutputStream()) {
            in.write((String.join("\n", lines) + "\n>END\n").getBytes());
        }
        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.list(where).map(file -> file.getFileName().toString())).as("%s", lines).containsExactly("END");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void namesAreWordsOfTheCommand(Case one) throws Exception {
        paste(failed(one.change.on(folder.resolve("machine")), one.id).finding().mend());
    }

    @Test
    void namesOfFilesOfAnImage() throws Exception {
        Path image = folder.resolve("image");
        Path module = image.resolve("usr/lib/modules/6.12/kernel/drivers/net/ethernet/microsoft/mana/mana.ko");
        Files.createDirectories(module.getParent());
        Files.writeString(module, "");
        Path rule = image.resolve("etc/modprobe.d/a;>C;.conf");
        Files.createDirectories(rule.getParent());
        Files.writeString(rule, "blacklist mana\n");
        List<Diagnosis> all = new Examination(Duration.ofSeconds(60)).of(new Reader().read(image),
                Examination.sorted(Checks.all()), List.of("2"));
        assertThat(all.getLast().finding().state()).isEqualTo(State.FAIL);
        paste(all.getLast().finding().mend());
    }

    /** What keeps a driver out is found wherever it stands, and the command that is shown takes it away. */
    @ParameterizedTest
    @ValueSource(strings = {"blacklist mana", " install\tmana /bin/false", "install mana /usr/bin/true # off"})
    void theCommandLetsTheDriverLoadAgain(String line) throws Exception {
        Path image = folder.resolve("image");
        Path module = image.resolve("usr/lib/modules/6.12/kernel/drivers/net/ethernet/microsoft/mana/mana.ko");
        Files.createDirectories(module.getParent());
        Files.writeString(module, "");
        Path rule = image.resolve("etc/modprobe.d/off.conf");
        Files.createDirectories(rule.getParent());
        Files.writeString(rule, "blacklist floppy\nblacklist mana_ib\n" + line + "\n");
        Diagnosis before = new Examination(Duration.ofSeconds(60)).of(new Reader().read(image),
                Examination.sorted(Checks.all()), List.of("2")).getLast();
        assertThat(before.finding().state()).isEqualTo(State.FAIL);
        Process shell = new ProcessBuilder("/bin/sh", "-c", before.finding().mend().getFirst()
                .replace(" /etc/", " " + image + "/etc/")).start();
        assertThat(shell.waitFor()).isZero();
        assertThat(rule).hasContent("blacklist floppy\nblacklist mana_ib\n");
        Files.createDirectories(image.resolve("etc/kernel"));
        Files.writeString(image.resolve("etc/kernel/cmdline"), "root=/dev/sda modprobe.blacklist=floppy,mana quiet\n");
        Diagnosis words = new Examination(Duration.ofSeconds(60)).of(new Reader().read(image),
                Examination.sorted(Checks.all()), List.of("2")).getLast();
        assertThat(words.finding().state()).isEqualTo(State.FAIL);
        assertThat(words.finding().mend().getFirst()).contains("/etc/kernel/cmdline");
    }

    @Test
    void aNameThatLinuxCannotHaveIsRefused() throws Exception {
        Diagnosis diagnosis = failed(Prepared.pairs(folder.resolve("machine"))
                .replace("answers/interfaces", "eth0 ", "../../etc/passwd "), 5);
        assertThat(diagnosis.finding().evidence().getFirst().line())
                .contains("'../../etc/passwd', which is no name of a network interface of Linux");
    }
}

package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.image.ImageAssessment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that are made so that a search in them takes long are looked at as fast as others. */
@Timeout(300)
class LongTextTest {
    private static final int MOST = 1 << 20;
    private static final List<String> FILES = List.of("/etc/netplan/a.yaml", "/etc/systemd/network/a.network",
            "/etc/NetworkManager/conf.d/a.conf", "/etc/udev/rules.d/a.rules", "/etc/cloud/cloud.cfg.d/a.cfg",
            "/etc/network/interfaces", "/etc/default/grub", "/etc/fstab", "/etc/sysctl.conf", "/etc/modprobe.d/a.conf",
            "/etc/systemd/system/a.service", "/usr/local/bin/a", "/proc/meminfo", "/proc/mounts",
            "/boot/config-6.12.48-cloud");
    private static final List<String> ANSWERS = List.of("dmesg", "interfaces", "functions", "ip-addr", "infiniband",
            "application", "application-log", "ethtool-S.eth1", "hugepage-mounts", "uname", "id");

    @TempDir
    private Path folder;

    static Stream<String> texts() {
        String space = " ".repeat(4090) + "\n";
        // a line break to expressions, and none to what cuts texts into lines
        String separator = "\u2028x";
        Stream<String> ends = Stream.of("ExecStart=" + "-".repeat(MOST - 64) + separator, space.repeat(MOST / 4096),
                ("a" + "=".repeat(4080) + separator + "\n").repeat(MOST / 4096),
                "1." + "9".repeat(MOST - 64) + separator);
        Stream<String> parts = Stream.of("\n", "name: " + " ".repeat(4000) + "'x\n", "name: \t \t \t \t", "VF slot ",
                "root=nf root=/dev/nf ",
                "NAME=ATTR{address}=", "modprobe.blacklist=", "blacklist ", "dhcp4: ", "HugePages_a:  ")
                .flatMap(part -> Stream.of(part.repeat(MOST / part.length()),
                        // lines that are as long as they may be, for what takes its time by the length of one
                        (part.repeat(Math.max(1, 4090 / part.length())) + "\n").repeat(MOST / 4096) + "dhcp4: true\n"));
        return Stream.concat(ends, parts);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void eachCheckAndTheJudgementEndInTime(String text) throws Exception {
        Prepared machine = Prepared.pairs(folder.resolve("machine"));
        for (String file : FILES) {
            machine.file(file, text);
        }
        for (String answer : ANSWERS) {
            machine.answer(answer, text);
        }
        Evidence evidence = machine.evidence();
        List<Diagnosis> diagnoses = new Examination(Duration.ofSeconds(10)).of(evidence,
                Examination.sorted(Checks.all()), List.of());
        assertThat(diagnoses).allSatisfy(one -> assertThat(one.finding().summary())
                .doesNotContain("did not answer", "failed itself"));
        assertThat(new LimitedSurvey(Duration.ofSeconds(20), ImageAssessment::of).of(evidence).verdicts()).hasSize(5);
    }

    @Test
    void aJudgementThatOverstaysIsLeftAndThereIsNoSecond() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        LimitedSurvey survey = new LimitedSurvey(Duration.ofSeconds(1), _ -> {
            while (end.getCount() > 0) {
                Thread.interrupted();
                Thread.onSpinWait();
            }
            return new Survey(List.of(), List.of());
        });
        Evidence evidence = Answers.of("slow.tar", Map.of());
        assertThatThrownBy(() -> survey.of(evidence)).isInstanceOf(Refusal.class)
                .hasMessageContaining("'slow.tar' was not judged within 1 s");
        assertThatThrownBy(() -> survey.of(evidence)).isInstanceOf(Refusal.class).hasMessageContaining("still");
        end.countDown();
        assertThatThrownBy(() -> new LimitedSurvey(Duration.ofSeconds(60), _ -> {
            throw new IllegalStateException("deep");
        }).of(evidence)).isInstanceOf(Refusal.class).hasMessageContaining("deep");
    }
}

package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Finding.State;
import io.manafold.doctor.internal.checks.DriverCheck;
import io.manafold.doctor.internal.checks.HandshakeCheck;
import io.manafold.doctor.internal.checks.PairingCheck;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines with several functions: one that is well is no reason to call the others so. */
@Timeout(120)
class ManyFunctionsTest {
    private static final String TWO = "7870:00:00.0 vendor=1414 device=00ba driver=mana\n"
            + "7871:00:00.0 vendor=1414 device=00ba driver=\n";

    @TempDir
    private Path folder;

    private Evidence two(String log) throws Exception {
        return Prepared.pairs(folder).answer("functions", TWO).answer("dmesg", log).evidence();
    }

    @Test
    void oneThatItsDriverHasGivenUpBesideOneThatIsDriven() throws Exception {
        Evidence machine = two("mana 7871:00:00.0: HWC: Request timed out!\n"
                + "mana: probe of 7871:00:00.0 failed with error -110\n");
        assertThat(new DriverCheck().examine(machine).state()).isEqualTo(State.SKIPPED);
        Finding finding = new HandshakeCheck().examine(machine);
        assertThat(finding.state()).isEqualTo(State.FAIL);
        assertThat(finding.summary()).contains("-110");
    }

    /** The log may tell of an attempt that was followed by one that went well. */
    @Test
    void oneWithoutDriverBesideOneWhoseDriverFailedOnce() throws Exception {
        Evidence machine = two("mana 7870:00:00.0: probe with driver mana failed with error -71\n");
        Finding finding = new DriverCheck().examine(machine);
        assertThat(finding.state()).isEqualTo(State.FAIL);
        assertThat(finding.summary()).contains("7871:00:00.0");
        assertThat(new HandshakeCheck().examine(machine).state()).isEqualTo(State.OK);
    }

    @Test
    void theCauseIsThatOfTheFunctionThatWasGivenUp() throws Exception {
        Evidence machine = two("mana 7870:00:00.0: HWC: Failed hw_channel req: 0xc00000bb\n"
                + "mana 7870:00:00.0: probe with driver mana failed with error -71\n"
                + "usb 1-1: device descriptor read/64, error -71\n"
                + "mana 7871:00:00.0: HWC: Request timed out!\n"
                + "mana: probe of 7871:00:00.0 failed with error -110\n");
        Finding finding = new HandshakeCheck().examine(machine);
        assertThat(finding.summary()).contains("-110");
        assertThat(finding.evidence()).hasSize(2).allMatch(one -> one.line().contains("7871:00:00.0"));
    }

    @Test
    void aFailureIsFoundBehindManyOfAnotherFunction() throws Exception {
        Evidence machine = two("mana 7870:00:00.0: probe with driver mana failed with error -71\n".repeat(30)
                + "mana 7871:00:00.0: probe with driver mana failed with error -110\n");
        Finding finding = new HandshakeCheck().examine(machine);
        assertThat(finding.state()).isEqualTo(State.FAIL);
        assertThat(finding.summary()).contains("-110");
        assertThat(new DriverCheck().examine(machine).state()).isEqualTo(State.SKIPPED);
    }

    @Test
    void theMendOnThisPlatformIsForTheOneWithoutDriver() {
        Evidence platform = Answers.of("this platform", Map.of("functions", TWO, "adapters",
                "one address=7870:00:00.0\ntwo address=7871:00:00.0\n", "dmesg",
                "mana 7871:00:00.0: probe with driver mana failed with error -71\n"));
        assertThat(new HandshakeCheck().examine(platform).mend()).containsExactly("fault clear two",
                "bind 7871:00:00.0");
    }

    /** What counts is what the host has said last of each network interface, however often it has before. */
    @Test
    void slotsThatWereAnnouncedBeforeAreOfNoMatter() throws Exception {
        String added = "[    1.5] hv_netvsc f8615163-0000 eth1: VF slot %d added\n";
        String removed = "[    2.5] hv_netvsc f8615163-0000 eth1: VF slot %d removed\n";
        StringBuilder often = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            often.append(added.formatted(2)).append(removed.formatted(2));
        }
        Prepared machine = Prepared.pairs(folder).answer("dmesg", often + added.formatted(30832));
        assertThat(new PairingCheck().examine(machine.evidence()).state()).isEqualTo(State.OK);
        machine.answer("dmesg", added.formatted(2) + removed.formatted(2));
        assertThat(new PairingCheck().examine(machine.evidence()).state()).isEqualTo(State.OK);
        machine.answer("dmesg", often + added.formatted(30832) + added.formatted(3));
        assertThat(new PairingCheck().examine(machine.evidence()).summary()).contains("announced slot 3");
        machine.answer("dmesg", added.formatted(3) + added.formatted(30832).replace("f8615163", "f8615164"));
        assertThat(new PairingCheck().examine(machine.evidence()).summary()).contains("announced slot 3");
    }
}

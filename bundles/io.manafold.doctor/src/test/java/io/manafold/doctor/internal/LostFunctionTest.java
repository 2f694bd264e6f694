package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Finding.State;
import io.manafold.doctor.internal.checks.AddressCheck;
import io.manafold.doctor.internal.checks.DataPathCheck;
import io.manafold.doctor.internal.checks.DriverCheck;
import io.manafold.doctor.internal.checks.PairingCheck;
import io.manafold.doctor.internal.checks.SshSafetyCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pairs of which the virtual function has gone, be it one of several, and traffic that is too little to tell. */
@Timeout(120)
class LostFunctionTest {
    private static final String MASTER = "eth1 mac=00:0d:3a:00:00:01 mtu=1500 flags=0x1003 driver=hv_netvsc master=\n";
    private static final String FUNCTION = "enP1p0s0 mac=00:0d:3a:00:00:01 mtu=1500 flags=0x1003 driver=mana "
            + "device=0001:00:00.0 master=";

    @TempDir
    private Path folder;

    private static Evidence platform(String state, int announced, String interfaces) {
        Map<String, String> answers = new HashMap<>(Map.of("functions",
                "0002:00:00.0 vendor=1414 device=00ba driver=mana\n", "interfaces", MASTER + interfaces, "adapters",
                "one state=" + state + " serial=2 announced=" + announced + " macs=00:0d:3a:00:00:01\n"
                + "peer state=running serial=1 announced=1 macs=00:0d:3a:00:00:09\n"));
        answers.put("ethtool-S.eth1", "     tx_packets: 7\n     vf_tx_packets: 10\n");
        answers.put("ethtool-S.eth1.later", "     tx_packets: 7\n     vf_tx_packets: 20\n");
        answers.put("ip-addr", "10.0.0.1/24 dev=eth1\n");
        return Answers.of("this platform", answers);
    }

    private static void assertFails(Finding finding, String summary, String mend) {
        assertThat(finding.state()).as("%s", finding).isEqualTo(State.FAIL);
        assertThat(finding.summary()).contains(summary);
        assertThat(finding.evidence()).isNotEmpty();
        assertThat(finding.mend()).containsExactly(mend);
    }

    @Test
    void aFunctionThatNeverCameBackIsFoundByThreeChecks() {
        Evidence gone = platform("revoked", 2, "");
        assertFails(new DriverCheck().examine(gone), "the function of one is away", "servicing restore one");
        assertFails(new PairingCheck().examine(gone), "eth1 has no virtual function", "servicing restore one");
        assertFails(new DataPathCheck().examine(gone), "takes the synthetic path", "servicing restore one");
        Evidence good = platform("running", 2, FUNCTION + "eth1\n");
        assertThat(new DriverCheck().examine(good).state()).isEqualTo(State.OK);
        assertThat(new PairingCheck().examine(good).state()).isEqualTo(State.OK);
        assertThat(new DataPathCheck().examine(good).state()).isEqualTo(State.OK);
        assertThat(new AddressCheck().examine(good).state()).isEqualTo(State.OK);
        assertThat(new SshSafetyCheck().examine(good).summary()).contains("--eal");
    }

    @Test
    void aSerialNumberThatIsNotAnnouncedIsMendedByThat() {
        Evidence untold = platform("running", 1, FUNCTION + "\n");
        assertFails(new PairingCheck().examine(untold), "announced serial number 1", "servicing announce one");
    }

    @Test
    void anAddressOfTheFunctionItselfIsFoundHereToo() {
        Evidence own = Answers.over(platform("running", 2, FUNCTION + "eth1\n"), "ip-addr",
                "10.0.0.1/24 dev=enP1p0s0\n");
        assertThat(new AddressCheck().examine(own).mend()).contains("ip addr flush dev enP1p0s0");
    }

    @Test
    void oneOfTwoThatHasLostItsFunction() throws Exception {
        String lost = Prepared.virtual("enP30832p0s0d1", 2, "0x1803", 1500, "eth1");
        Evidence logged = Prepared.pairs(folder.resolve("logged")).replace("answers/interfaces", lost, "").evidence();
        Finding pairing = new PairingCheck().examine(logged);
        assertThat(pairing.state()).isEqualTo(State.FAIL);
        assertThat(pairing.summary()).contains("eth1 has no virtual function");
        assertThat(new DataPathCheck().examine(logged).state()).isEqualTo(State.FAIL);
        Evidence silent = Prepared.pairs(folder.resolve("silent")).replace("answers/interfaces", lost, "")
                .answer("dmesg", "").evidence();
        assertThat(new PairingCheck().examine(silent).state()).isEqualTo(State.WARN);
        assertThat(new DataPathCheck().examine(silent).state()).isEqualTo(State.WARN);
    }

    /** As where the script has found no program 'ip', or no default route. */
    @Test
    void whatIsNotInTheEvidenceIsNotWell() throws Exception {
        for (String text : new String[] {null, "", "\n"}) {
            Prepared poll = Prepared.polling(folder.resolve("poll"));
            Prepared pair = Prepared.pairs(folder.resolve("pair"));
            if (text == null) {
                poll.without("answers/management");
                pair.without("answers/ip-addr");
            } else {
                poll.answer("management", text);
                pair.answer("ip-addr", text);
            }
            assertThat(new SshSafetyCheck().examine(poll.evidence()).state()).isEqualTo(State.SKIPPED);
            assertThat(new AddressCheck().examine(pair.evidence()).state()).isEqualTo(State.SKIPPED);
            pair.file("/etc/netplan/50.yaml", "  match:\n    driver: mana\n  dhcp4: true\n");
            assertThat(new AddressCheck().examine(pair.evidence()).state()).isEqualTo(State.FAIL);
            pair.gone("/etc/netplan/50.yaml");
        }
    }

    @Test
    void tooFewPacketsTellNothing() throws Exception {
        Evidence few = Prepared.pairs(folder).answer("ethtool-S.eth1", Prepared.counters(0, 0))
                .answer("ethtool-S.eth1.later", Prepared.counters(99, 0)).evidence();
        Finding finding = new DataPathCheck().examine(few);
        assertThat(finding.state()).isEqualTo(State.SKIPPED);
        assertThat(finding.summary()).contains("too few packets");
        assertThat(finding.evidence().getFirst().line()).contains("0 of 99");
    }
}

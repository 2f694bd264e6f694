package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Queueing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkCommandTest {
    private final Workshop workshop = new Workshop();
    private final LinkCommand command = new LinkCommand(workshop.topology, workshop.entries);

    @BeforeEach
    void adapters() {
        workshop.adapter("one", "7870:00:00.0", 2);
        workshop.adapter("two", "7870:00:01.0", 1);
    }

    private Fakes.Answer link(String... words) {
        return Fakes.run(command, words);
    }

    @Test
    void linksAreListed() {
        assertThat(link("list").out()).isEqualTo("NAME  KIND  PORTS  PLUGGED  FRAMES  IMPAIRMENTS\n");
        assertThat(link("list", "--json").out()).isEqualTo("[]\n");
        Fakes.OneLink net = workshop.link("net", "switch", "one/1", "one/2");
        net.counters.put("frames", 3L);
        net.impairments = new Impairments(0.5, 0, 0, 2_000_000, 7);
        workshop.link("cable", "direct", "two/1", "three/1");
        assertThat(link("list").out()).isEqualTo("""
                NAME   KIND    PORTS           PLUGGED  FRAMES  IMPAIRMENTS
                cable  direct  two/1, three/1        2       0  none
                net    switch  one/1, one/2          2       3  loss 0.5%, delay 2ms
                """);
        assertThat(link("list", "--json").dense()).contains("{\"name\":\"net\",\"kind\":\"switch\",\"ports\":["
                + "\"one/1\",\"one/2\"],\"plugged\":2,\"frames\":3,\"impairments\":{\"loss\":0.5,\"duplicate\":0.0,"
                + "\"reorder\":0.0,\"delay_ns\":2000000,\"seed\":7}}");
    }

    @Test
    void oneIsShownWithItsPortsAndStations() {
        Fakes.OneLink net = workshop.link("net", "switch", "one/1", "one/2");
        net.counters.put("frames", 3L);
        net.counters.put("lost", 1L);
        net.stations.put("00:0d:3a:00:00:01", "one/1");
        assertThat(link("show", "net").out()).isEqualTo("""
                name                       net
                kind                       switch
                impairments                none
                counters                   frames 3, lost 1
                station 00:0d:3a:00:00:01  one/1

                PORT   PLUGGED  TX FRAMES  TX BYTES  RX FRAMES  RX BYTES  MISTAKES
                one/1  yes              1        60          2       120         0
                one/2  yes              1        60          2       120         0
                """);
        net.problems.add("The interface tap0 is not there.");
        assertThat(link("show", "net").out()).contains("problems ").contains("The interface tap0 is not there.\n");
        assertThat(link("show", "net", "--json").dense()).contains("{\"port\":\"one/1\",\"plugged\":true,"
                + "\"tx_frames\":1,\"tx_bytes\":60,\"rx_frames\":2,\"rx_bytes\":120,\"mistakes\":0}")
                .contains("\"counters\":{\"frames\":3,\"lost\":1},\"stations\":{\"00:0d:3a:00:00:01\":\"one/1\"},"
                        + "\"problems\":[\"Theinterfacetap0isnotthere.\"]");
        assertThat(link("show", "nte").err())
                .isEqualTo("manafold: There is no link 'nte'; did you mean 'net'? (ENODEV)\n");
    }

    @Test
    void impairmentsChangeWhatIsNamed() {
        Fakes.OneLink net = workshop.link("net", "switch", "one/1", "one/2");
        assertThat(link("impair", "net", "--loss", "1%", "--delay", "1.5ms", "--seed", "7"))
                .isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(net.impairments).isEqualTo(new Impairments(1, 0, 0, 1_500_000, 7));
        assertThat(link("impair", "net", "--loss", "0", "--duplicate", "2", "--reorder", "0.25%").status()).isZero();
        assertThat(net.impairments).isEqualTo(new Impairments(0, 2, 0.25, 1_500_000, 7));
        assertThat(link("impair", "net", "--clear").status()).isZero();
        assertThat(net.impairments).isEqualTo(Impairments.NONE);
    }

    @Test
    void rulesAreAddedShownAndTakenAway() {
        Fakes.OneLink net = workshop.link("net", "switch", "one/1", "one/2");
        for (String words : List.of("qpn=0x101,psn=7,opcode=send-only,ecn=ect0 --drop --once",
                "any --duplicate", "opcode=0x81 --reorder --count 3", "psn=0xFFFFFE --delay 2ms", "ecn=3 --mark-ce",
                "opcode=17 --corrupt")) {
            assertThat(link(("impair net --match " + words).split(" "))).isEqualTo(new Fakes.Answer(0, "", ""));
        }
        assertThat(net.rules).containsExactly(
                new PacketRule(0x101, 7, 4, 2, PacketRule.Action.DROP, 0, 1),
                new PacketRule(-1, -1, -1, -1, PacketRule.Action.DUPLICATE, 0, 0),
                new PacketRule(-1, -1, 0x81, -1, PacketRule.Action.REORDER, 0, 3),
                new PacketRule(-1, 0xfffffe, -1, -1, PacketRule.Action.DELAY, 2_000_000, 0),
                new PacketRule(-1, -1, -1, 3, PacketRule.Action.MARK_CE, 0, 0),
                new PacketRule(-1, -1, 17, -1, PacketRule.Action.CORRUPT, 0, 0));
        assertThat(net.impairments).isEqualTo(Impairments.NONE);
        assertThat(link("show", "net").out()).contains("""
                impairments  none
                rule 1       qpn=0x101,psn=0x7,opcode=send-only,ecn=ect0: drop, once; applied 5
                             times
                rule 2       any: duplicate; applied 5 times
                rule 3       opcode=cnp: reorder, 3 times; applied 5 times
                rule 4       psn=0xfffffe: delay 2ms; applied 5 times
                rule 5       ecn=ce: mark-ce; applied 5 times
                rule 6       opcode=ack: corrupt; applied 5 times
                """);
        assertThat(link("show", "net", "--json").dense()).contains("\"rules\":[{\"match\":\"qpn=0x101,psn=0x7,"
                + "opcode=send-only,ecn=ect0\",\"qpn\":257,\"psn\":7,\"opcode\":4,\"ecn\":2,\"action\":\"drop\","
                + "\"delay_ns\":0,\"count\":1,\"matched\":5}").contains("\"action\":\"delay\",\"delay_ns\":2000000");
        assertThat(link("list").out()).contains("6 rules");
        assertThat(link("impair", "net", "--clear").status()).isZero();
        assertThat(net.rules).isEmpty();
        assertThat(link("show", "net").out()).doesNotContain("rule");
    }

    @Test
    void queuesAreShown() {
        Fakes.OneLink net = workshop.link("net", "switch", "one/1");
        net.queueing = new Queueing(2_500_000_000L, 524_288, 5_120, 204_800, 10, 0x18, 131_072, 65_536);
        net.queues.add(new LinkStatus.QueueStatus("one/1", 1500, 90_000, 3, 4, 5));
        assertThat(link("show", "net").out()).contains("""
                queues       2500mbit, buffer 512kib, ecn 5kib to 200kib up to 10%, pfc of class
                             3 4 at 128kib, ended at 64kib
                """).endsWith("""

                PORT   QUEUED  HIGHEST  DROPPED  MARKED  PAUSES
                one/1    1500    90000        3       4       5
                """);
        assertThat(link("show", "net", "--json").dense()).contains("\"queueing\":{\"rate\":2500000000,"
                + "\"buffer\":524288,\"ecn_min\":5120,\"ecn_max\":204800,\"ecn_probability\":10.0,\"pfc\":[3,4],"
                + "\"pfc_xoff\":131072,\"pfc_xon\":65536},\"queues\":[{\"port\":\"one/1\",\"queued\":1500,"
                + "\"highest\":90000,\"dropped\":3,\"marked\":4,\"pauses\":5}]");
    }

    @Test
    void aNewLinkMayHaveQueues() {
        assertThat(link("add", "net", "one/1", "--rate", "1gbit", "--buffer", "256kib", "--ecn-min", "5kib",
                "--ecn-max", "100kib", "--ecn-probability", "1%", "--pfc", "3,4", "--pfc-xoff", "64kib", "--pfc-xon",
                "0").err()).isEmpty();
        assertThat(workshop.configurations.get("io.manafold.link~net")).containsEntry("rate", 1_000_000_000L)
                .containsEntry("buffer", 262_144L).containsEntry("ecn-min", 5_120L).containsEntry("ecn-max", 102_400L)
                .containsEntry("ecn-probability", 1.0).containsEntry("pfc", new String[] {"3", "4"})
                .containsEntry("pfc-xoff", 65_536L).containsEntry("pfc-xon", 0L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            impair net                        | link impair needs to know what to do
            impair net --clear --loss 1%      | --clear contradicts the other options
            impair net --loss 101%            | --loss is between 0% and 100%, not 101%
            impair net --loss half            | --loss takes a share, as in 0.5%
            impair net --delay 11s            | --delay is between 0 and 10s
            impair net --delay 0.5ns          | in whole ns, not 0.5ns
            impair net --duplicate            | --duplicate needs a value: --duplicate PERCENT
            impair net --drop                 | --drop is only for rules
            impair net --loss 1% --count 3    | --count is only for rules
            impair net --match any            | A rule does one thing
            impair net --match any --drop --corrupt | A rule does one thing
            impair net --match any --drop --loss 1% | --loss is not for rules
            impair net --match any --clear --drop | --clear is not for rules
            impair net --match any --duplicate 5% | --duplicate takes no value with --match
            impair net --match any --delay 11s | --delay is between 1ns and 10s
            impair net --match any --delay 0  | --delay is between 1ns and 10s
            impair net --match any --drop --once --count 2 | --once contradicts --count
            impair net --match any --drop --count 0 | --count takes a whole number from 1 to
            impair net --match qp=1 --drop    | the keys are qpn, psn, opcode, ecn, not 'qp=1'
            impair net --match qpn --drop     | not 'qpn'
            impair net --match qpn=1, --drop  | not ''
            impair net --match qpn=1,qpn=2 --drop | has qpn twice
            impair net --match qpn=0x1000000 --drop | qpn is a number from 0 to 0xffffff
            impair net --match psn=-1 --drop  | psn is a number from 0 to 0xffffff, not '-1'
            impair net --match opcode=sned --drop | from 0 to 0xff, not 'sned'; its names are send-first
            impair net --match ecn=4 --drop   | its names are not-ect, ect1, ect0, ce
            add new two/1 --buffer 64kib      | --buffer means nothing without --rate
            add new two/1 --rate 1gbit --pfc-xon 1kib | --pfc-xon means nothing without --pfc
            add new two/1 --rate 1gbit --pfc 8 | --pfc takes classes from 0 to 7
            add new two/1 --rate 1gbit --buffer 17mib | --buffer is between 16kib and 16mib
            add new two/1 --rate 1            | --rate takes a rate
            impair net --delay 2              | --delay takes a time, as in 2ms
            impair net --seed -1              | --seed takes a whole number from 0
            impair net --seed 9999999999999999999 | --seed takes a whole number from 0
            add new                           | link add needs the ports
            add new two/1 --kind cable        | There is no kind of link 'cable'
            add new two/1 --kind direct       | A direct link joins two ports, not 1.
            add new two/1 two/1               | Port 'two/1' is named twice.
            add new two                       | 'two' is not a port; write adapter/port
            add new two/1 --kind tap          | A link of kind tap needs --interface
            add new two/1 --interface tap0    | --interface is only for the kinds tap and packet
            add new one/1 two/1 --kind packet | takes one port, not 2
            add new two/1 --kind tap --interface way-too-long-a-name | at most 15, not
            add n/w two/1                     | is not a name
            """)
    void wrongWordsChangeNothing(String words, String sentence) {
        Fakes.OneLink net = workshop.link("net", "switch", "one/2");
        Fakes.Answer answer = link(words.split(" "));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(2);
        assertThat(answer.err()).contains(sentence);
        assertThat(net.impairments).isEqualTo(Impairments.NONE);
        assertThat(net.rules).isEmpty();
        assertThat(workshop.topology.linkNames()).containsExactly("net");
    }

    @Test
    void linksAreMadeAndTakenAway() {
        assertThat(link("add", "net", "one/1", "two/1", "--loss", "0.5%", "--capture", "net.pcapng"))
                .isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(workshop.topology.adapter("one").ports().getFirst().link()).as("when the order is carried out")
                .isEqualTo("net");
        assertThat(workshop.configurations.get("io.manafold.link~net"))
                .containsOnlyKeys("name", "kind", "ports", "loss", "duplicate", "reorder", "delay", "seed", "capture")
                .containsEntry("kind", "switch").containsEntry("ports", new String[] {"one/1", "two/1"})
                .containsEntry("loss", 0.5).containsEntry("duplicate", 0.0).containsEntry("delay", 0L)
                .containsEntry("seed", 1L).containsEntry("capture", Workshop.path("net.pcapng"));
        assertThat(link("add", "host", "one/2", "--kind", "tap", "--interface", "tap0").err()).isEmpty();
        assertThat(workshop.configurations.get("io.manafold.link~host")).containsEntry("interface", "tap0");
        assertThat(link("add", "net", "one/2").err()).contains("on link 'host' already").endsWith("(EBUSY)\n");
        assertThat(link("remove", "host").status()).isZero();
        assertThat(link("add", "net", "one/2").err()).contains("There is a link 'net' already").endsWith("(EEXIST)\n");
        assertThat(link("add", "other", "one/3").err())
                .contains("There is no port 'one/3': adapter 'one' has 2 ports").endsWith("(ENODEV)\n");
        assertThat(link("add", "other", "three/1").err()).contains("There is no adapter 'three'");
        assertThat(workshop.topology.linkNames()).containsExactly("net");
        assertThat(link("remove", "nte").err()).contains("did you mean 'net'?");
    }

    @Test
    void namesAreCompleted() {
        workshop.link("net", "switch", "one/1");
        assertThat(Fakes.completed(command, "show", "LINK", Map.of())).containsExactly("net");
        assertThat(Fakes.completed(command, "impair", "LINK", Map.of())).containsExactly("net");
        assertThat(Fakes.completed(command, "remove", "LINK", Map.of())).containsExactly("net");
        assertThat(Fakes.completed(command, "add", "PORT", Map.of())).containsExactly("one/1", "one/2", "two/1");
    }
}

package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabReaderTest {
    private static final String PAIR = """
            # Two ports, one switch
            adapters:
              - {name: one, ports: 2, queues: 4}
            links:
              - name: net
                ports: [one/1, one/2]
                delay: 1.5ms
                loss: 0.5%
            devices:
              - name: mana0
                on: one/1
                addresses: [10.77.0.1/24, "fd77::1/64"]
            shapers:
              - {device: mana0, bw-max: 500mbit}
              - {device: mana0, scope: queue, id: 3, weight: 2}
            faults:
              - {adapter: one, message: configure-vport-tx, status: 0xc00000bb, once: true}
            """;

    private static Lab read(String text) {
        return LabReader.read(new LabSource("x", "x.yaml", text));
    }

    private static String refusal(String text) {
        return refusal(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String refusal(byte[] bytes) {
        try {
            LabReader.read(LabSource.of("x", "x.yaml", bytes));
        } catch (Refusal e) {
            assertThat(e.errno()).isEqualTo(Errno.EINVAL);
            return e.getMessage();
        }
        throw new AssertionError("the file was taken");
    }

    private static Map<String, Object> values(Lab lab, String path) {
        return lab.entries().stream().filter(entry -> entry.path().equals(path)).findFirst().orElseThrow().values();
    }

    @Test
    void readsAFileWithTypedValues() {
        Lab lab = read(PAIR);
        assertThat(lab.entries()).extracting(Entry::path).containsExactly("adapters/one", "links/net", "devices/mana0",
                "shapers/mana0-netdev", "shapers/mana0-queue-3", "faults/one-configure-vport-tx");
        assertThat(lab.source().title()).isEqualTo("Two ports, one switch");
        assertThat(values(lab, "links/net")).containsEntry("delay", 1_500_000L).containsEntry("loss", 0.5)
                .containsEntry("kind", "switch").doesNotContainKey("interface");
        assertThat(values(lab, "devices/mana0").get("addresses"))
                .isEqualTo(new String[] {"10.77.0.1/24", "fd77::1/64"});
        assertThat(values(lab, "shapers/mana0-netdev")).containsEntry("bw-max", 500_000_000L);
        assertThat(values(lab, "faults/one-configure-vport-tx")).containsEntry("status", 0xc00000bbL)
                .containsEntry("once", true);
    }

    @Test
    void readsHowFramesWait() {
        Lab lab = read("adapters: [{name: one}]\nlinks: [{name: net, ports: [one/1], rate: 2.5gbit, buffer: 512kib, "
                + "ecn-min: 5kib, ecn-max: 200kib, ecn-probability: 10%, pfc: [3, 4], pfc-xoff: 64kib, pfc-xon: 0}]");
        assertThat(values(lab, "links/net")).containsEntry("rate", 2_500_000_000L).containsEntry("buffer", 524_288L)
                .containsEntry("ecn-min", 5_120L).containsEntry("ecn-max", 204_800L)
                .containsEntry("ecn-probability", 10.0).containsEntry("pfc", new String[] {"3", "4"})
                .containsEntry("pfc-xoff", 65_536L).containsEntry("pfc-xon", 0L);
        assertThat(values(read("adapters: [{name: one}]\nlinks: [{name: net, ports: [one/1]}]"), "links/net"))
                .doesNotContainKeys("rate", "buffer", "ecn-min", "ecn-max", "ecn-probability", "pfc", "pfc-xoff",
                        "pfc-xon");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buffer: 64kib | 'buffer' means nothing without 'rate'; take it out, or give that, as in 'rate: 1gbit'.
            ecn-max: 64kib | 'ecn-max' means nothing without 'rate'
            pfc: [3] | 'pfc' means nothing without 'rate'
            rate: 1gbit, ecn-min: 5kib | 'ecn-min' means nothing without 'ecn-max'
            rate: 1gbit, ecn-probability: 5% | 'ecn-probability' means nothing without 'ecn-max'
            rate: 1gbit, pfc-xoff: 5kib | 'pfc-xoff' means nothing without 'pfc'
            rate: 1gbit, pfc-xon: 5kib | 'pfc-xon' means nothing without 'pfc'
            rate: 1gbit, ecn-max: 2mib | ecn-max is 2mib, which is more than buffer, 1mib
            rate: 1gbit, ecn-max: 2kib, ecn-min: 3kib | ecn-min is 3kib, which is more than ecn-max, 2kib
            rate: 1gbit, buffer: 64kib, pfc: [1], pfc-xoff: 65kib | pfc-xoff is 65kib, which is more than buffer, 64kib
            rate: 1gbit, buffer: 64kib, pfc: [1], pfc-xon: 17kib | pfc-xon is 17kib, which is more than pfc-xoff, 16kib
            rate: 1gbit, pfc: [1, 1] | the class of link 'net'
            rate: 1gbit, pfc: [8] | pfc: '8'
            rate: 0.5mbit | rate: '0.5mbit' is not within 1mbit to 400gbit.
            rate: 1gbit, buffer: 32mib | buffer: '32mib' is not within 16kib to 16mib.
            """)
    void queuesThatCannotBeAreRefused(String keys, String sentence) {
        assertThat(refusal("adapters: [{name: one}]\nlinks: [{name: net, ports: [one/1], " + keys + "}]"))
                .contains(sentence);
    }

    @Test
    void fillsInWhatIsLeftOut() {
        Lab lab = read("adapters: [{name: a, ports: 2}, "
                + "{name: b, address: '7870:00:00.0', macs: [00:0D:3A:00:00:07]}]");
        assertThat(values(lab, "adapters/a")).containsEntry("address", "7870:00:01.0").containsEntry("queues", 16)
                .containsEntry("speed", 200_000_000_000L).doesNotContainKey("firmware");
        assertThat(values(lab, "adapters/a").get("macs"))
                .isEqualTo(new String[] {"00:0d:3a:00:01:01", "00:0d:3a:00:01:02"});
        assertThat(values(lab, "adapters/b").get("macs")).isEqualTo(new String[] {"00:0d:3a:00:00:07"});
    }

    @Test
    void addressesThatAreTakenAreNotGivenTwice() {
        Lab lab = read("adapters: [{name: a}, {name: b, address: '1:0:0.0', macs: ['00:0d:3a:ff:ff:ff']}, "
                + "{name: c, address: '2:0:0.0', ports: 2}]");
        assertThat(values(lab, "adapters/a").get("macs")).isEqualTo(new String[] {"00:0d:3a:00:00:01"});
        assertThat(values(lab, "adapters/c").get("macs"))
                .isEqualTo(new String[] {"00:0d:3a:ff:ff:fe", "00:0d:3a:00:00:02"});
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# only a title", "---\n...\n", "adapters:\n", "adapters: []\nlinks: ~\n",
            "{}"})
    void anEmptyLabIsALab(String text) {
        assertThat(read(text).entries()).isEmpty();
    }

    @Test
    void aByteOrderMarkIsNoContent() {
        assertThat(LabReader.read(LabSource.of("x", "x.yaml", "\ufeffadapters: []".getBytes(StandardCharsets.UTF_8)))
                .entries()).isEmpty();
    }

    @Test
    void namesTheNearestKey() {
        assertThat(refusal("adapters:\n  - name: one\n    quues: 4\n")).isEqualTo("x.yaml, line 3, column 5: "
                + "'quues' is not a key of adapters; nearest is 'queues'. "
                + "Keys: name, address, ports, macs, queues, speed, mtu, firmware, shapers, rdma, rdma-timeout, "
                + "limits.");
    }

    @Test
    void namesTheNearestList() {
        assertThat(refusal("\nadaptors:\n  - name: one\n")).isEqualTo("x.yaml, line 2, column 1: 'adaptors' is not "
                + "a list of a lab file; nearest is 'adapters'. "
                + "Lists: adapters, links, exports, borrow, devices, pairs, shapers, faults, listeners, states.");
    }

    @Test
    void reportsAllProblemsTogetherInTheOrderOfTheFile() {
        assertThat(refusal("links:\n  - {name: n, ports: [one/1], los: 1%}\n"
                + "adapters:\n  - {name: one, ports: 99}\n  - {}\n"))
                .startsWith("x.yaml has 3 problems:\n  "
                        + "line 2, column 31: 'los' is not a key of links; nearest is 'loss'.")
                .contains("\n  line 4, column 24: ports: '99' is not within 1 to 8."
                        + "\n  line 5, column 5: this entry of adapters has no 'name', "
                        + "which it needs, as in 'name: one'.");
    }

    @Test
    void showsOnlyTheFirstProblemsOfVeryMany() {
        String text = IntStream.range(0, 900).mapToObj(i -> "  - {name: a" + i + ", nope: 1}\n")
                .collect(Collectors.joining("", "adapters:\n", ""));
        assertThat(refusal(text)).startsWith("x.yaml has 900 problems:").endsWith("… and 880 more problems.")
                .hasLineCount(22);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ports: two | 'two' is not a whole number; allowed is 1 to 8.
            ports: 0 | '0' is not within 1 to 8.
            ports: -1 | '-1' is not within 1 to 8.
            ports: 99999999999999999999999999999999999999 | is not within 1 to 8.
            ports: 1e3 | '1e3' is not a whole number
            ports: "2" | '2' is text because of how it is quoted, not a whole number; write it without quotes.
            ports: [2] | ports is a whole number, but here is a list; write it as in 'ports: 2'.
            ports: {a: 2} | ports is a whole number, but here is a group of keys
            ports: | ports is a whole number, but here is nothing
            macs: 00:0d:3a:00:00:01 | macs is a list, but here is the single value
            macs: [01:00:5e:00:00:01] | is not the address of one station
            macs: [00:0d:3a:00:00] | is not a MAC address
            macs: [00:0d:3a:00:00:01, 00:0d:3a:00:00:02] | macs has 2 addresses for 1 port
            address: 7870:00:20.0 | '7870:00:20.0' is not a PCI address
            address: here | 'here' is not a PCI address
            speed: 200 | '200' is not a rate; write a number with one of the units bit, kbit, mbit, gbit, tbit.
            speed: 1gbit            |
            speed: 9999999999gbit | is not within 10mbit to 400gbit
            speed: -1gbit | '-1gbit' is not a rate
            firmware: 2026-13 | '2026-13' is not a year and month
            name: ../../etc | '../../etc' is not a name; allowed is: letters, digits, - and _, at most 64.
            name: "" | '' is not a name
            name: ~ | name is a name, but here is nothing
            """)
    void refusesWhatAKeyCannotBe(String line, String sentence) {
        String name = line.startsWith("name") ? "" : "    name: one\n";
        String text = "adapters:\n  - " + line + "\n" + name;
        if (sentence == null) {
            assertThat(read(text).entries()).hasSize(1);
        } else {
            assertThat(refusal(text)).startsWith("x.yaml, line 2, column ").contains(sentence);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            links: [{name: n, ports: [tow/1]}] | ports: 'tow' does not stand under adapters; nearest is 'two'.
            links: [{name: n, ports: [one/2]}] | 'one/2' is not there, because 'one' has 1 port (line 1)
            links: [{name: n, ports: [one]}] | 'one' is not a port; write adapter/port
            links: [{name: n, ports: [one/0]}] | 'one/0' is not a port
            links: [{name: n, ports: []}] | ports is empty but needs at least one member
            links: [{name: n, ports: [one/1, one/1]}] | the port 'one/1' is taken already in line 2
            links: [{name: n, ports: [one/1], kind: direct}] | a direct link joins two ports, but here is one
            links: [{name: n, ports: [one/1, two/1], kind: tap, interface: t}] | a link of kind tap takes one port
            links: [{name: n, ports: [one/1], kind: tap}] | this entry has no 'interface', which it needs with kind tap
            links: [{name: n, ports: [one/1], interface: tap0}] | 'interface' is only for kind tap or packet
            links: [{name: n, ports: [one/1], kind: swich}] | 'swich' is none of switch, direct, tap, packet; nearest is
            links: [{name: n, ports: [one/1], delay: 20}] | '20' is not a time; write a number with one of the units
            links: [{name: n, ports: [one/1], loss: 101%}] | '101%' is not within 0% to 100%.
            exports: [{adapter: one}, {adapter: one, name: b}] | 'one' is taken already in line 2
            exports: [{adapter: one, socket: ""}] | '' is not a path
            exports: [{adapter: one, socket: "a\\u0000b"}] | has control characters in it
            borrow: [{name: b}] | this entry of borrow has no 'socket', which it needs
            borrow: [{name: one, socket: s}] | an adapter is called 'one' already
            borrow: [{name: b, socket: s}, {name: c, socket: s}] | 's' is taken already in line 2
            borrow: [{name: b, socket: s, address: nowhere}] | 'nowhere' is not a PCI address
            borrow: [{name: b, socket: s, address: '7870:00:00.0'}, {name: c, socket: t, address: '7870:00:00.0'}] | taken
            devices: [{name: a, on: one/1}, {name: a, on: two/1}] | devices has an entry 'a' already, in line 2
            devices: [{name: a, on: one/1}, {name: b, on: one/1}] | 'one/1' is taken already in line 2
            devices: [{name: a, on: one/1, addresses: [10.0.0.1]}] | '10.0.0.1' is not an address with its prefix length
            devices: [{name: a, on: one/1, addresses: [10.0.0.256/8]}] | is not an address with its prefix length
            devices: [{name: a, on: one/1, addresses: ['fd77::1/64', 'fd77:0::1/64']}] | is taken already in line 2
            devices: [{name: a, on: two/1, mtu: 1501}] | an mtu of 1501 does not fit the adapter 'two'
            devices: [{name: a, on: one/1, up: yes}] | 'yes' is neither true nor false
            devices: [{name: a-name-that-is-too-long, on: one/1}] | is not a name; allowed is: letters, digits, - and _
            shapers: [{device: a}] | device: 'a' does not stand under devices, which this file has none of.
            faults: [{adapter: one}] | this entry has no 'status', which it needs with effect status
            faults: [{adapter: one, effect: withhold-completion}] | this entry has no 'port', which it needs with effect withhold-completion
            faults: [{adapter: one, status: 0x1, port: one/1}] | 'port' is only for effect withhold-completion
            faults: [{adapter: one, effect: withhold-completion, port: one/1, message: configure-vport-tx}] | 'message' is about answers
            faults: [{adapter: one, effect: withhold-completion, port: two/1}] | two/1 is no port of one
            faults: [{adapter: one, status: 0x100000000}] | '0x100000000' is not a status
            faults: [{adapter: one, effect: late, delay: 1s, status: 0x1}] | 'status' is only for effect status
            """)
    void refusesWhatEntriesCannotBeToEachOther(String list, String sentence) {
        String text = "adapters: [{name: one}, {name: two, mtu: 1514}]\n" + list + "\n";
        assertThat(refusal(text)).startsWith("x.yaml, line 2, column ").contains(sentence);
    }

    @Test
    void aLentAdapterHasNoDeviceHere() {
        assertThat(refusal("adapters: [{name: one}]\nexports: [{adapter: one}]\ndevices: [{name: a, on: one/1}]\n"))
                .contains("line 3").contains("'one' is lent to a virtual machine (line 2)");
    }

    @Test
    void aDeviceMayBeOnWhatIsBorrowed() {
        assertThat(read("borrow: [{name: far, socket: s}]\ndevices: [{name: a, on: far/2, mtu: 9000}]\n"
                + "shapers: [{device: a, scope: queue, id: 5}]\n").entries()).hasSize(3);
        assertThat(refusal("borrow: [{name: far, socket: s}]\ndevices: [{name: a, on: fra/2}]\n"))
                .contains("'fra' does not stand under adapters");
        assertThat(refusal("borrow: [{name: far, socket: s}]\nlinks: [{name: n, ports: [far/1]}]\n"))
                .contains("'far' does not stand under adapters");
    }

    @Test
    void aShaperNeedsItsQueue() {
        String start = "adapters: [{name: one, queues: 4}]\ndevices: [{name: a, on: one/1}]\nshapers: ";
        assertThat(refusal(start + "[{device: a, scope: queue}]"))
                .contains("no 'id', which it needs with scope queue or node");
        assertThat(refusal(start + "[{device: a, scope: queue, id: 4}]")).contains("id: 4 is not there")
                .contains("4 queues");
        assertThat(refusal(start + "[{device: a, name: x}, {device: a, name: y}]"))
                .contains("is taken already in line 3");
    }

    @Test
    void shapersMakeTreesAndCountPackets() {
        Lab lab = read("adapters: [{name: one}]\ndevices: [{name: a, on: one/1}]\nshapers:\n"
                + "- {device: a, scope: node, id: 0, bw-max: 5gbit, burst: 64000}\n"
                + "- {device: a, scope: node, id: 1, parent: 0, metric: pps, bw-max: 5kpps}\n"
                + "- {device: a, scope: queue, id: 3, parent: 1, weight: 2}\n");
        assertThat(values(lab, "shapers/a-node-0")).containsEntry("bw-max", 5_000_000_000L)
                .containsEntry("burst", 64_000L).containsEntry("metric", "bps").doesNotContainKey("parent");
        assertThat(values(lab, "shapers/a-node-1")).containsEntry("bw-max", 5_000).containsEntry("parent", 0);
        assertThat(values(lab, "shapers/a-queue-3")).containsEntry("parent", 1);
        assertThat(Section.SHAPERS.key("bw-max").orElseThrow().show(5_000)).isEqualTo("5kpps");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [{device: a, parent: 0}]                                       | 'parent' is only for scope queue or node
            [{device: a, scope: queue, id: 0, parent: 3}]                  | node 3 of a does not stand under shapers
            [{device: a, scope: node, id: 3}]                              | there is nothing below a node 3
            [{device: a, scope: node}]                                     | no 'id', which it needs with scope queue or node
            [{device: a, scope: node, id: 1, parent: 1}]                   | a node 1 would be below itself
            [{device: a, scope: node, id: 1, parent: 2}, {device: a, scope: node, id: 2, parent: 1}] | would be below itself
            [{device: a, bw-max: 5kpps}]                                   | bw-max counts packets, which needs 'metric: pps'
            [{device: a, metric: pps, bw-min: 5mbit}]                      | bw-min counts packets with metric pps, as in 5kpps
            [{device: a, metric: pps, bw-max: 3000mpps}]                   | '3000mpps' is not within 1pps to 2000mpps
            [{device: a, bw-max: 5}]                                       | '5' is not a rate
            [{device: a, burst: 0}]                                        | '0' is not within 1 to
            """)
    void refusesWhatIsNoTree(String shapers, String sentence) {
        assertThat(refusal("adapters: [{name: one}]\ndevices: [{name: a, on: one/1}]\nshapers: " + shapers))
                .contains(sentence);
    }

    /** As many entries as a lab may have, each below the one before. */
    @Test
    @Timeout(5)
    void aDeepTreeCostsNoMoreThanAWideOne() {
        StringBuilder chain = new StringBuilder("adapters: [{name: one}]\ndevices: [{name: a, on: one/1}]\nshapers:\n");
        for (int node = 0; node < 996; node++) {
            chain.append("- {device: a, scope: node, id: ").append(node)
                    .append(node == 0 ? "" : ", parent: " + (node - 1)).append("}\n");
        }
        String bottom = "- {device: a, scope: queue, id: 0, parent: ";
        assertThat(read(chain + bottom + "995}\n").entries()).hasSizeGreaterThan(990);
        assertThat(refusal(chain.toString().replace("id: 0}", "id: 0, parent: 995}") + bottom + "5}\n"))
                .contains("a node 0 would be below itself");
    }

    @Test
    void twoAdaptersCannotShareAnAddress() {
        assertThat(refusal("adapters:\n- {name: a, address: '7870:0:0.0'}\n- {name: b, address: '7870:00:00.0'}\n"))
                .isEqualTo("x.yaml, line 3, column 22: the PCI address '7870:00:00.0' is taken already in line 2; "
                        + "choose another one.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'adapters: &a [*a]'               | '&a' is an anchor
            'a: &x [1]\nb: *x'                | '*x' refers to another place
            'adapters: !!java.lang.Runtime []' | is a tag
            'adapters: [{name: !str one}]'    | '!str' is a tag
            'adapters: []\nadapters: []'      | the key 'adapters' stands here already, in line 1
            'adapters: [{name: a, name: b}]'  | the key 'name' stands here already, in line 1
            'adapters: []\n---\nlinks: []'    | a second document begins here
            '? [a, b]\n: c'                   | a list cannot be a key
            'adapters:\n\t- name: a'          | indent with spaces
            'adapters: [{name: a'             | this is not YAML
            'adapters: "open'                 | this is not YAML
            'adapters: "cut \\x'              | this is not YAML
            'adapters: "cut \\U0010'          | this is not YAML
            'adapters: one'                   | adapters is a list, but here is the single value 'one'
            'adapters: {name: one}'           | adapters is a list, but here is a group of keys
            'adapters: [one]'                 | an entry of adapters is a group of keys, but here is the single value
            'just text'                       | a lab file consists of the lists
            '- a'                             | a lab file consists of the lists
            '<<: {a: b}'                      | '<<' is not a list of a lab file
            '%YAML 9.9\n---\nadapters: []'    | this is not YAML
            """)
    void refusesYamlThatALabDoesNotNeed(String text, String sentence) {
        assertThat(refusal(text.replace("\\n", "\n").replace("\\t", "\t"))).contains("line ").contains(sentence)
                .doesNotContain("Exception");
    }

    @Test
    @Timeout(60)
    void anAliasBombDoesNotGoOff() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }
        assertThat(refusal(bomb.toString())).contains("is an anchor").contains("refers to another place");
    }

    @Test
    @Timeout(60)
    void depthIsRefusedHoweverDeep() {
        assertThat(refusal("[".repeat(100_000))).isEqualTo("x.yaml, line 1, column 9: this is nested more than 8 deep; "
                + "a lab is lists of entries with keys, nothing deeper.");
        assertThat(refusal("a: ".repeat(1) + "\n" + IntStream.range(0, 300).mapToObj(i -> " ".repeat(i) + "- \n")
                .collect(Collectors.joining()))).contains("nested more than 8 deep");
        assertThat(refusal("{".repeat(100_000))).contains("nested more than 8 deep");
    }

    @Test
    void bytesThatAreNotTextAreRefused() {
        assertThat(refusal(new byte[] {'a', ':', '\n', ' ', (byte) 0xff})).isEqualTo(
                "x.yaml, line 2, column 2: the byte 0xff is not UTF-8 here; save the file as UTF-8.");
        assertThat(refusal("adapters: []".getBytes(StandardCharsets.UTF_16))).contains("0xfe is not UTF-8");
        assertThat(refusal(new byte[] {'a', (byte) 0xe2, (byte) 0x82})).contains("0xe2 is not UTF-8");
        assertThat(refusal("links: []\na: \u0007")).isEqualTo("x.yaml, line 2, column 4: the character U+0007 must "
                + "not stand in a YAML file; remove it.");
    }

    /** Wherever a parser may divide the file, it must not divide a character. */
    @Test
    void charactersBeyondTheFirstPlaneMayStandAnywhere() {
        for (int i = 1000; i < 1060; i++) {
            assertThat(read("# " + "x".repeat(i) + "\ud83d\ude00\nadapters: [{name: one}]").entries()).hasSize(1);
        }
    }

    @Test
    void listenersAreRead() {
        Lab lab = read("""
                listeners:
                  - at: 127.0.0.1:7000
                  - {name: b, at: "[::1]:7000", do: file, file: /etc/hosts, transport: nio, knobs: [gather=off, "prefer:busypoll=50"]}
                  - {name: c, at: 127.0.0.1:0}
                  - {name: d, at: 127.0.0.1:0}
                """);
        assertThat(values(lab, "listeners/echo-127-0-0-1-7000")).containsEntry("at", "127.0.0.1:7000")
                .containsEntry("do", "echo").containsEntry("transport", "uring").doesNotContainKeys("file", "knobs");
        assertThat(values(lab, "listeners/b")).containsEntry("at", "[::1]:7000").containsEntry("file", "/etc/hosts")
                .containsEntry("knobs", new String[] {"gather=off", "prefer:busypoll=50"});
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"at: 127.0.0.1; is not an address with a port",
            "at: localhost:7000; is not an address with a port",
        "at: '::1:7000'; is not an address with a port", "at: 127.0.0.1:70000; is not an address with a port",
        "at: 127.0.0.1:1, do: eco; nearest is 'echo'",
        "at: 127.0.0.1:1, do: file; has no 'file', which it needs with do file",
        "at: 127.0.0.1:1, file: x; 'file' is only for do file",
        "at: 127.0.0.1:1, knobs: [memory]; The knob 'memory' has no value",
        "at: 127.0.0.1:1, knobs: [memroy=plain]; There is no knob 'memroy'", "do: echo; has no 'at', which it needs",
        "at: 127.0.0.1:1, knobs: [memory=big]; The knob memory cannot be 'big'",
        "at: 127.0.0.1:7000; the address '127.0.0.1:7000' is taken already in line 2"})
    void listenersAreRefusedWithPlaceAndRule(String entry, String words) {
        assertThat(refusal("listeners:\n- {name: first, at: 127.0.0.1:7000}\n- {name: x, " + entry + "}\n"))
                .contains("line 3").contains(words);
    }

    @Test
    void aFileThatIsTooLongIsNotRead() {
        assertThat(refusal(new byte[LabSource.LONGEST + 1])).isEqualTo(
                "x.yaml is longer than 256 KiB; no lab needs that much: is it the right file?");
    }

    @Test
    void tooManyEntriesAreRefused() {
        String text = IntStream.rangeClosed(0, 1000).mapToObj(i -> "- {name: a" + i + "}\n")
                .collect(Collectors.joining("", "adapters:\n", ""));
        assertThat(refusal(text)).contains("line 1002").contains("a lab has at most 1000 entries");
    }

    @Test
    @Timeout(60)
    void manyWrongReferencesCostLittle() {
        String text = IntStream.range(0, 900).mapToObj(i -> "- {name: l" + i + ", ports: [wrong" + i + "/1]}\n")
                .collect(Collectors.joining("", "links:\n", "adapters: [{name: one}]\n"));
        assertThat(refusal(text)).contains("900 problems");
    }

    @Test
    void othersWordsCannotWriteOnTheTerminal() {
        assertThat(refusal("\"\\e[31m\\u202eevil\\n\": 1")).doesNotContain("\u001b").doesNotContain("\u202e")
                .hasLineCount(1);
        assertThat(refusal("x".repeat(5000) + ": 1")).hasSizeLessThan(400);
    }
}

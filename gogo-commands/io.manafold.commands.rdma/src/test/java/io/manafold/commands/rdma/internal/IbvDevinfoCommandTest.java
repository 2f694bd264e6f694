package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.PortAttributes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines are those of a Linux guest with the same adapter. */
class IbvDevinfoCommandTest {
    private final FakeDevice one = new FakeDevice("mana_0", 1);
    private final Devices devices = Fakes.devices(new FakeDevice("mana_10", 2), one);
    private final IbvDevinfoCommand command = new IbvDevinfoCommand(devices);

    @Test
    void devicesAreListedInTheOrderOfTheirNumbers() {
        IbvDevicesCommand list = new IbvDevicesCommand(devices);
        assertThat(Fakes.run(list, "").out()).isEqualTo("    device          \t   node GUID\n    ------          \t"
                + "----------------\n    mana_0          \t020d3afffe00000a\n    mana_10         \t020d3afffe00000a\n");
        assertThat(Fakes.run(list, "--json").dense())
                .isEqualTo(
                        "[{\"device\":\"mana_0\",\"node_guid\":\"020d:3aff:fe00:000a\"},{\"device\":\"mana_10\","
                        + "\"node_guid\":\"020d:3aff:fe00:000a\"}]");
        assertThat(Fakes.run(command, "-l").out()).isEqualTo("2 HCAs found:\n\tmana_0\n\tmana_10\n\n");
    }

    @Test
    void aDeviceInShort() {
        assertThat(Fakes.run(command, "-d mana_0").out()).isEqualTo("""
                hca_id:\tmana_0
                \ttransport:\t\t\tInfiniBand (0)
                \tnode_guid:\t\t\t020d:3aff:fe00:000a
                \tsys_image_guid:\t\t\t0000:0000:0000:0000
                \tvendor_id:\t\t\t0x1414
                \tvendor_part_id:\t\t\t3
                \thw_ver:\t\t\t\t0x0
                \tphys_port_cnt:\t\t\t1
                \t\tport:\t1
                \t\t\tstate:\t\t\tPORT_ACTIVE (4)
                \t\t\tmax_mtu:\t\t4096 (5)
                \t\t\tactive_mtu:\t\t1024 (3)
                \t\t\tsm_lid:\t\t\t0
                \t\t\tport_lid:\t\t0
                \t\t\tport_lmc:\t\t0x00
                \t\t\tlink_layer:\t\tEthernet

                """);
    }

    @Test
    void allAttributes() throws UnknownHostException {
        one.gids.add(Gid.of(InetAddress.getByName("10.77.0.1")));
        assertThat(Fakes.run(command, "-v -d mana_0").out()).contains("\tmax_qp:\t\t\t\t4096\n",
                "\tdevice_cap_flags:\t\t0x00001000\n\t\t\t\t\tRC_RNR_NAK_GEN\n\tmax_sge:\t\t\t15\n",
                "\tmax_total_mcast_qp_attach:\t0\n", "\tgeneral_odp_caps:\n\trc_odp_caps:\n\t\t\t\t\tNO SUPPORT\n",
                "\t\tmax_rwq_indirection_table_size:\t\t\t0\n", "\t\t\tactive_width:\t\t4X (2)\n",
                "\t\t\tactive_speed:\t\t50.0 Gbps (64)\n\t\t\tphys_state:\t\tLINK_UP (5)\n",
                "\t\t\tGID[  0]:\t\tfe80::20d:3aff:fe00:a, RoCE v2\n\t\t\tGID[  1]:\t\t::ffff:10.77.0.1, RoCE v2\n\n");
        assertThat(Fakes.run(command, "-v -d mana_0 --json").dense())
                .contains("\"max_qp_wr\":4096", "\"state\":\"PORT_ACTIVE\"",
                        "\"gids\":[\"fe80::20d:3aff:fe00:a\",\"::ffff:10.77.0.1\"]");
    }

    @Test
    void aNetworkDeviceOfSmallPacketsHasTheSmallestPathMtu() {
        FakeDevice small = new FakeDevice("mana_0", 1) {
            @Override
            public PortAttributes port(int number) {
                return new PortAttributes("mana0", true, 4096, 0, 16, 0);
            }
        };
        assertThat(Fakes.run(new IbvDevinfoCommand(Fakes.devices(small)), "-d mana_0").out())
                .contains("\t\t\tactive_mtu:\t\t256 (1)\n");
    }

    @Test
    void onePortOfSeveral() {
        assertThat(Fakes.run(command, "-d mana_10 -i 2").out())
                .contains("\t\tport:\t2\n\t\t\tstate:\t\t\tPORT_DOWN (1)\n").doesNotContain("port:\t1\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | -d mana_1      | There is no RDMA device 'mana_1'; did you mean 'mana_0'? (ENODEV)
            1 | -d mana_0 -i 2 | mana_0 has one port, 1, and none with the number 2. (EINVAL)
            2 | -i 0           | takes a whole number from 1
            2 | mana_0         | mana_0
            """)
    void whatThereIsNotIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void withoutDevicesThereIsASentence() {
        Fakes.Answer answer = Fakes.run(new IbvDevinfoCommand(Fakes.devices()), "");
        assertThat(answer.err()).contains("lab up rdma-pingpong").endsWith("(ENODEV)\n");
        assertThat(answer.status()).isEqualTo(1);
    }
}

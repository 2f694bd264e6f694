package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.Counter;
import io.manafold.api.net.Feature;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.QueueEvents;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.QueueWork;
import io.manafold.api.net.Rings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class EthtoolCommandTest {
    private final FakeDevice device = new FakeDevice("mana0", 2);
    private final EthtoolCommand command = new EthtoolCommand(Fakes.network(device));

    @BeforeEach
    void state() {
        device.counters.add(new Counter("stop_queue", 0));
        device.counters.add(new Counter("rx_0_packets", 5));
        device.features.add(new Feature("rx-checksum", true, false));
        device.features.add(new Feature("tx-checksum-ipv4", true, false));
        device.features.add(new Feature("tx-checksum-ipv6", true, false));
        device.features.add(new Feature("tx-tcp-segmentation", true, false));
        device.features.add(new Feature("tx-tcp6-segmentation", true, false));
        device.features.add(new Feature("rx-vlan-hw-parse", true, true));
        device.features.add(new Feature("highdma", true, true));
        device.privateFlags.put("poll", false);
        device.privateFlags.put("full-page-rx", true);
    }

    private Fakes.Answer ethtool(String line) {
        return Fakes.run(command, line);
    }

    @Test
    void settingsAreShownWithoutAFlag() {
        assertThat(ethtool("mana0").out()).startsWith("Settings for mana0:\n\tSupported ports: [  ]\n")
                .contains("\tSpeed: 200000Mb/s\n\tDuplex: Full\n\tAuto-negotiation: off\n\tPort: Other\n")
                .endsWith("\tLink detected: yes\n");
        assertThat(ethtool("mana0 --json").dense()).startsWith("[{\"ifname\":\"mana0\"").contains("\"speed\":200000,"
                + "\"duplex\":\"Full\",\"auto-negotiation\":false,\"port\":\"Other\"").endsWith(
                        "\"link-detected\":true}]");
        device.speed = 0;
        assertThat(ethtool("mana0").out()).contains("\tSpeed: Unknown!\n");
    }

    @Test
    void driverAndCounters() {
        assertThat(ethtool("-i mana0").out()).isEqualTo("driver: ethernet\nversion: 1.0.0\nbus-info: 7870:00:00.0\n");
        assertThat(ethtool("-S mana0").out()).isEqualTo("""
                NIC statistics:
                     stop_queue: 0
                     rx_0_packets: 5
                """);
        assertThat(ethtool("--json -S mana0").dense())
                .isEqualTo("[{\"ifname\":\"mana0\",\"stop_queue\":0,\"rx_0_packets\":5}]");
    }

    @Test
    void channels() {
        assertThat(ethtool("-l mana0").out()).isEqualTo("""
                Channel parameters for mana0:
                Pre-set maximums:
                RX:\t\tn/a
                TX:\t\tn/a
                Other:\t\tn/a
                Combined:\t16
                Current hardware settings:
                RX:\t\tn/a
                TX:\t\tn/a
                Other:\t\tn/a
                Combined:\t4
                """);
        assertThat(ethtool("-l mana0 --json").dense())
                .isEqualTo("[{\"ifname\":\"mana0\",\"combined-max\":16,\"combined\":4}]");
        assertThat(ethtool("-L mana0 combined 2")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(device.channels).isEqualTo(2);
    }

    @Test
    void rings() {
        assertThat(ethtool("-g mana0").out()).startsWith("""
                Ring parameters for mana0:
                Pre-set maximums:
                RX:\t\t\t8192
                RX Mini:\t\tn/a
                RX Jumbo:\t\tn/a
                TX:\t\t\t16384
                TX push buff len:\tn/a
                HDS thresh:\t\tn/a
                Current hardware settings:
                RX:\t\t\t1024
                """).endsWith("""
                RX Buf Len:\t\tn/a
                CQE Size:\t\tn/a
                TX Push:\t\toff
                RX Push:\t\toff
                TX push buff len:\tn/a
                TCP data split:\t\tn/a
                HDS thresh:\t\tn/a
                """);
        assertThat(ethtool("-g mana0 --json").dense())
                .isEqualTo("[{\"ifname\":\"mana0\",\"rx-max\":8192,\"tx-max\":16384,\"rx\":1024,\"tx\":256,"
                        + "\"tx-push\":false,\"rx-push\":false}]");
        device.notices.add("rx 600 was raised to 1024.");
        assertThat(ethtool("-G mana0 rx 600")).isEqualTo(
                new Fakes.Answer(0, "", "manafold: rx 600 was raised to 1024.\n"));
        assertThat(device.rings).isEqualTo(new Rings(600, 256, 8192, 16_384));
    }

    @Test
    void spreading() {
        assertThat(ethtool("-x mana0").out()).isEqualTo("""
                RX flow hash indirection table for mana0 with 4 RX ring(s):
                    0:      0     1     2     3     0     1     2     3
                    8:      0     1
                RSS hash key:
                6d:5a:ff
                RSS hash function:
                    toeplitz: on
                    xor: off
                    crc32: off
                RSS input transformation:
                    symmetric-xor: off
                    symmetric-or-xor: off
                """);
        assertThat(ethtool("-x mana0 --json").dense()).isEqualTo("[{\"ifname\":\"mana0\",\"rss-indirection-table\":["
                + "0,1,2,3,0,1,2,3,0,1],\"rss-hash-key\":[109,90,255],\"rss-hash-function\":\"toeplitz\","
                + "\"rss-input-transformation\":{\"symmetric-xor\":false,\"symmetric-or-xor\":false}}]");
        ethtool("-X mana0 equal 2");
        assertThat(device.spreading.table()).containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
        ethtool("-X mana0 weight 1 3 1");
        assertThat(device.spreading.table()).containsExactly(0, 0, 1, 1, 1, 1, 1, 1, 2, 2);
        ethtool("-X mana0 start 2 weight 0 1 hkey 01:02:03");
        assertThat(device.spreading.table()).containsExactly(3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
        assertThat(device.spreading.key()).containsExactly(1, 2, 3);
        ethtool("-X mana0 default");
        assertThat(device.spreading.table()).containsExactly(0, 1, 2, 3, 0, 1, 2, 3, 0, 1);
    }

    @Test
    void coalescing() {
        assertThat(ethtool("-c mana0").out()).startsWith("Coalesce parameters for mana0:\n")
                .contains("\ntx-frames-irq:\tn/a\n\nrx-usecs-low:\tn/a\n", "\nCQE mode RX: n/a  TX: n/a\n\ntx-aggr")
                .endsWith("rx-cqe-frames:\t\t1\nrx-cqe-nsecs:\t\t2048\n\n");
        assertThat(ethtool("-C mana0 rx-cqe-frames 4").status()).isZero();
        assertThat(ethtool("-c mana0 --json").dense())
                .isEqualTo("[{\"ifname\":\"mana0\",\"adaptive-rx\":true,\"rx-usecs\":0,\"rx-frames\":0,"
                        + "\"adaptive-tx\":false,\"tx-usecs\":64,\"tx-frames\":0,"
                        + "\"rx-cqe-frames\":4,\"rx-cqe-nsecs\":2048}]");
    }

    @Test
    void moderation() {
        assertThat(ethtool("-c mana0").out()).startsWith("Coalesce parameters for mana0:\nAdaptive RX: on  TX: off\n"
                + "stats-block-usecs:\tn/a\nsample-interval:\tn/a\npkt-rate-low:\t\tn/a\npkt-rate-high:\t\tn/a\n\n"
                + "rx-usecs:\t0\nrx-frames:\t0\nrx-usecs-irq:\tn/a\nrx-frames-irq:\tn/a\n\ntx-usecs:\t64\n");
        assertThat(ethtool("-C mana0 adaptive-rx off rx-usecs 20 rx-frames 8 tx-frames 32").status()).isZero();
        assertThat(device.receiveModeration).isEqualTo(new Moderation(false, 20, 8));
        assertThat(device.sendModeration).isEqualTo(new Moderation(false, 64, 32));
        assertThat(device.coalescing.frames()).as("not named").isEqualTo(1);
        assertThat(ethtool("-C mana0 adaptive-tx on rx-cqe-frames 4").status()).isZero();
        assertThat(device.sendModeration).isEqualTo(new Moderation(true, 64, 32));
        assertThat(device.coalescing.frames()).isEqualTo(4);
        assertThat(ethtool("-C mana0 rx-usecs-irq 3").err()).contains("adaptive-rx");
        assertThat(ethtool("-C mana0 adaptive-rx perhaps").status()).isEqualTo(2);
    }

    @Test
    void featuresStandInTheirGroups() {
        assertThat(ethtool("-k mana0").out()).isEqualTo("""
                Features for mana0:
                rx-checksumming: on
                tx-checksumming: on
                \ttx-checksum-ipv4: on
                \ttx-checksum-ipv6: on
                tcp-segmentation-offload: on
                \ttx-tcp-segmentation: on
                \ttx-tcp6-segmentation: on
                rx-vlan-offload: on [fixed]
                highdma: on [fixed]
                """);
        assertThat(ethtool("-k mana0 --json").dense()).startsWith("[{\"ifname\":\"mana0\",\"rx-checksumming\":{"
                + "\"active\":true,\"fixed\":false,\"requested\":true},");
        assertThat(ethtool("-K mana0 tso off rx off")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(ethtool("-k mana0").out()).contains("rx-checksumming: off\n", "tcp-segmentation-offload: off\n",
                "\ttx-tcp6-segmentation: off\n", "tx-checksumming: on\n");
    }

    @Test
    void whatChangesUnaskedIsTold() {
        assertThat(ethtool("-K mana0 tx-checksum-ipv4 off").out()).isEqualTo("""
                Actual changes:
                tx-checksum-ipv4: off
                tx-tcp-segmentation: off [not requested]
                """);
    }

    @Test
    void aDeviceMayListItsGroups() {
        device.features.addFirst(new Feature("tx-checksumming", true, false));
        assertThat(ethtool("-k mana0").out()).contains("""
                tx-checksumming: on
                \ttx-checksum-ipv4: on
                \ttx-checksum-ipv6: on
                tcp-""");
        assertThat(ethtool("-K mana0 tx off").out()).isEqualTo("""
                Actual changes:
                tx-checksum-ipv4: off
                tx-checksum-ipv6: off
                tx-tcp-segmentation: off [not requested]
                """);
        assertThat(device.features.getFirst().on()).isTrue();
    }

    @Test
    void whatDriversOfThisKindSay() {
        assertThat(ethtool("-P mana0").out()).isEqualTo("Permanent address: 00:0d:3a:00:00:01\n");
        assertThat(ethtool("-P mana0 --json").dense())
                .isEqualTo("[{\"ifname\":\"mana0\",\"permanent-address\":\"00:0d:3a:00:00:01\"}]");
        assertThat(ethtool("--show-time-stamping mana0").out()).isEqualTo("""
                Time stamping parameters for mana0:
                Capabilities:
                \tsoftware-receive
                \tsoftware-system-clock
                PTP Hardware Clock: none
                Hardware Transmit Timestamp Modes: none
                Hardware Receive Filter Modes: none
                """);
        assertThat(ethtool("-T mana0 --json").dense())
                .contains("\"capabilities\":[\"software-receive\",\"software-system-clock\"],"
                        + "\"ptp-hardware-clock\":null");
    }

    @Test
    void howManyQueuesThereAreIsToldWithoutRules() {
        for (String spelling : new String[] {"-n", "-u", "--show-nfc", "--show-ntuple"}) {
            Fakes.Answer answer = ethtool(spelling + " mana0");
            assertThat(answer.out()).isEqualTo("4 RX rings available\n");
            assertThat(answer.err()).contains("mana0 has no rules that steer flows", "'ethtool -x mana0'")
                    .endsWith("(EOPNOTSUPP)\n");
            assertThat(answer.status()).isOne();
        }
        assertThat(ethtool("-n mana0 --json").dense()).isEqualTo("[{\"ifname\":\"mana0\",\"rx-rings\":4}]");
    }

    @ParameterizedTest
    @CsvSource({"-a, pause parameters", "--show-pause, pause parameters", "-m, plug-in module",
        "--module-info, plug-in module", "-d, register dump", "--register-dump, register dump"})
    void whatDriversOfThisKindDoNotHave(String flag, String what) {
        Fakes.Answer answer = ethtool(flag + " mana0");
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).contains("mana0 has no " + what).endsWith("(EOPNOTSUPP)\n");
        assertThat(answer.status()).isOne();
        assertThat(ethtool(flag + " mana0 extra").status()).isEqualTo(2);
        assertThat(ethtool(flag + " mana7").err()).contains("(ENODEV)");
    }

    @Test
    void privateFlags() {
        assertThat(ethtool("--show-priv-flags mana0").out())
                .isEqualTo("Private flags for mana0:\npoll        : off\nfull-page-rx: on\n");
        assertThat(ethtool("--set-priv-flags mana0 poll on full-page-rx off").status()).isZero();
        assertThat(device.privateFlags).containsEntry("poll", true).containsEntry("full-page-rx", false);
        assertThat(ethtool("--show-priv-flags mana0 --json").dense())
                .isEqualTo("[{\"ifname\":\"mana0\",\"poll\":true,\"full-page-rx\":false}]");
    }

    @Test
    void debuggingShowsTheQueuesOfTheDevice() {
        device.queues.add(new QueueStatus(true, 0, 7, 1024, 12, 11, 1023, false, 9, true, 3, 1, 32,
                new QueueEvents(true, 64, 128, 4711), new QueueWork(0, 64, 5, 6, 7, 8)));
        QueuesCommand queues = new QueuesCommand(Fakes.network(device, new FakeDevice("mana1", 3)));
        String[] same = Fakes.run(queues, "mana0").out().split("\n");
        String[] more = ethtool("--debug mana0").out().split("\n");
        assertThat(more).hasSameSizeAs(same).allSatisfy(line -> assertThat(same).anyMatch(line::startsWith));
        assertThat(ethtool("--debug mana0").out())
                .containsPattern(" ADAPTIVE +USECS +FRAMES +EVENTS\\n.* yes +64 +128 +4711");
        assertThat(ethtool("--debug mana0 --json").dense())
                .contains("\"adaptive\":true,\"usecs\":64,\"frames\":128,\"events\":4711");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 |                        | ethtool needs DEV
            1 | mana9                  | There is no network device 'mana9'; did you mean 'mana0'? (ENODEV)
            2 | -i -S mana0            | One at a time: -i or -S.
            2 | mana0 rx               | 'rx' is one word too many for ethtool
            2 | -g mana0 rx            | 'rx' is one word too many for ethtool -g
            2 | --frobnicate mana0     | There is no option of ethtool '--frobnicate'
            2 | -G mana0               | ethtool -G changes it: [rx N] [tx N].
            2 | -G mana0 rx            | A value is missing behind 'rx'.
            2 | -G mana0 rx 5 tx many  | tx takes a whole number from 0 to 2147483647, not 'many'.
            1 | -G mana0 rx 5 rx-mini 5 | has no rx-mini ring, at most 0 entries. Write rx N or tx N. (EINVAL)
            1 | -L mana0 combined 1 rx 2 | has no channels for rx alone
            2 | -L mana0 both 2        | There is no kind of channel 'both'
            1 | -C mana0 rx-usecs-irq 3 | 'rx-usecs-irq' cannot be set on mana0
            2 | -X mana0 equal 0       | equal takes the number of queues to use
            2 | -X mana0 weight 0 0    | at least one of them above 0
            2 | -X mana0 equal 2 default | One at a time: equal or default.
            2 | -X mana0 hkey 6g:00    | hkey takes bytes in hexadecimal
            1 | -X mana0 hfunc xor     | hashes with toeplitz and nothing else. (EOPNOTSUPP)
            1 | -X mana0 context new   | it has one table and one key. (EOPNOTSUPP)
            2 | -K mana0 rx off tso maybe | tso is on or off, not 'maybe'.
            2 | -K mana0 frob off      | There is no feature of mana0 'frob'
            1 | -K mana0 rxvlan off    | Cannot change rx-vlan-hw-parse. (EOPNOTSUPP)
            2 | --set-priv-flags mana0 frob on | There is no private flag of mana0 'frob'
            """)
    void whatIsRefusedChangesNothing(int status, String line, String sentence) {
        Fakes.Answer answer = ethtool(line == null ? "" : line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(device.rings.receive()).isEqualTo(1024);
        assertThat(device.channels).isEqualTo(4);
        assertThat(device.features.getFirst().on()).isTrue();
    }
}

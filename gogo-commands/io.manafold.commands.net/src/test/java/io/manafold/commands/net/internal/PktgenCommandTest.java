package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficAddresses;
import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficForm.Transport;
import io.manafold.api.traffic.TrafficLoss;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import io.manafold.api.traffic.TrafficShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class PktgenCommandTest {
    private final List<TrafficRun> runs = new ArrayList<>();
    private final Network network = Fakes.network(new FakeDevice("mana0", 2), new FakeDevice("mana1", 3));
    /** How often a run is not over yet when it is waited for. */
    private int glances;
    private final PktgenCommand command = new PktgenCommand(network);

    /** What the fake generator says of every run. */
    record Report(Duration time, long sent, long largeSends, long sentBytes, long received, long receivedBytes,
            long lost, long reordered, long duplicated, long checksumsGood, long corrupted, Duration longestGap,
            long returns, Duration sending, long full, List<TrafficShare> shares, List<TrafficLoss> losses)
            implements TrafficReport {
    }

    private final class Run implements TrafficRun {
        private final int number;
        private final TrafficPlan plan;
        private boolean running = true;

        Run(int number, TrafficPlan plan) {
            this.number = number;
            this.plan = plan;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public TrafficPlan plan() {
            return plan;
        }

        @Override
        public Optional<TrafficAddresses> addresses() {
            return plan.form().isIp() ? Optional.of(new TrafficAddresses("198.18.0.2", "198.19.0.3", 10_000, 9))
                    : Optional.empty();
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public void stop(Duration patience) {
            stop();
        }

        @Override
        public boolean await(Duration limit) {
            return glances-- <= 0;
        }

        @Override
        public TrafficReport report() {
            return new Report(Duration.ofMillis(2500), 1000, 50, 60_000, 990, 59_400, 10, 1, 2, 980, 3,
                    Duration.ofNanos(7_300_000), 1, Duration.ofMillis(999), 7,
                    List.of(new TrafficShare(0, 600, 590), new TrafficShare(3, 400, 400)),
                    List.of(new TrafficLoss(6, "mana1", "found no receive buffer")));
        }
    }

    @BeforeEach
    void generator() {
        network.traffic = new Traffic() {
            @Override
            public TrafficRun start(TrafficPlan plan) {
                runs.add(new Run(runs.size() + 1, plan));
                return runs.getLast();
            }

            @Override
            public List<TrafficRun> runs() {
                return List.copyOf(runs);
            }
        };
    }

    private Fakes.Answer pktgen(String line) {
        return Fakes.run(command, line);
    }

    @Test
    void whatIsAskedIsStarted() {
        assertThat(pktgen("start mana0 --to mana1 --rate 1mpps --size 1514 --flows 8 --verify --count 5").out())
                .isEqualTo("""
                        RUN  FROM   TO     STATE    SENT  RECEIVED  LOST  PACKETS/S
                          1  mana0  mana1  running  1000       990    10        396
                        """);
        assertThat(runs.getFirst().plan())
                .isEqualTo(new TrafficPlan("mana0", "mana1", 1_000_000, 1514, 8, true, 5));
        pktgen("start mana0 --to mana1");
        assertThat(runs.getLast().plan()).isEqualTo(new TrafficPlan("mana0", "mana1", 0, 60, 1, false, 0));
        pktgen("start mana0 --to mana1 --rate 10Gbit --size 1250");
        assertThat(runs.getLast().plan().rate()).isEqualTo(1_000_000);
    }

    @Test
    void howItWentIsTold() {
        assertThat(pktgen("start mana0 --to mana1 --count 1000 --wait").out()).contains("sent                1000\n",
                "longest_gap_ms      7.300\n", "state               over\n");
        pktgen("start mana1 --to mana0");
        assertThat(pktgen("show --json").dense()).startsWith("{\"run\":2,\"from\":\"mana1\",\"to\":\"mana0\","
                + "\"state\":\"running\",\"rate\":0,\"size\":60,\"flows\":1,\"verify\":false,\"count\":0,\"sent\":1000,"
                + "\"sent_bytes\":60000,\"received\":990,\"received_bytes\":59400,\"lost\":10,\"reordered\":1,"
                + "\"duplicated\":2,\"corrupted\":3,\"seconds\":2.500,\"packets_per_second\":396,");
        assertThat(pktgen("show 1").out()).startsWith("run                 1\n");
        assertThat(pktgen("list --json").dense()).contains("\"run\":1", "\"run\":2");
        assertThat(pktgen("stop").out()).hasLineCount(2).contains("  2  mana1  mana0  over ");
        assertThat(runs).noneMatch(TrafficRun::isRunning);
        assertThat(pktgen("stop 1").status()).isZero();
    }

    @Test
    void packetsHaveHeaders() {
        pktgen("start mana0 --to mana1 --tcp --flows 64");
        assertThat(runs.getLast().plan()).isEqualTo(new TrafficPlan("mana0", "mana1", 0, 74, 64, false, 0,
                new TrafficForm(Transport.TCP, false, 0, 0, false)));
        pktgen("start mana0 --to mana1 --udp --v6 --vlan 5 --bad-checksum");
        assertThat(runs.getLast().plan()).isEqualTo(new TrafficPlan("mana0", "mana1", 0, 82, 1, false, 0,
                new TrafficForm(Transport.UDP, true, 5, 0, true)));
        pktgen("start mana0 --to mana1 --udp --port 5000");
        assertThat(runs.getLast().plan().form()).isEqualTo(new TrafficForm(Transport.UDP, false, 0, 0, false, 5000));
        pktgen("start mana0 --to mana1 --tcp --tso 64k --vlan 4094");
        assertThat(runs.getLast().plan()).isEqualTo(new TrafficPlan("mana0", "mana1", 0, 1514, 1, false, 0,
                new TrafficForm(Transport.TCP, false, 4094, 65_536, false)));
        assertThat(pktgen("show --json").dense()).contains("\"transport\":\"tcp\",\"source\":\"198.18.0.2\","
                + "\"destination\":\"198.19.0.3\",\"first_port\":10000,\"port\":9,\"vlan\":4094,\"tso\":65536,"
                + "\"large_sends\":50,", "\"checksums_good\":980,");
    }

    @Test
    void queuesLossesAndAMissedRateAreTold() {
        pktgen("start mana0 --to mana1 --rate 2kpps");
        runs.getFirst().stop();
        assertThat(pktgen("show").out()).endsWith("""

                QUEUE  SENT  RECEIVED
                    0   600       590
                    3   400       400
                6 found no receive buffer at mana1.
                4 were lost, and no counter of a device or link tells where.
                The rate was missed: 2000 packets a second were asked for, 1000 were sent; mana0 had no room for what \
                was due 7 times.
                """);
        assertThat(pktgen("show --json").dense()).endsWith("\"queues\":[{\"queue\":0,\"sent\":600,\"received\":590},"
                + "{\"queue\":3,\"sent\":400,\"received\":400}],\"losses\":[{\"packets\":6,\"place\":\"mana1\","
                + "\"reason\":\"foundnoreceivebuffer\"}],\"rate_missed\":true}");
        pktgen("start mana0 --to mana1 --rate 1kpps");
        runs.getLast().stop();
        assertThat(pktgen("show").out()).doesNotContain("The rate was missed");
    }

    @Test
    void whoWaitsIsToldHowItGoes() {
        glances = 2;
        assertThat(pktgen("start mana0 --to mana1 --count 2000 --wait").err())
                .isEqualTo("2 s: 1000 of 2000 sent, 990 received, 10 lost, 396 packets a second\n".repeat(2));
        glances = 2;
        assertThat(pktgen("start mana0 --to mana1 --count 2000 --wait --json").err()).isEmpty();
    }

    /** Whatever is typed there, a run begins or there is a sentence. */
    @Test
    void wordsOfAllKindsEndInASentence() {
        Random random = new Random(22);
        List<String> words = List.of("--udp", "--tcp", "--v6", "--flows", "--tso", "--vlan", "--bad-checksum", "--size",
                "64k", "0", "-1", "4095", "9999999999k", "k", "1514", "60", "\u0007", "--rate", "1mpps", "--to",
                "mana1", "--count", "'", "65536", "0x10", "--wait");
        for (int i = 0; i < 3000; i++) {
            StringBuilder line = new StringBuilder("start mana0 --to mana1");
            for (int k = random.nextInt(6); k >= 0; k--) {
                line.append(' ').append(words.get(random.nextInt(words.size())));
            }
            Fakes.Answer answer = pktgen(line.toString());
            if (answer.status() == 0) {
                TrafficPlan plan = runs.getLast().plan();
                assertThat(plan.size()).as(line.toString()).isGreaterThanOrEqualTo(plan.form().least());
                assertThat(plan.form().segments(plan.size())).as(line.toString()).isPositive();
            } else {
                assertThat(answer.err()).as(line.toString()).isNotBlank().doesNotContain("Exception", "\u0007");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | start mana0                           | pktgen start needs to know where to: --to DEV.
            1 | start mana0 --to mana9                | There is no network device 'mana9'
            2 | start mana0 --to mana1 --size 59      | --size takes a whole number from 60
            2 | start mana0 --to mana1 --tcp --size 73 | --size takes a whole number from 74
            2 | start mana0 --to mana1 --tcp --udp    | Packets are of --udp or of --tcp, not of both.
            2 | start mana0 --to mana1 --v6           | --v6 is for packets of --udp or --tcp; say which.
            2 | start mana0 --to mana1 --bad-checksum | --bad-checksum is for packets of --udp or --tcp
            2 | start mana0 --to mana1 --udp --tso 9k | --tso is for packets of --tcp
            2 | start mana0 --to mana1 --tcp --tso 9k --bad-checksum | --tso and --bad-checksum exclude each other
            2 | start mana0 --to mana1 --tcp --tso 65k | --tso takes a number of bytes from 1 to 65536
            2 | start mana0 --to mana1 --port 7       | --port is for packets of --udp or --tcp; say which.
            2 | start mana0 --to mana1 --udp --port 0 | --port takes a whole number from 1 to 65535
            2 | start mana0 --to mana1 --vlan 4095    | --vlan takes a whole number from 1 to 4094
            2 | start mana0 --to mana1 --rate fast    | --rate takes a rate, as in 1mpps or 10gbit
            2 | start mana0 --to mana1 --rate 5parsec | the units are pps, kpps, mpps
            2 | start mana0 --to mana1 --rate 0pps    | --rate is between 1 and
            2 | start mana0 --to mana1 --wait         | --wait needs an end to wait for: --count N.
            1 | show                                  | No traffic was started yet
            1 | show 7                                | There is no traffic with the number 7
            2 | stop seven                            | RUN takes a whole number
            """)
    void whatCannotBeStartsNothing(int status, String line, String sentence) {
        Fakes.Answer answer = pktgen(line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(runs).isEmpty();
    }

    @Test
    void withoutAGeneratorThereIsASentence() {
        network.traffic = null;
        assertThat(pktgen("list").err()).contains("io.manafold.traffic").endsWith("(EOPNOTSUPP)\n");
    }
}

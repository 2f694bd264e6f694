package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class PktgenCommandTest {
    private final List<TrafficRun> runs = new ArrayList<>();
    private final Network network = Fakes.network(new FakeDevice("mana0", 2), new FakeDevice("mana1", 3));
    private final PktgenCommand command = new PktgenCommand(network);

    /** What the fake generator says of every run. */
    record Report(Duration time, long sent, long sentBytes, long received, long receivedBytes, long lost,
            long reordered, long duplicated, long corrupted, Duration longestGap, long returns)
            implements TrafficReport {
    }

    private static final class Run implements TrafficRun {
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
        public boolean isRunning() {
            return running;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean await(Duration limit) {
            return true;
        }

        @Override
        public TrafficReport report() {
            return new Report(Duration.ofMillis(2500), 1000, 60_000, 990, 59_400, 10, 1, 2, 3,
                    Duration.ofNanos(7_300_000), 1);
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | start mana0                           | pktgen start needs to know where to: --to DEV.
            1 | start mana0 --to mana9                | There is no network device 'mana9'
            2 | start mana0 --to mana1 --size 59      | --size takes a whole number from 60
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

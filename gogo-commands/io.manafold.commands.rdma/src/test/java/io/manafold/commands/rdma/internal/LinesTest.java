package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Command;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any words behind the commands of RDMA: an answer, or a sentence. None of them starts a measurement, as the other
 * end that they name is not there.
 */
@Timeout(3600)
class LinesTest {
    private static final int LINES = Integer.getInteger("manafold.rdma.lines", 100_000);
    private static final List<String> WORDS = List.of("-d", "-i", "-s", "-a", "-n", "-D", "-t", "-q", "-b", "-m", "-x",
            "-R", "-Q", "-l", "-p", "-v", "-V", "-c", "-e", "-g", "-r", "-S", "-C", "-P", "--to", "--json", "--last",
            "--errors", "--report_gbits", "--help", "--", "-", "--=", "-s=", "mana_0", "mana_9", "mana_", "manae_0",
            "mana_0/1", "mana_0/-", "mana_1/99999999999", "mana_0/0x10000", "a/65540", "a/-1", "10.77.0.1", "::1",
            "10.77.0.999", "fe80::1%x", "dev", "link", "show", "resource", "res", "statistic", "qp", "cq", "pd", "mr",
            "cm_id", "state", "RTS", "type", "lqpn", "0", "1", "5", "64", "4096", "-1", "9m", "99999999999999999999",
            "1.5", "1e9", "NaN", "0x7fffffff", "2147483648", "\u202e", "\u0000", "\u001b[2J", "'", "\"", "$x", "%n%s",
            "ä", "\ud800");

    private final Devices devices = Fakes.devices(new FakeDevice("mana_0", 1), new FakeDevice("mana_1", 2));
    private final List<Command> commands = List.of(new RdmaCommand(devices), new IbvDevicesCommand(devices),
            new IbvDevinfoCommand(devices), new RcPingpongCommand(devices), new RpingCommand(devices),
            new MeasureCommand.SendBandwidth(devices), new MeasureCommand.WriteBandwidth(devices),
            new MeasureCommand.ReadBandwidth(devices), new MeasureCommand.SendLatency(devices),
            new MeasureCommand.WriteLatency(devices), new MeasureCommand.ReadLatency(devices),
            new ExplainCommand(devices, new Adapters()));

    @Test
    void anyWordsAreAnsweredOrRefusedInASentence() {
        Random random = new Random(18);
        int refused = 0;
        for (int i = 0; i < LINES; i++) {
            Command command = commands.get(random.nextInt(commands.size()));
            StringBuilder line = new StringBuilder(command instanceof ExplainCommand ? "qp" : "");
            boolean toOther = false;
            for (int word = random.nextInt(7); word >= 0; word--) {
                String next = WORDS.get(random.nextInt(WORDS.size()));
                if (toOther) {
                    next = "mana_9";
                }
                toOther = next.equals("--to");
                line.append(line.isEmpty() ? "" : " ").append(next);
            }
            Fakes.Answer answer = Fakes.run(command, line.toString());
            Supplier<String> what = () -> command.syntax().name() + " " + line + ": " + answer;
            assertThat(answer.status()).as(what).isBetween(0, 2);
            assertThat(answer.err()).as(what).doesNotContain("Exception");
            if (answer.status() != 0) {
                refused++;
                assertThat(answer.err()).as(what).isNotBlank().doesNotContain("\u001b", "\u0000", "\u202e");
            }
        }
        assertThat(refused).as("refused of %d", LINES).isBetween(LINES / 4, LINES);
    }
}

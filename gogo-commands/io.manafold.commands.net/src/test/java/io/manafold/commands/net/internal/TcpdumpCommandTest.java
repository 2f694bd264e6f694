package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class TcpdumpCommandTest {
    private static final Path FILE = Path.of("x.pcapng").toAbsolutePath();

    private final Captures captures = new Captures();
    private final Network network = Fakes.network(new FakeDevice("mana0", 2));
    private final TcpdumpCommand command = new TcpdumpCommand(network);

    /** A capture that holds one packet more each time the command looks. */
    private static final class Captures implements DeviceCaptures {
        private final List<String> orders = new ArrayList<>();
        private long frames;
        private long most;
        private String problem;
        private boolean running;

        @Override
        public CaptureStatus start(String device, Path file, int snap, long count) {
            if (!device.equals("mana0")) {
                throw new Refusal(Errno.ENODEV, "There is no network device '" + device + "'.");
            }
            running = true;
            most = count;
            orders.add("start " + device + " " + file + " " + snap);
            return status();
        }

        private CaptureStatus status() {
            return new CaptureStatus("mana0", FILE, frames, 60, 2, frames == most, problem);
        }

        @Override
        public CaptureStatus stop(String device, Path file) {
            running = false;
            orders.add("stop " + device + " " + file);
            return status();
        }

        @Override
        public List<CaptureStatus> captures() {
            frames = Math.min(frames + 1, most);
            return running ? List.of(status()) : List.of();
        }
    }

    @BeforeEach
    void captures() {
        network.captures = captures;
    }

    @Test
    void itEndsWithAsManyPacketsAsAskedFor() {
        Fakes.Answer answer = Fakes.run(command, "-i mana0 -w x.pcapng -c 3 -s 96");
        assertThat(answer.status()).isZero();
        assertThat(answer.err()).isEqualTo("""
                tcpdump: listening on mana0, link-type EN10MB (Ethernet), snapshot length 96 bytes
                3 packets captured
                2 packets missed
                """);
        assertThat(captures.orders).containsExactly("start mana0 " + FILE + " 96", "stop mana0 " + FILE);
    }

    @Test
    void aCaptureThatFailsIsASentence() {
        captures.problem = "The disk is full.";
        Fakes.Answer answer = Fakes.run(command, "-i mana0 -w x.pcapng");
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.err()).contains("The capture has ended early: The disk is full. (EIO)");
        assertThat(captures.orders).hasSize(2);
    }

    @Test
    void interruptedItCompletesTheFile() {
        Thread.currentThread().interrupt();
        assertThat(Fakes.run(command, "-i mana0 -w x.pcapng").status()).isEqualTo(1);
        assertThat(captures.orders).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | -w x.pcapng             | tcpdump needs a device: -i DEV.
            2 | -i mana0                | tcpdump needs a file to write to: -w FILE
            2 | -i mana0 -w -           | '-' is not a path
            2 | -i mana0 -w x -c 0      | -c takes a whole number
            2 | -i mana0 -w x tcp       | 'tcp' is one word too many for tcpdump
            1 | -i mana9 -w x           | There is no network device 'mana9'. (ENODEV)
            """)
    void whatCannotBeIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(captures.orders).isEmpty();
    }
}

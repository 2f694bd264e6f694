package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.inet.PacketListing;
import io.manafold.api.inet.PassingPacket;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class TcpdumpCommandTest {
    private static final Path FILE = Path.of("x.pcapng").toAbsolutePath();

    private final Captures captures = new Captures();
    private final Network network = Fakes.network(new FakeDevice("mana0", 2));
    private final TcpdumpCommand command = new TcpdumpCommand(network);

    private record Packet(int length) implements PassingPacket {
        @Override
        public Instant time() {
            return Instant.EPOCH;
        }

        @Override
        public boolean incoming() {
            return length % 2 == 0;
        }

        @Override
        public String text(boolean withLink) {
            return (withLink ? "link " : "") + "packet of " + length;
        }
    }

    /** Packets of 60, 61, 62 … bytes; the number of each is written. */
    private final class Listing implements PacketListing {
        private final OutputStream copy;
        private int last = 59;

        Listing(OutputStream copy) {
            this.copy = copy;
        }

        @Override
        public Optional<PassingPacket> next(Duration limit) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            last++;
            if (copy != null) {
                try {
                    copy.write(last);
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }
            return Optional.of(new Packet(last));
        }

        @Override
        public long missed() {
            return 7;
        }

        @Override
        public void close() {
            captures.orders.add("close");
        }
    }

    /** A capture that holds one packet more each time the command looks. */
    private final class Captures implements DeviceCaptures {
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
        public PacketListing list(String device, int snap, OutputStream copy) {
            if (!device.equals("mana0")) {
                throw new Refusal(Errno.ENODEV, "There is no network device '" + device + "'.");
            }
            orders.add("list " + device + " " + snap);
            return new Listing(copy);
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
    void withoutAFileItPrints() {
        Fakes.Answer answer = Fakes.run(command, "-i mana0 -c 2 -t -n");
        assertThat(answer.out()).isEqualTo("packet of 60\npacket of 61\n");
        assertThat(answer.err()).isEqualTo("""
                tcpdump: listening on mana0, link-type EN10MB (Ethernet), snapshot length 262144 bytes
                2 packets captured
                7 packets missed
                """);
        assertThat(captures.orders).containsExactly("list mana0 262144", "close");
        assertThat(Fakes.run(command, "-i mana0 -c 1 -e -s 3").out())
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{6} link packet of 60\n");
        assertThat(captures.orders).contains("list mana0 14");
        assertThat(Fakes.run(command, "-i mana0 -c 1 --json").out()).isEqualTo("{\"time\":\"1970-01-01T00:00:00Z\","
                + "\"incoming\":true,\"length\":60,\"packet\":\"packet of 60\"}\n");
    }

    @Test
    void theOutputIsAFile() {
        Fakes.Answer answer = Fakes.run(command, "-i mana0 -c 3 -w -");
        assertThat(answer.out()).isEqualTo("<=>");
        assertThat(answer.err()).contains("3 packets captured");
    }

    @Test
    void interruptedItTellsHowManyThereWere() {
        Thread.currentThread().interrupt();
        Fakes.Answer answer = Fakes.run(command, "-i mana0");
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.err()).contains("0 packets captured");
        assertThat(captures.orders).endsWith("close");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-i mana0", "-i mana0 -w -"})
    @Timeout(60)
    void aReaderWhoHasGoneEndsItUnderTrafficToo(String line) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("the reader has gone");
            }
        };
        CommandLine.run(command, List.of(line.split(" ")), InputStream.nullInputStream(),
                new PrintStream(gone, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("packets captured");
        assertThat(captures.orders).endsWith("close");
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
            2 | -i mana0 -w x -c 0      | -c takes a whole number
            2 | -i mana0 -w x tcp       | 'tcp' is one word too many for tcpdump
            1 | -i mana9 -w x           | There is no network device 'mana9'. (ENODEV)
            1 | -i mana9                | There is no network device 'mana9'
            1 | -i mana9 -w -           | There is no network device 'mana9'
            2 | -i mana0 -c many        | -c takes a whole number
            """)
    void whatCannotBeIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(captures.orders).isEmpty();
    }
}

package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Operation;
import io.manafold.linux.Processors;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import io.manafold.streams.Ends;
import io.manafold.uring.Rings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What knobs say they got, held against what the kernel says of the ring and of the socket. */
@Timeout(120)
class KernelsWordTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int SO_KEEPALIVE = 9;
    private static final int TCP_KEEPIDLE = 4;

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    private static Set<String> descriptors(String target) throws IOException {
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            Set<String> found = new HashSet<>();
            all.filter(one -> target(one).equals(target)).forEach(one -> found.add(one.getFileName().toString()));
            return found;
        }
    }

    private static Set<String> rings() throws IOException {
        return descriptors("anon_inode:[io_uring]");
    }

    /** What the kernel says of the ring that came after those. */
    private static String ring(Set<String> before) throws IOException {
        Set<String> now = rings();
        now.removeAll(before);
        assertThat(now).as("rings that are new").hasSize(1);
        return Files.readString(Path.of("/proc/self/fdinfo", now.iterator().next()));
    }

    /** The socket of an endpoint, whatever has its descriptor; it stays the endpoint's and is not to be closed. */
    @SuppressWarnings("resource")
    private static TcpSocket socket(Endpoint endpoint) throws IOException {
        String here = ":%04X".formatted(endpoint.local().getPort());
        String there = ":%04X".formatted(endpoint.remote().getPort());
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] words = line.trim().split(" +");
                if (words[1].endsWith(here) && words[2].endsWith(there)) {
                    Set<String> numbers = descriptors("socket:[" + words[9] + "]");
                    assertThat(numbers).hasSize(1);
                    return TcpSocket.adopt(Integer.parseInt(numbers.iterator().next()));
                }
            }
        }
        throw new AssertionError("the kernel has no connection of " + endpoint.local());
    }

    private static String got(List<KnobState> knobs, Knob knob) {
        return knobs.stream().filter(state -> state.knob() == knob).findFirst().orElseThrow().got();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50})
    void aRingPollsCardsForAsLongAsTheKnobSays(int micros) throws IOException {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.BUSY_POLL);
        Set<String> before = rings();
        try (Ends ends = new Ends(new TcpWay("uring", List.of("busypoll=" + micros)))) {
            String said = ring(before);
            assertThat(got(ends.near.state().knobs(), Knob.BUSYPOLL)).isEqualTo(Integer.toString(micros));
            if (micros == 0) {
                assertThat(said).contains("NAPI:\tdisabled");
            } else {
                assertThat(said).contains("NAPI:\tenabled").contains("napi_busy_poll_dt:\t" + micros * 1000 + "\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "registered"})
    void aRingKnowsTheMemoryThatTheKnobSaysItKnows(String memory) throws IOException {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.REGISTERED_BUFFERS);
        Rings.can(io.manafold.uring.Operation.SEND_ZERO_COPY_REGISTERED);
        Set<String> before = rings();
        try (Ends ends = new Ends(new TcpWay("uring", List.of("memory=" + memory, "send=zerocopy")))) {
            ends.near.send(ends.region.key(), 0, 4096, 1);
            ends.next(ends.near, Operation.SEND);
            long known = ring(before).lines().map(String::strip)
                    .filter(line -> line.matches("[0-9]+: *0x[0-9a-f]+/" + Ends.BYTES)).count();
            assertThat(known).as("regions of %d bytes in %s", Ends.BYTES, ring(before))
                    .isEqualTo(memory.equals("plain") ? 0 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "kernel"})
    void aThreadOfTheKernelLooksAfterTheRingIfTheKnobSaysSo(String wait) throws IOException {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.SUBMISSION_POLLING);
        Set<String> before = rings();
        try (Ends ends = new Ends(new TcpWay("uring", List.of("wait=" + wait)))) {
            assertThat(got(ends.queues.knobs(), Knob.WAIT)).isEqualTo(wait);
            assertThat(ring(before).lines().filter(line -> line.startsWith("SqThread:")).findFirst().orElseThrow())
                    .matches(wait.equals("kernel") ? "SqThread:\t[0-9]+" : "SqThread:\t-1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void theSocketIsAsItsKnobsSay(String transport) throws IOException, SystemCallException {
        for (String state : List.of("off", "on")) {
            boolean on = state.equals("on");
            List<String> words = List.of("nodelay=" + state, "keepalive=" + (on ? 100 : 0), "prefer:congestion="
                    + (on ? "reno" : "default"));
            try (Ends ends = new Ends(new TcpWay(transport, words))) {
                for (Endpoint endpoint : List.of(ends.near, ends.far)) {
                    TcpSocket socket = socket(endpoint);
                    assertThat(socket.option(TcpSocket.IPPROTO_TCP, TcpSocket.TCP_NODELAY) != 0).isEqualTo(on);
                    assertThat(socket.option(TcpSocket.SOL_SOCKET, SO_KEEPALIVE) != 0).isEqualTo(on);
                    if (on) {
                        assertThat(socket.option(TcpSocket.IPPROTO_TCP, TCP_KEEPIDLE)).isEqualTo(100);
                    }
                    String congestion = got(endpoint.state().knobs(), Knob.CONGESTION);
                    assertThat(congestion).isEqualTo(on && transport.equals("uring") ? "reno" : "default");
                    if (!congestion.equals("default")) {
                        assertThat(socket.congestion()).isEqualTo(congestion);
                    }
                }
            }
        }
    }

    /** Over the loopback a packet is received by the processor that has sent it. */
    @Test
    void theProcessorIsTheOneThatSawTheLastPacket() throws SystemCallException, IOException {
        Rings.areAllowed();
        BitSet all = Processors.allowed();
        try (Ends ends = new Ends(new TcpWay("uring", List.of()))) {
            for (int processor = all.nextSetBit(0); processor >= 0; processor = all.nextSetBit(processor + 1)) {
                BitSet only = new BitSet();
                only.set(processor);
                Processors.allow(only);
                ends.far.receive(ends.region.key(), 1 << 20, 4096, 1);
                ends.near.send(ends.region.key(), 0, 4096, 2);
                ends.next(ends.far, Operation.RECEIVE);
                assertThat(ends.far.state().cpu()).isEqualTo(processor).isEqualTo(socket(ends.far)
                        .option(TcpSocket.SOL_SOCKET, TcpSocket.SO_INCOMING_CPU));
                assertThat(ends.far.state().napi()).as("the loopback has no card").isEqualTo(-1);
            }
        } finally {
            Processors.allow(all);
        }
    }
}

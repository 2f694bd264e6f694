package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.streams.Ends;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How large the kernel's buffers of a connection within this machine are, as ss is told by the kernel. */
class SendBufferTest {
    /** What ss says of a socket: its receive buffer and its send buffer. */
    private record Buffers(long receive, long send) {
    }

    private static Buffers of(Endpoint endpoint) throws IOException {
        Process ss = new ProcessBuilder("ss", "-Htnm", "sport = :" + endpoint.local().getPort(), "and", "dport = :"
                + endpoint.remote().getPort()).redirectErrorStream(true).start();
        String said = new String(ss.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return new Buffers(number(said, "rb"), number(said, "tb"));
    }

    private static long number(String said, String name) {
        assertThat(said).containsPattern("[(,]" + name + "[0-9]+[,)]");
        return Long.parseLong(said.replaceAll("(?s).*[(,]" + name + "([0-9]+)[,)].*", "$1"));
    }

    private static KnobState knob(Endpoint endpoint) {
        return endpoint.state().knobs().stream().filter(state -> state.knob() == Knob.BUFFERS).findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void whoAsksForNothingHasASmallOneAtEitherEnd(String transport) throws IOException {
        try (Ends ends = new Ends(new TcpWay(transport, List.of()));
                Ends kernels = new Ends(new TcpWay(transport, List.of("buffers=0")))) {
            for (Endpoint endpoint : List.of(ends.near, ends.far)) {
                assertThat(of(endpoint).send()).isEqualTo(2 * 196_608);
                assertThat(knob(endpoint).asked()).isNull();
                assertThat(knob(endpoint).got()).isEqualTo("196608");
                assertThat(knob(endpoint).why()).startsWith("the send buffer, because the peer is on this machine");
            }
            assertThat(of(ends.near).receive()).as("left to the kernel").isEqualTo(of(kernels.near).receive());
        }
    }

    @ParameterizedTest
    @CsvSource({"nio, 0", "uring, 0", "nio, 65536", "uring, 65536"})
    void whatIsAskedForHolds(String transport, int bytes) throws IOException {
        try (Ends ends = new Ends(new TcpWay(transport, List.of("buffers=" + bytes)))) {
            for (Endpoint endpoint : List.of(ends.near, ends.far)) {
                assertThat(knob(endpoint).got()).isEqualTo(Integer.toString(bytes));
                Buffers buffers = of(endpoint);
                if (bytes == 0) {
                    assertThat(buffers.send()).isNotEqualTo(2 * 196_608);
                } else {
                    assertThat(buffers).isEqualTo(new Buffers(2L * bytes, 2L * bytes));
                }
            }
        }
    }
}
